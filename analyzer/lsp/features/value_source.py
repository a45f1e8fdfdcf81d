"""Go to the source of a value: the line of data or code that a variable or attribute has it from.

It needs a traced compile. Editors call this method "go to type definition"; Puppet has no other
use for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from lsprotocol import types

from analyzer.frontends.puppet.origins.telling import OriginRow
from analyzer.lsp.describe.titles import refs_of
from analyzer.lsp.index.facts import IndexedSymbol, IndexedUse
from analyzer.lsp.state.paths import uri_of
from analyzer.lsp.state.snapshot import EditorRequest, FoundSymbol, Snapshot
from analyzer.lsp.state.traced import Named
from analyzer.model.names import canonical_ref
from analyzer.source import Span

VALUES = ("parameter", "variable")


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.Location]:
    """Return the sources of the value at a position: of all catalogs, each once."""
    found: dict[Span, None] = {}
    traced, _ = snapshot.traced.get(asked.path, ((), 0))
    for named, own in names_at(snapshot, asked):
        for one in traced:
            found |= dict.fromkeys(sources(one.origins.get(named, ()), own))
    return [location(span) for span in found]


def names_at(snapshot: Snapshot, asked: EditorRequest) -> Iterator[tuple[Named, str]]:
    """Yield the variables of classes, or the attributes, at a position; each with its place."""
    use = asked.facts.use_at(asked.start)
    symbol = asked.facts.symbol_at(asked.start)
    if use is not None and use.kind == "attribute":
        yield from attributes_at(snapshot, asked, use)
    elif use is not None and use.kind == "variable":
        for one in snapshot.meaning(asked.path, use):
            yield from variable_of(snapshot, one)
    elif symbol is not None:
        yield from variable_of(snapshot, FoundSymbol(asked.path, symbol))


def attributes_at(
    snapshot: Snapshot, asked: EditorRequest, use: IndexedUse
) -> Iterator[tuple[Named, str]]:
    """Yield the attributes of the resources that a statement declares."""
    inside = [
        one
        for one in asked.facts.symbols
        if one.kind == "resource" and one.first <= use.start and use.end <= one.last
    ]
    for one in inside[-1:]:
        for ref in refs_of(snapshot, asked, one):
            yield (ref, use.name.rpartition("/")[2]), place_at(snapshot, asked.path, use.start)


def variable_of(snapshot: Snapshot, found: FoundSymbol) -> Iterator[tuple[Named, str]]:
    """Yield the variable of a class that a declaration is."""
    symbol: IndexedSymbol = found.symbol
    symbols = snapshot.facts(found.path).symbols
    owner = symbols[symbol.within] if symbol.within >= 0 else None
    if symbol.kind in VALUES and owner is not None and owner.kind == "class":
        ref = canonical_ref("class", owner.name)
        yield (ref, symbol.name), place_at(snapshot, found.path, symbol.start)


def place_at(snapshot: Snapshot, path: str, offset: int) -> str:
    """Return a file and a line."""
    return f"{path}:{snapshot.position(path, offset).line + 1}"


def sources(rows: Iterable[OriginRow], own: str) -> Iterator[Span]:
    """Yield the places nearest to a value, but not its own declaration."""
    others = [
        (row.depth, row.span)
        for row in rows
        if row.span is not None and f"{os.path.abspath(row.span.file)}:{row.span.line}" != own
    ]
    nearest = min((depth for depth, _ in others), default=0)
    yield from (span for depth, span in others if depth == nearest)


def location(span: Span) -> types.Location:
    """Return the location of a place; of data it is the line."""
    at = types.Position(max((span.line or 1) - 1, 0), max((span.column or 1) - 1, 0))
    return types.Location(uri_of(os.path.abspath(span.file)), types.Range(at, at))
