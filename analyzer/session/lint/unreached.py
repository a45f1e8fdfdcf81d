"""Compiles the site's own classes and defined types that no node has, for the lint."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from analyzer.compiles.own_code import OwnDefinition
from analyzer.compiles.own_code import rounds_of as compile_rounds
from analyzer.frontends.puppet.failures import TOO_MUCH
from analyzer.linter.checked import CheckedCatalog, definitions_of
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.linter.texts import Names
from analyzer.session.lint.own_code import not_in

Run = Compiled | CheckedCatalog | Refusal | Failure


def rounds_of(
    program: Program,
    own: Sequence[OwnDefinition],
    runs: Sequence[Run],
    compiled: Callable[[Program], list[Run]],
) -> list[tuple[Program, list[Run]]]:
    """Return programs that compile what no catalog has yet, with their results.

    `runs` are the results of `program`; `compiled` returns those of the others.
    """
    found: list[tuple[Program, list[Run]]] = []

    def compile_round(names: tuple[str, ...]) -> set[str]:
        one = program.of_classes(names)
        found.append((one, compiled(one)))
        return names_in(found[-1][1])

    compile_rounds([one.name for one in own], names_in(runs), compile_round)
    return found


def names_in(results: Iterable[object]) -> set[str]:
    """Return the names of the classes and defined types that catalogs have."""
    catalogs = [one for one in results if isinstance(one, Compiled | CheckedCatalog)]
    return {name for one in catalogs for name in definitions_of(one)}


def misplaced(
    program: Program, own: Iterable[OwnDefinition], runs: Iterable[Run], names: Names
) -> Iterator[Program]:
    """Yield programs that compile what no catalog has, each from the file that defines it.

    No time is left for those that were too late at their own place.
    """
    runs = [*runs]
    catalogs = [one for one in runs if isinstance(one, Compiled | CheckedCatalog)]
    late = {one.name for one in runs if isinstance(one, Refusal) and one.error.code == TOO_MUCH}
    left: dict[str, list[str]] = defaultdict(list)
    for one in not_in(own, catalogs, names):
        if f"class {one.name}" not in late:
            left[one.span.file].append(one.name)
    for file, some in left.items():
        if os.path.isfile(file):
            yield program.of_file(file, tuple(some))
