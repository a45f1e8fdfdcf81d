"""The subjects of rules about CFEngine policies: promises, possible outcomes, a simulated run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError, InputError

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.events import Event
    from analyzer.frontends.cfengine.agent.outcomes import Outcomes
    from analyzer.frontends.cfengine.agent.state import Agent
    from analyzer.frontends.cfengine.policy.possible_values import Values
    from analyzer.frontends.cfengine.policy.reachability import Reach
    from analyzer.frontends.cfengine.policy.sites import Sites
    from analyzer.frontends.cfengine.syntax.ast import Bundle, PolicyFile
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.linter.policy_files import Loaded


@dataclass(frozen=True)
class Assumed:
    """Assumptions about the machine: classes that are set from the start, a file of outcomes."""

    classes: frozenset[str] = frozenset()
    outcomes: str = ""

    @classmethod
    def from_options(cls, define: Iterable[str] | None, outcome: str | None) -> Assumed:
        """Return the assumptions of `--define`, which has lists of classes, and `--outcome`."""
        words = ",".join(define or ()).replace(",", " ").split()
        return cls(frozenset(words), outcome or "")


@dataclass(frozen=True)
class PolicyText:
    """A policy file that CFEngine reads: the user's name `file`, its text and its tree."""

    file: str
    text: str
    tree: PolicyFile

    def in_string(self, at: int) -> bool:
        """Return whether a character is part of a quoted text."""
        return any(start <= at < end for start, end in strings_of(self.text))


@dataclass(frozen=True)
class RefusedPolicy:
    """A policy file that CFEngine refuses, with one of the reasons."""

    file: str
    error: InputError


