"""Type hierarchy: the class that a class inherits from, and those that inherit from it."""

from __future__ import annotations

import os

from lsprotocol import types

from analyzer.lsp.features.definition import declarations
from analyzer.lsp.features.occurrences import children
from analyzer.lsp.index.facts import IndexedUse
from analyzer.lsp.state.paths import path_of
from analyzer.lsp.state.snapshot import EditorRequest, FoundSymbol, Snapshot


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.TypeHierarchyItem] | None:
    """Return the classes at a position."""
    found = [one for one in declarations(snapshot, asked) if one.symbol.kind == "class"]
    return [item(snapshot, one) for one in found] or None


def supertypes(snapshot: Snapshot, asked: EditorRequest) -> list[types.TypeHierarchyItem]:
    """Return the class that a class inherits from, if its declaration is known."""
    return [
        item(snapshot, parent)
        for one in classes_of(snapshot, asked.params.item)
        for use in parents(snapshot, one)
        for parent in snapshot.meaning(one.path, use)
    ]


def subtypes(snapshot: Snapshot, asked: EditorRequest) -> list[types.TypeHierarchyItem]:
    """Return the classes that inherit from a class."""
    found = classes_of(snapshot, asked.params.item)
    return [item(snapshot, child) for one in found for child in children(snapshot, one)]


def parents(snapshot: Snapshot, one: FoundSymbol) -> list[IndexedUse]:
    """Return the use of a name after `inherits`, if there is one."""
    facts = snapshot.facts(one.path)
    number = facts.symbols.index(one.symbol)
    return [use for use in facts.uses if use.kind == "inherits" and use.within == number]


def classes_of(snapshot: Snapshot, item: types.TypeHierarchyItem) -> list[FoundSymbol]:
    """Return the declarations of the class of an item."""
    path = path_of(item.uri) or ""
    return [*snapshot.declared(path, "class", item.name)]


def item(snapshot: Snapshot, found: FoundSymbol) -> types.TypeHierarchyItem:
    """Return a class as editors show it."""
    symbol = found.symbol
    return types.TypeHierarchyItem(
        name=symbol.name,
        kind=types.SymbolKind.Class,
        uri=snapshot.uri(found.path),
        range=snapshot.range(found.path, symbol.first, symbol.last),
        selection_range=snapshot.range(found.path, symbol.start, symbol.end),
        detail=os.path.basename(found.path),
    )
