"""Compiles the site's own classes and defined types that no node has, each by itself.

A role brings its profiles, and a profile its classes, so they are tried in that order: each round
leaves out what an earlier one has compiled. Those that Puppet does not find by their names, as
their files have others, are compiled from these files.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from analyzer.linter.checked import CheckedCatalog, definitions_of
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.linter.texts import Names
from analyzer.session.lint.own_code import Definition, not_in

Run = Compiled | CheckedCatalog | Refusal | Failure

# The rounds: classes whose names match, from those that bring most others.
ROUNDS = tuple(map(re.compile, (r"roles?(::.*)?", r"(profiles?|site)(::.*)?", r"[^:]*", r".*")))


def rounds_of(
    program: Program,
    own: Sequence[Definition],
    runs: Sequence[Run],
    compiled: Callable[[Program], list[Run]],
) -> Iterator[tuple[Program, list[Run]]]:
    """Yield programs that compile what no catalog has yet, with their results.

    `runs` are the results of `program`; `compiled` returns those of the others.
    """
    left = without({one.name: one for one in own}, names_in(runs))
    for matching in ROUNDS:
        names = tuple(name for name in left if matching.fullmatch(name))
        if names:
            one = program.of_classes(names)
            results = compiled(one)
            yield one, results
            left = without(left, {*names, *names_in(results)})


def without(left: dict[str, Definition], names: Collection[str]) -> dict[str, Definition]:
    """Return definitions without those of some names."""
    return {name: one for name, one in left.items() if name not in names}


def names_in(results: Iterable[object]) -> set[str]:
    """Return the names of the classes and defined types that catalogs have."""
    catalogs = [one for one in results if isinstance(one, Compiled | CheckedCatalog)]
    return {name for one in catalogs for name in definitions_of(one)}


def misplaced(
    program: Program, own: Iterable[Definition], runs: Iterable[Run], names: Names
) -> Iterator[Program]:
    """Yield programs that compile what no catalog has, each from the file that defines it."""
    catalogs = [one for one in runs if isinstance(one, Compiled | CheckedCatalog)]
    left: dict[str, list[str]] = defaultdict(list)
    for one in not_in(own, catalogs, names):
        left[one.span.file].append(one.name)
    for file, some in left.items():
        if os.path.isfile(file):
            yield program.of_file(file, tuple(some))


def own_of(program: Program, own: Iterable[Definition]) -> list[Definition]:
    """Return the definitions that the nodes of a site may use: of its manifests and modules."""
    environment = program.environment
    files = set(map(os.path.realpath, environment.manifests))
    folders = [os.path.join(os.path.realpath(path), "") for path in environment.modulepath]
    return [
        one
        for one in own
        if (file := os.path.realpath(one.span.file)) in files or file.startswith(tuple(folders))
    ]