@dataclass(frozen=True, eq=False)
class PolicyRun:
    """A policy with its inputs, or a file of no policy; `name` is the user's name for it."""

    name: str
    loaded: Loaded = field(repr=False)
    defined: frozenset[str] = frozenset()
    outcomes: Outcomes | None = None
    text_of: Callable[[str], str | None] = field(default=lambda file: None, repr=False)

    @cached_property
    def whole(self) -> bool:
        """Return whether all files of the policy are known.

        A file with a main bundle, without a control body and with missing bodies is part of another
        policy.
        """
        if not self.loaded.whole or self.loaded.policy.control("common", "bundlesequence"):
            return self.loaded.whole
        return not any(site.unknown for site in self.sites.all)

    @cached_property
    def values(self) -> Values:
        """Return the possible values of the variables."""
        from analyzer.frontends.cfengine.policy.possible_values import Values

        return Values(self.loaded.policy).update()

    @cached_property
    def sites(self) -> Sites:
        """Return the promises."""
        from analyzer.frontends.cfengine.policy.sites import Sites

        return Sites(self.loaded.policy, self.values)

    @cached_property
    def sequence(self) -> list[str] | None:
        """Return the bundles of the sequence, None if this file is not an entry of a policy."""
        from analyzer.linter.policy_files import is_entry, sequence_of

        files = self.loaded.policy.files
        if not files or not is_entry(files[0]):
            return None
        return sequence_of(self.loaded.policy, self.values)

    @cached_property
    def reach(self) -> Reach:
        """Return the promises that any run may reach."""
        from analyzer.frontends.cfengine.policy.reachability import Reach

        given = self.outcomes.by_place if self.outcomes else {}
        # Missing files may call bundles of this policy.
        bundles = self.sequence if self.whole else None
        return Reach(self.sites, bundles, self.defined, given)

    @cached_property
    def agent(self) -> Agent | None:
        """Return the agent after its run; None if the bundlesequence is unknown."""
        if self.sequence is None:
            return None
        from analyzer.frontends.cfengine.agent.outcomes import Outcomes
        from analyzer.frontends.cfengine.agent.passes import evaluate
        from analyzer.frontends.cfengine.agent.state import Agent

        agent = Agent(self.loaded.policy, self.outcomes.copy() if self.outcomes else Outcomes())
        agent.classes.hard.update(name for name in self.defined if name[0] != "!")
        agent.classes.never.update(name[1:] for name in self.defined if name[0] == "!")
        try:
            evaluate(agent)
        except RecursionError:
            return None
        return agent

    @property
    def events(self) -> list[Event]:
        """Return the events of a simulated run; none if the bundlesequence is unknown."""
        return self.agent.events if self.agent else []

    @cached_property
    def refusal(self) -> CompileError | None:
        """Return the error that makes CFEngine refuse the policy although it accepts each file."""
        if self.sequence is None or self.loaded.refused:
            return None
        from analyzer.frontends.cfengine.agent.bundlesequence import check_sequence
        from analyzer.frontends.cfengine.agent.loading import load_policy

        try:
            if self.loaded.missing:
                load_policy(self.loaded.path, sorted(self.defined))
            elif self.agent and self.whole:
                check_sequence(self.agent)
        except CompileError as error:
            return error
        except (InputError, RecursionError):
            return None
        return None

    @cached_property
    def graph(self) -> RelationshipGraph:
        """Return the graph of the simulated run."""
        from analyzer.frontends.cfengine.agent.catalog import catalog_of
        from analyzer.graph.relationship_graph import relate

        return relate(catalog_of(self.events, self.name))

    @cached_property
    def _variables(self) -> dict[tuple[str, str], set[str]]:
        found: dict[tuple[str, str], set[str]] = {}
        for space, bundle, name in self.values.given:
            found.setdefault((space, bundle), set()).add(name.partition("[")[0])
        return found

    def variables_of(self, namespace: str, bundle: str) -> set[str]:
        """Return the variables that promises set, without indices."""
        return self._variables.get((namespace, bundle), set())

    @cached_property
    def anything(self) -> bool:
        """Return whether the policy runs a module, which may set any class and variable."""
        from analyzer.frontends.cfengine.policy.sites import sets_anything

        return any(map(sets_anything, self.sites.all))

    @cached_property
    def _named(self) -> dict[int, set[str]]:
        from analyzer.frontends.cfengine.policy.sites import calls
        from analyzer.frontends.cfengine.syntax.ast import Scalar

        found: dict[int, set[str]] = {}
        for site in self.sites.all:
            names = found.setdefault(id(site.bundle), set())
            names |= {site.text("useresult")} - {""}
            for call in calls(value for _, value in site.rows):
                names |= {one.text for one in call.arguments if isinstance(one, Scalar)}
        return found

    def named_in(self, bundle: Bundle) -> set[str]:
        """Return the arguments of functions in a bundle, which may name variables."""
        return self._named.get(id(bundle), set())


# Comments and quoted texts; each kind of quote may contain the other.
TOKENS = re.compile(r"""#[^\n]*|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`)""", re.DOTALL)


@lru_cache(maxsize=64)
def strings_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each quoted text of a policy."""
    return tuple(found.span(1) for found in TOKENS.finditer(text) if found[1] is not None)


def text_of_file(file: str, text: str) -> PolicyText | list[RefusedPolicy]:
    """Return a policy file, or the reasons why CFEngine refuses it."""
    from analyzer.frontends.cfengine.syntax.problems import PolicyError
    from analyzer.linter.policy_files import checked

    found = checked(text, file)
    if found.problems:
        return [RefusedPolicy(file, PolicyError([one], text)) for one in found.problems]
    return PolicyText(file, text, found.tree)


def promise_at(file: str, text: str, line: int) -> range:
    """Return the lines of the promise at a line, or only that line if there is none."""
    from analyzer.linter.policy_files import checked

    for bundle in checked(text, file).tree.bundles:
        for section in bundle.sections:
            for promise in section.promises:
                last = max([promise.line, *(a.line for a in promise.attributes)])
                if promise.span.line <= line <= last:
                    return range(promise.span.line, last + 1)
    return range(line, line + 1)
