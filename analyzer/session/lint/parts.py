"""Divides the work of a lint into parts, for this process and for others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from os.path import realpath
from typing import Any

from analyzer.compiles.exchange import Collects
from analyzer.diagnostics import InputError
from analyzer.linter.packing import Run, pack, unpack
from analyzer.linter.puppet.compiles import Program, are_of_moment
from analyzer.linter.rule import Rule
from analyzer.linter.texts import Overlay
from analyzer.reading import CLOCK, note, noting
from analyzer.session.lint.compiles import Compiles
from analyzer.session.lint.inputs import Part, is_document
from analyzer.session.workers import Workers

# The most manifests, and compiles, of one part: the first part is done before any work is shared.
FILES, COMPILES = 25, 8

# The packed results of a part, the files that were read for them, and the manifests of each compile
# (None if its results depend on other compiles).
Manifests = Mapping[str, frozenset[str]]
Answer = tuple[list[Any] | None, Mapping[str, str], Manifests | None]


def parts_of(path: str, number: int, names: Sequence[str], most: int) -> Iterator[Part]:
    """Yield the parts that names are divided into."""
    for start in range(0, len(names), most):
        yield Part(path, number, tuple(names[start : start + most]))


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
        compiles: Compiles,
        wanted: Callable[[Program], Collection[str] | None],
        workers: Workers[Part, Answer],
        here: Callable[[Part], Answer],
    ) -> None:
        """Compile the wanted nodes or classes of programs, except those with invalid inputs.

        `wanted` gives the names of compiles, None for all.
        """
        parts: list[Part] = []
        first: dict[int, Mapping[str, str]] = {}
        for path, number, program in programs_in(compiles):
            with suppress(InputError):
                some = wanted(program)
                if some is None or some:
                    # The program reads the manifests to find names, and then no more.
                    with noting() as first[id(program)]:
                        names = program.names_in(Overlay())
                    names = [name for name in names if some is None or name in some]
                    parts += parts_of(path, number, names, COMPILES)
        answers = zip(parts, workers.each(parts, here), strict=True)
        for (path, number), group in groupby(answers, lambda one: (one[0].path, one[0].number)):
            rows = [answer for _, answer in group]
            # Files that were already read here are not read again.
            reads = [first[id(compiles.of(path)[number])], *(read for _, read, _ in rows)]
            if any(found is None for found, *_ in rows):
                self.found[id(compiles.of(path)[number])] = None, reads
                continue
            runs = [unpack(one, self.rules) for found, *_ in rows for one in found or ()]
            program = compiles.of(path)[number]
            for _, _, manifests in rows:
                program.apart = program.apart and manifests is not None
                program.manifests |= manifests or {}
            self.found[id(program)] = runs, reads

    def take(self, program: Program) -> list[Run] | None:
        """Take the results of a program, None if there are none; record their files as read."""
        runs, reads = self.found.pop(id(program), (None, ()))
        for read in reads:
            note(read)
        return runs


def programs_in(compiles: Compiles) -> Iterator[tuple[str, int, Program]]:
    """Yield the programs of the inputs that can be read, each once, with its path and number."""
    done: set[str] = set()
    for path in compiles.request.paths:
        with suppress(InputError):
            programs = [] if is_document(path) or compiles.is_policy(path) else compiles.of(path)
            for number, program in enumerate(programs):
                place = realpath(program.path)
                if place not in done:
                    done.add(place)
                    yield path, number, program
