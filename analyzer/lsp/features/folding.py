"""Folding: brackets and comments that span several lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from analyzer.lsp.index.tokens import closings
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot
from analyzer.source import line_starts, place_of

COMMENTS = re.compile(r"^[ \t]*#[^\n]*(?:\n[ \t]*#[^\n]*)+|/\*.*?\*/", re.MULTILINE | re.DOTALL)

MANIFESTS = (".pp", ".epp")


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.FoldingRange]:
    """Return the foldable ranges in the order of their first lines, one for each first line."""
    found: dict[int, types.FoldingRange] = {}
    for start, end, kind in sorted(pieces(snapshot, asked)):
        first = place_of(asked.text, start)[0] - 1
        last = place_of(asked.text, end)[0] - 1
        if last > first:
            found.setdefault(first, types.FoldingRange(first, last, kind=kind or None))
    return [*found.values()]


def pieces(snapshot: Snapshot, asked: EditorRequest) -> Iterator[tuple[int, int, str]]:
    """Yield the parts that can be folded, with `comment` for a comment."""
    if not asked.path.endswith(MANIFESTS):
        yield from ((symbol.first, symbol.last, "") for symbol in asked.facts.symbols)
        return
    tokens = snapshot.tokens(asked.path)
    texts = [(token[2], token[2] + token[3]) for token in tokens if token[0] == "STRING"]
    for number, closing in enumerate(closings(tokens, asked.text)):
        if 0 < closing < len(tokens):
            start = line_end(asked.text, tokens[closing][2])
            yield tokens[number][2], start, ""
    starts = {start for start, _ in texts}
    for match in COMMENTS.finditer(asked.text):
        if match.start() not in starts and not any(a < match.start() < b for a, b in texts):
            yield match.start(), match.end(), types.FoldingRangeKind.Comment.value


def line_end(text: str, offset: int) -> int:
    """Return the end of the line before an offset: a closing bracket stays visible."""
    starts = line_starts(text)
    return max(0, starts[place_of(text, offset)[0] - 1] - 1)
