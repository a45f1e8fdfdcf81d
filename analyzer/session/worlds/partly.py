"""Finds definitions of the code itself of which the searches took only some arms.

A node takes the arms that its own values choose, and its facts change few of them. Such a class or
defined type is searched by itself, too: its parameters are inputs there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from analyzer.compiles.own_code import Definition
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.facts import files_of_nodes
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.frontends.puppet.worlds.extents import extents_in
from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.linter.texts import read

# The most nodes whose facts definitions are searched with.
FEW = 3

BRANCH = re.compile(r"(?:if|elsif|unless|case)\b")

# The number of arms of each construct, and those that were taken.
Arms = Mapping[Place, tuple[int, frozenset[int]]]
# Returns the definitions of the code itself that are in some files, or in any (None).
Own = Callable[[Collection[str] | None], Iterable[Definition]]


def partly_taken(
    searched: Sequence[Arms], own: Own, done: Collection[str], *, is_whole: bool
) -> tuple[str, ...]:
    """Return the names of definitions with an arm that no search took, without those in `done`.

    `is_whole`: the searches evaluated all definitions that a node has.
    """
    offsets: dict[str, list[int]] = defaultdict(list)
    for file, offset in untaken(searched):
        offsets[file].append(offset)
    if not is_whole:
        met = {place for arms in searched for place in arms}
        for file in {one.span.file for one in own(None)}:
            unmet = (offset for offset in branches_in(file) if (file, offset) not in met)
            offsets[file].extend(unmet)
    starts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in own([file for file, left in offsets.items() if left]):
        starts[one.span.file].append((one.span.line or 0, one.name))
    names: set[str] = set()
    for file, rows in starts.items():
        rows.sort()
        for line in lines_of(file, offsets[file]):
            at = bisect_right(rows, line, key=lambda row: row[0])
            names.update(name for _, name in rows[max(0, at - 1) : at])
    return tuple(sorted(names.difference(done)))


def branches_in(file: str) -> Iterator[int]:
    """Yield the offsets of the `if`, `unless` and `case` of a manifest."""
    text = read(file) or ""
    tree = check_cached(text, file, cache=user_cache()).tree if BRANCH.search(text) else None
    for offset, _ in extents_in(tree) if tree is not None else ():
        if BRANCH.match(text, offset):
            yield offset


def settings_of(settings: Settings, names: tuple[str, ...]) -> Settings:
    """Return the settings to search definitions by themselves: with facts of nodes, if given."""
    facts = settings.facts
    if settings.facts_dir and not facts:
        facts = tuple(islice(files_of_nodes(settings.facts_dir).values(), FEW))
    return replace(settings, classes=names, facts=facts)


def lines_of(file: str, offsets: Iterable[int]) -> Iterator[int]:
    """Yield the lines of offsets in a file."""
    text = read(file) or ""
    yield from (text.count("\n", 0, offset) + 1 for offset in offsets)


def untaken(searched: Iterable[Arms]) -> list[Place]:
    """Return the constructs with an arm that no search took."""
    left: dict[Place, set[int]] = {}
    for arms in searched:
        for place, (count, taken) in arms.items():
            left.setdefault(place, set(range(count))).difference_update(taken)
    return [place for place, arms in left.items() if arms]
