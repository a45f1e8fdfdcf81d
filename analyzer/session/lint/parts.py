"""Divides the work of a lint into parts, for this process and for others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from math import inf
from os.path import realpath
from typing import Any

from analyzer.compiles.exchange import Collects
from analyzer.compiles.overlay import Overlay
from analyzer.diagnostics import InputError
from analyzer.limits import spent
from analyzer.linter.packing import Run, pack, unpack
from analyzer.linter.puppet.compiles import Program, are_of_moment
from analyzer.linter.rule import Rule
from analyzer.reading import CLOCK, note, noting
from analyzer.session.lint.compiles import Compiles
from analyzer.session.lint.inputs import LintPart, is_document
from analyzer.session.workers import Workers

# The most manifests, and compiles, of one part: the first part is done before any work is shared.
FILES, COMPILES = 25, 8

# The packed results of a part, the files that were read for them, and the manifests of each compile
# (None if its results depend on other compiles).
Manifests = Mapping[str, frozenset[str]]
Answer = tuple[list[Any] | None, Mapping[str, str], Manifests | None]


@dataclass(frozen=True, slots=True)
class Divided:
    """A program whose compiles are divided, with its path and number; see `LintPart`."""

    path: str
    number: int
    program: Program
    classes: tuple[str, ...] = ()

    def parts(self, names: Sequence[str]) -> Iterator[LintPart]:
        """Yield the parts that the names of compiles are divided into."""
        for start in range(0, len(names), COMPILES):
            yield LintPart(
                self.path, self.number, tuple(names[start : start + COMPILES]), self.classes
            )


def parts_of(files: Sequence[str]) -> Iterator[LintPart]:
    """Yield the parts that manifests are divided into."""
    for start in range(0, len(files), FILES):
        yield LintPart("", -1, tuple(files[start : start + FILES]))


def answer_of(program: Program, made: Iterable[Run]) -> Answer:
    """Return the results of a part, none if they depend on other nodes."""
    program.divided = True
    try:
        with noting() as read:
            found = [pack(run) for run in made]
    except Collects:
        return None, read, None
    finally:
        program.divided = False
    manifests, program.manifests = program.manifests, {}
    if program.apart:
        return found, read, manifests
    return found, read | ({CLOCK: ""} if are_of_moment(manifests) else {}), None


class Shared:
    """The results of programs whose compiles were divided among processes."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = {rule.code: rule for rule in rules}
        self.found: dict[int, tuple[list[Run] | None, list[Mapping[str, str]]]] = {}

    def make(
        self,
        divided: Iterable[Divided],
        wanted: Callable[[Program], Collection[str] | None],
        workers: Workers[LintPart, Answer],
        here: Callable[[LintPart], Answer],
        limit: float = 0,
    ) -> None:
        """Compile the wanted nodes or classes of programs, except those with invalid inputs.

        `wanted` gives the names of compiles, None for all. After a `limit` of CPU seconds of this
        process (0: none) the others are too late.
        """
        first: dict[Program, Mapping[str, str]] = {}
        programs: dict[LintPart, Program] = {}
        for one in divided:
            with suppress(InputError):
                some = wanted(one.program)
                # The program reads the manifests to find names, and then no more.
                with noting() as first[one.program]:
                    names = one.program.names_in(Overlay()) if some is None or some else []
                names = [name for name in names if some is None or name in some]
                programs |= dict.fromkeys(one.parts(names), one.program)
        parts = [*programs]
        answers = in_time(zip(parts, workers.each(parts, here), strict=False), limit)
        late = {*parts}
        for program, group in groupby(answers, lambda one: programs[one[0]]):
            rows = [*group]
            late -= {part for part, _ in rows}
            # Files that were already read here are not read again.
            reads = [first[program], *(read for _, (_, read, _) in rows)]
            runs: list[Run] | None = None
            if all(found is not None for _, (found, *_) in rows):
                runs = [unpack(one, self.rules) for _, (found, *_) in rows for one in found or ()]
                for _, (*_, manifests) in rows:
                    program.apart = program.apart and manifests is not None
                    program.manifests |= manifests or {}
            self.found[id(program)] = runs, reads
        for part in parts:
            if part in late:
                runs, _ = self.found.setdefault(id(programs[part]), ([], []))
                if runs is not None:
                    runs += programs[part].too_late(part.names)

    def take(self, program: Program) -> list[Run] | None:
        """Take the results of a program, None if there are none; record their files as read."""
        runs, reads = self.found.pop(id(program), (None, ()))
        for read in reads:
            note(read)
        return runs


def in_time(
    answers: Iterator[tuple[LintPart, Answer]], limit: float
) -> Iterator[tuple[LintPart, Answer]]:
    """Yield answers until this process has spent so many CPU seconds; 0: without limit."""
    end = spent() + limit if limit else inf
    for one in answers:
        yield one
        if spent() > end:
            return


def programs_in(compiles: Compiles) -> Iterator[Divided]:
    """Yield the programs of the inputs that can be read, each once."""
    done: set[str] = set()
    for path in compiles.request.paths:
        with suppress(InputError):
            programs = [] if is_document(path) or compiles.is_policy(path) else compiles.of(path)
            for number, program in enumerate(programs):
                place = realpath(program.path)
                if place not in done:
                    done.add(place)
                    yield Divided(path, number, program)
