"""Go to definition: from a name to where it is declared.

Classes, defines, functions, types, variables, resources, attributes of defines, templates and
files, keys of data; and from a key in data to the parameter that it sets, and back.
"""

from __future__ import annotations

from lsprotocol import types

from analyzer.lsp.features import value_source
from analyzer.lsp.state.snapshot import EditorRequest, FoundSymbol, Snapshot


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.Location]:
    """Return the locations of the declarations of the name at a position, none if it is unknown.

    From the declaration of a parameter or variable it goes on to the source of the value.
    """
    own = [snapshot.location(found) for found in declarations(snapshot, asked)]
    return own if asked.facts.use_at(asked.start) else value_source.answer(snapshot, asked) or own


def declarations(snapshot: Snapshot, asked: EditorRequest) -> list[FoundSymbol]:
    """Return the declarations of the name at a position."""
    use = asked.facts.use_at(asked.start)
    if use is not None:
        return snapshot.meaning(asked.path, use)
    symbol = asked.facts.symbol_at(asked.start)
    if symbol is None:
        return []
    if symbol.kind == "key":
        return parameter_of(snapshot, asked.path, symbol.name) or [FoundSymbol(asked.path, symbol)]
    return [FoundSymbol(asked.path, symbol)]


def parameter_of(snapshot: Snapshot, path: str, key: str) -> list[FoundSymbol]:
    """Return the parameter of a class that a key of data sets."""
    owner, _, name = key.removeprefix("::").rpartition("::")
    classes = snapshot.find("class", owner, path) if owner else []
    return [found for one in classes for found in snapshot.members(one, name, ("parameter",))]
