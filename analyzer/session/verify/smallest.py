"""The smallest case of a difference: one program, data and facts, without private names."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.diagnostics import InputError
from analyzer.formats.yaml_reader import load
from analyzer.model.certnames import EXAMPLE_NODE, certname_of
from analyzer.model.documents import JsonObject
from analyzer.reading import noting, read_text
from analyzer.session.verify.cases import Bench, Case
from analyzer.session.verify.documents import VerifyDifference
from analyzer.session.verify.names import without_names
from analyzer.session.verify.shrink import shrink, tidy
from analyzer.session.verify.trees import fewest_entries

# Seconds for each cause.
SHRINK_SECONDS = 120.0
OF_DATA = (".yaml", ".yml", ".json")

NOT_ALONE = "no single manifest with the code that the node reaches shows it"
LATE = "the time for making it smaller ended"
NEEDS_FOLDER = "it needs the data of the environment"
NEEDS_MODULES = "it needs the modules"


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest case found, its difference, and what keeps it from being smaller."""

    case: Case
    difference: VerifyDifference
    notes: tuple[str, ...] = ()


class CaseSearch:
    """The search for the smallest case of a kind of difference."""

    def __init__(self, bench: Bench, kind: str, seconds: float = SHRINK_SECONDS) -> None:
        self.bench = bench
        self.kind = kind
        self.end = time.monotonic() + seconds

    @property
    def late(self) -> bool:
        """Return whether the time is up."""
        return time.monotonic() > self.end

    def shows(self, case: Case, kind: str = "") -> bool:
        """Return whether a case shows the difference; none does when the time is up."""
        return not self.late and self.difference_of(case, kind) is not None

    def difference_of(self, case: Case, kind: str = "") -> VerifyDifference | None:
        """Return the difference of this kind that a case shows."""
        found = self.bench.compare(case)
        return None if found is None else found.causes.get(kind or self.kind)

    def first_that_shows(self, cases: Sequence[Case]) -> Case | None:
        """Return the first case that shows the difference, None if there is none."""
        return next(filter(self.shows, cases), None)

    def smallest(self, whole: Case, levels: tuple[JsonObject, ...]) -> Smallest | str:
        """Return the smallest case that is found, or why there is none.

        `levels` are the files of data that the node reads.
        """
        case = self.first_that_shows(list(starts(whole, levels)))
        if case is None:
            return NOT_ALONE
        case = self.shrunk(case)
        neat = replace(case, code=tidy(case.code))
        case = neat if self.shows(neat) else case
        case, kind, needed = without_names(case, self.kind, self.shows)
        notes = [f"names that it needs: {', '.join(needed)}"] if needed else []
        notes += [NEEDS_FOLDER] if case.folder else []
        notes += [NEEDS_MODULES] if case.modulepath else []
        notes += [LATE] if self.late else []
        difference = self.difference_of(case, kind)
        return NOT_ALONE if difference is None else Smallest(case, difference, tuple(notes))

    def shrunk(self, case: Case) -> Case:
        """Return a case with less of its program, data and facts."""
        before = None
        while before != case:
            before = case
            case = self.with_less(case, lambda one, code: replace(one, code=code), case.code)
            kept = fewest_entries(list(case.levels), self.holds_with(case, "levels"))
            case = replace(case, levels=tuple(kept))
            facts = fewest_entries(case.facts, self.holds_with(case, "facts"))
            case = replace(case, facts=facts)
            others = [
                replace(case, node=EXAMPLE_NODE),
                replace(case, modulepath=()),
                replace(case, folder=""),
            ]
            case = self.first_that_shows([one for one in others if one != case]) or case
        return case

    def with_less(self, case: Case, made: Callable[[Case, str], Case], code: str) -> Case:
        """Return a case with a smaller program."""
        return made(case, shrink(code, lambda text: self.shows(made(case, text))))

    def holds_with(self, case: Case, name: str) -> Callable[[object], bool]:
        """Return the test of other data or facts of a case."""

        def holds(value: object) -> bool:
            given = tuple(value) if isinstance(value, list) else value
            return self.shows(replace(case, **{name: given}))  # type: ignore[arg-type]

        return holds


def starts(whole: Case, levels: tuple[JsonObject, ...]) -> Iterator[Case]:
    """Yield cases to begin with, those that need least first."""
    alone = replace(whole, folder="")
    plain = replace(alone, modulepath=())
    yield replace(plain, facts={})
    yield plain
    if levels:
        yield replace(plain, facts={}, levels=levels)
        yield replace(plain, levels=levels)
    yield alone
    if levels:
        yield replace(alone, levels=levels)
    yield whole


def case_of(run: CompileRun, target: Target, result: CompileResult, code: str | None) -> Case:
    """Return a node as a case: the manifests that it reaches as one program."""
    environment = run.plan.codebases[target.codebase].environment
    first = [] if code is not None else list(environment.manifests)
    files = dict.fromkeys([*first, *sorted(result.reads.used)])
    texts = [code] if code is not None else []
    for file in files:
        if os.path.isfile(file):
            texts.append(read_text(file, "replace"))
    # Without links to modules that are elsewhere, which the text replaces.
    return Case(
        "\n".join(text.rstrip("\n") for text in texts) + "\n",
        certname_of(target.node),
        dict(run.facts_of(target) or {}),
        (),
        environment.folder or "",
        tuple(os.path.abspath(folder) for folder in environment.modulepath),
    )


def levels_of(compile_again: Callable[[], object]) -> tuple[JsonObject, ...]:
    """Return the files of data that a compile reads, in their order."""
    with noting() as noted:
        compile_again()
    levels = []
    for mark in noted:
        # What was looked for in the data of a file is noted with it.
        file, _, kind = mark.partition("\0")
        if not (file and kind and file.endswith(OF_DATA)):
            continue
        try:
            value = load(read_text(file), file)
        except (OSError, ValueError, InputError):
            continue
        if isinstance(value, dict) and value:
            levels.append(value)
    return tuple(levels)
