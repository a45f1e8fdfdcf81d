"""The findings of the lint in every catalog."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from analyzer.diagnostics import RANK, Finding
from analyzer.fleet.fold import fold, place
from analyzer.fleet.questions.cycles import occurrences
from analyzer.fleet.questions.graphs import PLAIN, Graphs
from analyzer.fleet.questions.statements import statement_at, unknown_of
from analyzer.fleet.values import AnswerOfCatalog, Occurrence
from analyzer.linter.choice import Choice
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from analyzer.linter.run import run
from analyzer.model.catalog import Catalog
from analyzer.model.statements import Record

# What the question of cycles says in a canonical way.
OF_CYCLES = ("CG201", "CG301")

# Shorter titles are part of too many words.
SHORT = 3


@dataclass(frozen=True, slots=True)
class Lint:
    """The question of `catgraph fleet lint`: rules by code or prefix, as `catgraph lint` has them.

    The manifests that a catalog names are not read: they are those of another machine.
    """

    by_content: ClassVar[bool] = True

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: tuple[tuple[str, str], ...] = ()
    puppet_version: int = 8
    graphs: Graphs = PLAIN

    @property
    def key(self) -> str:
        """Return the name with the options."""
        options = f"{self.select} {self.ignore} {self.severity} {self.puppet_version}"
        return f"lint {options} {self.graphs.state}"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the findings in one catalog."""
        graph = self.graphs.of(catalog)
        rules = rules_of(self.select, self.ignore, self.severity)
        codes = {rule.code for rule in rules}
        found = [one for one in occurrences(graph, name) if one.code in codes]
        compiled = Compiled(
            name, graph, catalog.record or Record(), self.puppet_version, False, 0, frozenset(),
            lambda file: None,
        )  # fmt: skip
        told = run([rule for rule in rules if rule.code not in OF_CYCLES], [compiled])
        choice = choice_of(self.select, self.ignore, self.severity)
        findings = choice.reported([one.finding for one in told])
        found += [occurrence(one, catalog, name) for one in findings]
        return AnswerOfCatalog(
            tuple(sorted(found, key=lambda o: (o.code, o.key, o.path))), unknown_of(graph)
        )


def choice_of(
    select: tuple[str, ...], ignore: tuple[str, ...], severity: tuple[tuple[str, str], ...]
) -> Choice:
    """Return the user's choice of rules."""
    return Choice(select, ignore, dict(severity))  # type: ignore[arg-type]


@lru_cache(maxsize=4)
def rules_of(
    select: tuple[str, ...], ignore: tuple[str, ...], severity: tuple[tuple[str, str], ...]
) -> list[Rule]:
    """Return the rules about catalogs that are chosen.

    Raises:
        InputError: a code is that of no rule.
    """
    chosen = choice_of(select, ignore, severity).rules(all_rules())
    return [rule for rule in chosen if rule.on in (Compiled, Failure)]


def occurrence(finding: Finding, catalog: Catalog, name: str) -> Occurrence:
    """Return a finding as a cause: the places of its steps are statements too."""
    # Of the findings of one statement, the same one whatever the order of the catalog.
    one = min((finding, *finding.also), key=lambda f: (RANK[f.severity], f.refs, f.message))
    phrase, names = phrase_of(one.message, one.refs)
    made = [statement_at(catalog, one.span, phrase, names, name)]
    made += [statement_at(catalog, step.span, "", (), name) for step in one.steps if step.span]
    unique = {statement.key: statement for statement in reversed(made)}
    path = tuple(fold(ref, name) for ref in one.refs)
    return Occurrence(one.code, finding.severity, tuple(reversed(unique.values())), path)


def phrase_of(message: str, refs: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return a message with places for its references, and for titles that stand alone."""
    names: list[str] = []
    for text in candidates(refs):
        if text in message:
            message = message.replace(text, place(len(names)))
            names.append(text)
    return message, tuple(names)


def candidates(refs: tuple[str, ...]) -> Iterator[str]:
    """Yield references, longest first, then the titles that are long enough to be recognised."""
    known = sorted(set(refs), key=lambda ref: (-len(ref), ref))
    yield from known
    titles = {ref.partition("[")[2][:-1] for ref in known}
    yield from sorted(filter(lambda t: len(t) > SHORT, titles), key=lambda t: (-len(t), t))
