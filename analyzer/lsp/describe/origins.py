"""Describes where values come from, from traced compiles."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.frontends.puppet.origins.telling import OriginRow
from analyzer.lsp.describe.catalogs import merged, place
from analyzer.lsp.reference.documentation import plain
from analyzer.lsp.state.snapshot import Snapshot


def origin(snapshot: Snapshot, path: str, ref: str, name: str) -> list[str]:
    """Return where the value of an attribute or variable comes from, by catalog."""
    traced, _ = snapshot.traced.get(path, ((), 0))
    return merged(
        (one.name, list(items(snapshot, one.origins.get((ref, name), ())))) for one in traced
    )


def items(snapshot: Snapshot, rows: tuple[OriginRow, ...]) -> Iterator[str]:
    """Yield the items of a list of the rows of a value, each with its own causes below it."""
    item: list[str] = []
    for row in rows:
        if item and not row.depth:
            yield "\n".join(item)
            item = []
        where = place(snapshot, row.span)
        text = plain(row.text) + (f" at {where}" if where else "")
        item.append(f"{'  ' * row.depth}- {text}" if item else f"comes from {text}")
    if item:
        yield "\n".join(item)
