"""Go to implementation: from a class to its heirs, from a type to its providers and uses.

A parameter leads to the keys of data and the attributes that set it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol import types

from analyzer.lsp.features.definition import declarations
from analyzer.lsp.features.occurrences import children, keys_of, places_of
from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.state.snapshot import EditorRequest, FoundSymbol, Snapshot

# The place of types in a module, and that of their providers.
TYPES, PROVIDERS = "/lib/puppet/type/", "/lib/puppet/provider/"


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.Location]:
    """Return the implementations of the name at a position."""
    return [
        snapshot.location(one)
        for found in declarations(snapshot, asked)
        for one in implementations(snapshot, found)
    ]


def implementations(snapshot: Snapshot, found: FoundSymbol) -> Iterator[FoundSymbol]:
    """Yield the implementations of a declaration: itself, if there are no others."""
    kind = found.symbol.kind
    if kind == "class":
        yield from [*children(snapshot, found)] or [found]
    elif kind == "ruby type":
        yield from [*providers(found)] or [found]
    elif kind == "parameter":
        yield from [*values(snapshot, found)] or [found]
    else:
        yield found


def providers(found: FoundSymbol) -> Iterator[FoundSymbol]:
    """Yield the providers of a resource type, in the module that has the type."""
    before, place, _ = found.path.rpartition(TYPES)
    folder = f"{before}{PROVIDERS}{found.symbol.name}"
    if place and os.path.isdir(folder):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".rb"):
                yield FoundSymbol(
                    os.path.join(folder, name), IndexedSymbol("file", name, 0, 0, 0, 0)
                )


def values(snapshot: Snapshot, found: FoundSymbol) -> Iterator[FoundSymbol]:
    """Yield the places that set a parameter."""
    uses = [one for one in places_of(snapshot, found) if one.kind == "attribute"]
    for one in dict.fromkeys([*keys_of(snapshot, found), *uses]):
        yield FoundSymbol(
            one.path, IndexedSymbol(one.kind, "", one.start, one.end, one.start, one.end)
        )
