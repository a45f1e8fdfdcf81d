"""Selection ranges: the word, its expression, the statements around it, the whole file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.lsp.index.tokens import closings
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

Piece = tuple[int, int]


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.SelectionRange]:
    """Return for each position the pieces around it, each inside the next one."""
    places = getattr(asked.params, "positions", None)
    offsets = [snapshot.offset(asked.path, one) for one in places or ()] or [asked.start]
    first, last = min(offsets), max(offsets)
    pieces = {one for one in pieces_of(snapshot, asked) if one[0] <= last and one[1] >= first}
    return [chain(snapshot, asked.path, pieces, offset) for offset in offsets]


def chain(snapshot: Snapshot, path: str, pieces: set[Piece], offset: int) -> types.SelectionRange:
    """Return the pieces around an offset; of two that overlap, the shorter one."""
    around = [piece for piece in pieces if piece[0] <= offset <= piece[1] and piece[0] < piece[1]]
    nested: list[Piece] = []
    for piece in sorted(around, key=lambda piece: (piece[1] - piece[0], piece)):
        if not nested or (piece[0] <= nested[-1][0] and piece[1] >= nested[-1][1]):
            nested.append(piece)
    found: types.SelectionRange | None = None
    for start, end in reversed(nested):
        found = types.SelectionRange(snapshot.range(path, start, end), found)
    return found or types.SelectionRange(snapshot.range(path, offset, offset))


def pieces_of(snapshot: Snapshot, asked: EditorRequest) -> Iterator[Piece]:
    """Yield the pieces of a file: names, statements, brackets and the contents of brackets."""
    yield 0, len(asked.text)
    for symbol in asked.facts.symbols:
        yield symbol.start, symbol.end
        yield symbol.first, symbol.last
    if not asked.path.endswith((".pp", ".epp")):
        return
    tokens = snapshot.tokens(asked.path)
    for (_, _, start, length), closing in zip(tokens, closings(tokens, asked.text), strict=True):
        yield start, start + length
        if 0 < closing < len(tokens):
            last = tokens[closing][2]
            yield start, last + tokens[closing][3]
            yield start + length, last
    tree = snapshot.checked(asked.path).tree
    if tree is not None:
        yield from ((node.offset, node.offset + node.length) for node in nodes(tree))


def nodes(tree: Any) -> Iterator[Node]:
    """Yield the nodes of a tree."""
    pending = [tree]
    while pending:
        one = pending.pop()
        if isinstance(one, list | tuple):
            pending += one
        if hasattr(one, "offset") and hasattr(one, "length"):
            yield one
