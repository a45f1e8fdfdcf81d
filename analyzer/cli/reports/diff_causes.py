"""The changed lines behind differences, for the reports of `catgraph diff`."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.export.redact import HIDDEN
from analyzer.model.nouns import counted
from analyzer.model.secrets import is_secret
from analyzer.session.attribution.alterations import (
    ADDED,
    CYCLE,
    MISSING,
    NODE,
    ORDER,
    OTHER,
    PARAMETER,
    POSITION,
    RELATIONSHIP,
    REMOVED,
    Alteration,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.model.documents import JsonObject
    from analyzer.session.attribution.attribute import Cause
    from analyzer.session.attribution.edits import Piece, Place
    from analyzer.session.attribution.trees import Tree

# Marks of secrets in code and in data.
MARKS = ("Sensitive", "ENC[")
# Nodes that are named, and characters of a changed line.
NAMED, LONG = 3, 70
# Differences that follow from those of resources: only their number is shown beside these.
FOLLOWING = {
    RELATIONSHIP: "relationship",
    ORDER: "ordering",
    POSITION: "other position",
}


@dataclass(frozen=True, slots=True)
class CauseRow:
    """A cause: the places of its lines, each with the text, and what it changed by nodes."""

    places: tuple[tuple[str, str], ...]
    effects: tuple[tuple[str, tuple[str, ...]], ...]


def cause_rows(causes: Sequence[Cause], trees: tuple[Tree, Tree], nodes: int) -> list[CauseRow]:
    """Return the causes in words; nodes are named where there are several."""
    return [
        CauseRow(
            tuple(place_of(piece, trees, hidden=has_secret(cause)) for piece in cause.pieces),
            tuple(effects_of(cause, several=nodes > 1)),
        )
        for cause in causes
    ]


def has_secret(cause: Cause) -> bool:
    """Return whether the lines may have a secret: they are behind a value that is one."""
    return any(one.secret for rows in cause.effects.values() for one in rows)


def place_of(piece: Piece, trees: tuple[Tree, Tree], *, hidden: bool) -> tuple[str, str]:
    """Return the place of changed lines, and the first of them."""
    if piece.module:
        return trees[1].shown(piece.new.name), piece.module
    if not piece.new_lines:
        line = first_line(piece.old_lines, hidden=hidden)
        return lines_text(piece.old, trees[0]), f"removed: {line}"
    if piece.moved:
        return lines_text(piece.new, trees[1]), f"moved from {lines_text(piece.old, trees[0])}"
    return lines_text(piece.new, trees[1]), first_line(piece.new_lines, hidden=hidden)


def lines_text(place: Place, tree: Tree) -> str:
    """Return lines as a place: a file with the first and the last of them."""
    last = f"-{place.last}" if place.last > place.first else ""
    return f"{tree.shown(place.name)}:{place.first}{last}"


def first_line(lines: Sequence[str], *, hidden: bool) -> str:
    """Return the first line with text, unless it may have a secret."""
    text = next((line.strip() for line in lines if line.strip()), "")
    if hidden or is_secret(text) or any(mark in text for mark in MARKS):
        return HIDDEN
    return text if len(text) <= LONG else f"{text[:LONG]}..."


def effects_of(cause: Cause, *, several: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the differences in words, for the names of the nodes that have the same ones."""
    together: dict[tuple[str, ...], list[str]] = {}
    for name, rows in cause.effects.items():
        together.setdefault(tuple(words_of(rows)), []).append(name)
    for lines, names in together.items():
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        yield (", ".join(names[:NAMED]) + more if several else ""), lines


def words_of(rows: Sequence[Alteration]) -> Iterator[str]:
    """Yield differences in words, those of one resource together."""
    by_ref: dict[str, list[str]] = {}
    for one in rows:
        if one.kind in (PARAMETER, OTHER):
            by_ref.setdefault(one.ref, []).append(one.name)
        elif one.kind in (ADDED, REMOVED):
            by_ref.setdefault(one.ref, []).append(one.kind)
    own = [f"{ref} {', '.join(names)}" for ref, names in by_ref.items()]
    own += [sentence(one) for one in rows if one.kind in (NODE, CYCLE, MISSING)]
    yield from own
    for kind, noun in FOLLOWING.items():
        for gained in (True, False):
            some = [one for one in rows if one.kind == kind and one.gained is gained]
            if own and some:
                yield f"{counted(len(some), noun)}{verb(kind, gained=gained)}"
            else:
                yield from map(sentence, some)


def verb(kind: str, *, gained: bool) -> str:
    """Return the verb of differences that are counted."""
    return "" if kind == POSITION else " gained" if gained else " lost"


def sentence(one: Alteration) -> str:
    """Return a difference in words."""
    if one.kind == NODE:
        return f"node {one.ref} {'added' if one.gained else 'removed'}"
    word = "gained" if one.gained else "lost"
    if one.kind == CYCLE:
        state = "new" if one.gained else "former"
        return f"{state} dependency cycle of {counted(len(one.refs), 'resource')}, {one.ref}"
    if one.kind == MISSING:
        return f"{one.refs[0]} {one.name}: missing {one.refs[1]} {word}"
    if one.kind == POSITION:
        return f"{one.ref} applied at another position"
    middle = "before" if one.kind == ORDER else "=>"
    return f"{FOLLOWING[one.kind]} {word}: {one.refs[0]} {middle} {one.refs[1]}"


def cause_data(causes: Sequence[Cause], trees: tuple[Tree, Tree], name: str) -> list[JsonObject]:
    """Return the causes of the differences of a node for JSON."""
    return [
        {
            "lines": [piece_data(piece, trees) for piece in cause.pieces],
            "changes": [
                {
                    "kind": one.kind,
                    "refs": list(one.refs),
                    "parameter": one.name or None,
                    "gained": one.gained,
                }
                for one in cause.effects[name]
            ],
        }
        for cause in causes
        if name in cause.effects
    ]


def piece_data(piece: Piece, trees: tuple[Tree, Tree]) -> JsonObject:
    """Return changed lines for JSON: on both sides, None on a side without them."""
    sides: JsonObject = {}
    for key, place, tree, lines in (
        ("old", piece.old, trees[0], piece.old_lines),
        ("new", piece.new, trees[1], piece.new_lines),
    ):
        there = {"file": tree.shown(place.name), "line": place.first, "last": place.last}
        sides[key] = there if lines else None
    return {**sides, "module": piece.module or None, "moved": piece.moved}
