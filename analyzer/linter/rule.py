"""Rules: a code, the type of subject, documentation, and a function that yields problems."""

from __future__ import annotations

import re
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
    """A change of manifests that may fix a problem; it is offered only after it is verified.

    `unsafe`: it removes code whose reason is unknown. `lost`: examples and the number of orderings
    that it removes, None if only a compile can find them. `needs`: a resource, and another one that
    it will refer to, which must exist whenever the first one does.
    """

    what: str
    edits: tuple[Edit, ...]
    unsafe: bool = False
    lost: tuple[tuple[tuple[str, str], ...], int] | None = None
    needs: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that a rule finds; with code and severity it becomes a `Finding`.

    `unless_ok`: it counts only if the same place has a problem in all catalogs, because one node
    may lack a resource that another one has.
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
    """Return the statement that a place has no problem in this catalog."""
    return Problem("", span, refs, is_ok=True)


# The kinds of things whose absence a rule may use as evidence.
Absence = Literal["resources", "relationships"]

# The origins of rules: catgraph, `[[rules]]`, `[[contracts]]`, or an installed distribution.
Kind = Literal["rule", "query", "contract", "plugin"]

# Finds the problems of one subject: a Manifest or a Compiled.
Check = Callable[[Any], Iterator[Problem]]


@dataclass(frozen=True)
class Rule:
    """A rule; `on` is the class of its subjects, `default` whether it is on by default.

    `absence`: it draws conclusions from missing resources or relationships, which an incomplete
    catalog does not allow. If resources may be missing, the rule does not apply; if relationships
    may be, its findings are notes, and those that unknown code may order are left out unless the
    rule is the user's own. `acyclic`: it needs a graph without cycles. `kind`, `text` and
    `title` describe rules that have no file: those of `catgraph.toml`.
    `origin` is the distribution of a plugin's rule.
    """

    code: str
    on: type
    severity: Severity
    default: bool
    check: Check = field(compare=False)
    module: str = ""
    absence: Absence | None = None
    acyclic: bool = False
    kind: Kind = "rule"
    title: str = ""
    text: Documentation | None = field(default=None, compare=False)
    origin: str = ""

    @property
    def name(self) -> str:
        """Return the name of the rule: the name of its file."""
        return self.title or self.module.rpartition(".")[2].replace("_", "-")

    @cached_property
    def docs(self) -> Documentation:
        """Return the documentation, which is the docstring of the rule's file."""
        return self.text or read(sys.modules[self.module].__doc__ or "")

    @property
    def issue(self) -> Issue:
        """Return the description of the rule for other programs."""
        return Issue(self.code, self.name, self.severity, self.docs.summary, self.docs.why)


# The codes of rules other than catgraph's, and the beginning of catgraph's codes.
CODE = re.compile(r"[A-Z][A-Z0-9_-]{1,31}")
OURS = "CG"

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
    """Register a function as a rule.

    Raises:
        ValueError: the code is another rule's.
    """

    def register(check: Check) -> Check:
        if code in RULES and RULES[code].module != check.__module__:
            other = RULES[code].module
            raise ValueError(f"{code} is the code of two rules: {other} and {check.__module__}")
        RULES[code] = Rule(code, on, severity, default, check, check.__module__, absence, acyclic)
        return check

    return register
