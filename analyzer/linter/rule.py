"""Rules: a code, the type of subject, documentation, and a function that yields problems."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from analyzer.diagnostics import Edit, Issue, Severity, Step
from analyzer.linter.docs import Documentation, read
from analyzer.source import Span


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of manifests that may mend a problem; it is offered only once it is verified.

    `unsafe` says that it takes back what somebody wrote, for a reason that the code does not tell.
    `lost` are orders that are known to go with it, and how many; None: the compile tells. `needs`
    are a resource and another that it comes to refer to, which has to be there whenever it is.
    """

    what: str
    edits: tuple[Edit, ...]
    unsafe: bool = False
    lost: tuple[tuple[tuple[str, str], ...], int] | None = None
    needs: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What a rule finds: see Finding, which it becomes once code and severity are added.

    `unless_ok` says that it counts only if the same place is fine in no other catalog: what one
    node lacks another may have.
    """

    message: str
    span: Span | None = None
    refs: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    severity: Severity | None = None
    unless_ok: bool = False
    is_ok: bool = False


def no_problem(span: Span | None, *refs: str) -> Problem:
    """Return that a place is in order in this catalog."""
    return Problem("", span, refs, is_ok=True)


# What a rule may conclude from the absence of.
Absence = Literal["resources", "relationships"]

# Finds the problems of one subject: a Manifest or a Compiled.
Check = Callable[[Any], Iterator[Problem]]


@dataclass(frozen=True)
class Rule:
    """A rule; `on` is the class of its subjects, `default` whether it is on by default.

    `absence` names what it concludes from the absence of: where a catalog is not complete, that
    proves nothing. Without resources it is silent then, without relationships its findings are
    notes. `acyclic` says that it is about an order, which there is none of where there is a cycle.
    """

    code: str
    on: type
    severity: Severity
    default: bool
    check: Check = field(compare=False)
    module: str = ""
    absence: Absence | None = None
    acyclic: bool = False

    @property
    def name(self) -> str:
        """What the rule is called: the name of its file."""
        return self.module.rpartition(".")[2].replace("_", "-")

    @cached_property
    def docs(self) -> Documentation:
        """The docstring of the rule's file, read."""
        return read(sys.modules[self.module].__doc__ or "")

    @property
    def issue(self) -> Issue:
        """The rule as formats for other programs describe it."""
        return Issue(self.code, self.name, self.severity, self.docs.summary, self.docs.why)


# Every rule, by code; filled when the rules' modules are imported.
RULES: dict[str, Rule] = {}


def rule(
    code: str,
    *,
    on: type,
    severity: Severity,
    default: bool = True,
    absence: Absence | None = None,
    acyclic: bool = False,
) -> Callable[[Check], Check]:
    """Make a function a rule.

    Raises:
        ValueError: the code is another rule's.
    """

    def register(check: Check) -> Check:
        if code in RULES and RULES[code].module != check.__module__:
            raise ValueError(f"{code} is the code of two rules")
        RULES[code] = Rule(code, on, severity, default, check, check.__module__, absence, acyclic)
        return check

    return register
