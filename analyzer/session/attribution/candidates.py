"""The changed lines that differences may come from, by the origins of both sides."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator

from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.origins.contributors import Contributor, reach
from analyzer.frontends.puppet.origins.data import DataPlace
from analyzer.frontends.puppet.origins.explanation import Explanation
from analyzer.frontends.puppet.origins.subjects import DATA, key_at
from analyzer.session.attribution.alterations import PARAMETER, Alteration
from analyzer.session.attribution.edits import Edits, Piece, Place
from analyzer.session.attribution.trees import Tree

# Numbers of pieces, the nearest first.
Ranks = tuple[int, ...]


class Side:
    """The pieces by the places that they have on one side."""

    def __init__(self, tree: Tree, edits: Edits, *, new: bool) -> None:
        self.tree = tree
        self.by_file: dict[str, list[tuple[Place, int]]] = {}
        self.keys: dict[tuple[str, str], list[int]] = {}
        self._names: dict[str, str | None] = {}
        self._starts: dict[int, tuple[Unit, list[int]]] = {}
        for piece in edits.pieces:
            self.add(piece, piece.new if new else piece.old, edits)
        for folder, number in edits.modules.items():
            self.by_file[folder] = [(Place(folder, 0, 0), number)]

    def add(self, piece: Piece, place: Place, edits: Edits) -> None:
        """Add the place of a piece; where it has no lines here, the line before counts too."""
        self.by_file.setdefault(place.name, []).append((place, piece.number))
        if place.name.endswith(DATA):
            json = place.name.endswith(".json")
            lines = piece.new_lines
            text = "".join(lines if len(lines) > len(piece.old_lines) else piece.old_lines)
            count = text.count("\n") + 1
            for line in range(1, min(count, MOST_KEYS) + 1):
                key = key_at(text, line, json=json)
                if key is not None:
                    self.keys.setdefault((place.name, key), []).append(piece.number)
            self.inside(place, piece, edits, json=json)

    def inside(self, place: Place, piece: Piece, edits: Edits, *, json: bool) -> None:
        """Note the key whose value the lines are a part of."""
        text = edits.text_of(place.name)
        key = key_at(text, max(piece.new.first, 1), json=json) if text else None
        if key is not None:
            self.keys.setdefault((place.name, key), []).append(piece.number)

    def name_of(self, file: str) -> str | None:
        """Return the name of a file of the tree by the path that a compile has for it."""
        if file not in self._names:
            path = os.path.join(self.tree.start, file)
            self._names[file] = self.tree.name_of(os.path.realpath(path))
        return self._names[file]

    def pieces_at(self, one: Contributor) -> Iterator[int]:
        """Yield the pieces that a contributor is on, or whose text it has."""
        place = one.value
        if isinstance(place, DataPlace):
            name = self.name_of(place.file) if place.file else None
            if name is not None:
                yield from self.keys.get((name, place.key), ())
            return
        if one.kind == "file":
            name = self.name_of(one.name)
            yield from (number for _, number in self.in_file(name))
            return
        if one.unit is None or not one.unit.file:
            return
        name = self.name_of(one.unit.file)
        changed = self.in_file(name)
        if not changed:
            return
        first, last = self.lines_of(one, one.unit)
        for at, number in changed:
            if (at.first <= last and first <= max(at.last, at.first)) or at.last < 1:
                yield number

    def in_file(self, name: str | None) -> list[tuple[Place, int]]:
        """Return the places of pieces in a file."""
        if name is None:
            return []
        if name not in self.by_file:
            folder = next((one for one in self.by_file if one.endswith("/")
                           and name.startswith(one)), None)  # fmt: skip
            self.by_file[name] = [] if folder is None else self.by_file[folder]
        return self.by_file[name]

    def lines_of(self, one: Contributor, unit: Unit) -> tuple[int, int]:
        """Return the first and the last line of a contributor."""
        found = self._starts.get(id(unit))
        if found is None:
            starts = [0]
            for number, char in enumerate(unit.text):
                if char == "\n":
                    starts.append(number + 1)
            found = self._starts[id(unit)] = unit, starts
        length = max(getattr(one.value, "length", 0), 1)
        text = unit.text[one.offset : one.offset + 200]
        start = one.offset + len(text) - len(text.lstrip())
        end = max(one.offset + length - 1, start)
        return bisect_right(found[1], start), bisect_right(found[1], end)


# Lines of a piece of data that are searched for keys.
MOST_KEYS = 500


def ranks_of(
    rows: list[Alteration],
    old: Explanation | None,
    new: Explanation | None,
    sides: tuple[Side, Side],
) -> dict[Alteration, Ranks]:
    """Return the pieces that each difference may come from."""
    found = {}
    caches: tuple[dict[Contributor, Ranks], ...] = ({}, {})
    for one in rows:
        order = ((new, 1), (old, 0)) if one.gained else ((old, 0), (new, 1))
        ranked: dict[int, None] = {}
        for explanation, number in order:
            if explanation is not None:
                ranked.update(
                    dict.fromkeys(pieces_of(one, explanation, sides[number], caches[number]))
                )
        found[one] = tuple(ranked)
    return found


def pieces_of(
    one: Alteration, explanation: Explanation, side: Side, cache: dict[Contributor, Ranks]
) -> Iterator[int]:
    """Yield the pieces among the origins of a difference in one catalog."""
    starts: list[Contributor] = []
    for ref in one.refs:
        entry = explanation.find(ref)
        if entry is not None:
            starts += starts_of(one, entry, explanation)
    for at in reach(dict.fromkeys(starts)):
        if at not in cache:
            cache[at] = tuple(side.pieces_at(at))
        yield from cache[at]


def starts_of(one: Alteration, entry: Entry, explanation: Explanation) -> Iterator[Contributor]:
    """Yield the nearest origins of a difference of a resource."""
    own = explanation.values.get((id(entry), one.name)) if one.kind == PARAMETER else None
    if own is not None:
        yield from own.everything()
    yield explanation.presence_of(entry)
    yield from explanation.others.get(id(entry), ())
    if own is None:
        for _, trail in explanation.trails(entry):
            yield from trail.everything()
