"""The outline of a file: its declarations, each below the declaration that contains it."""

from __future__ import annotations

from lsprotocol import types

from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

Kind = types.SymbolKind

KINDS: dict[str, types.SymbolKind] = {
    "body": Kind.Struct,
    "bundle": Kind.Class,
    "class": Kind.Class,
    "define": Kind.Struct,
    "fact": Kind.Constant,
    "function": Kind.Function,
    "key": Kind.Key,
    "node": Kind.Module,
    "parameter": Kind.Property,
    "plan": Kind.Function,
    "policy class": Kind.Boolean,
    "policy variable": Kind.Variable,
    "promise": Kind.Object,
    "resource": Kind.Object,
    "ruby function": Kind.Function,
    "ruby type": Kind.Struct,
    "type": Kind.TypeParameter,
    "variable": Kind.Variable,
}


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.DocumentSymbol]:
    """Return the outermost symbols with their children; lambdas have no entry of their own."""
    outermost: list[types.DocumentSymbol] = []
    inside: dict[int, list[types.DocumentSymbol]] = {-1: outermost}
    for number, symbol in enumerate(asked.facts.symbols):
        around = inside.get(symbol.within, outermost)
        if symbol.kind not in KINDS:
            inside[number] = around
            continue
        made = shown(snapshot, asked.path, symbol)
        around.append(made)
        inside[number] = made.children = []
    return outermost


def shown(snapshot: Snapshot, path: str, symbol: IndexedSymbol) -> types.DocumentSymbol:
    """Return a symbol as editors show it; the range of its name must be inside its whole range."""
    first, last = min(symbol.first, symbol.start), max(symbol.last, symbol.end)
    return types.DocumentSymbol(
        name=f"${symbol.name}" if symbol.kind in ("parameter", "variable") else symbol.name,
        kind=KINDS[symbol.kind],
        range=snapshot.range(path, first, last),
        selection_range=snapshot.range(path, symbol.start, symbol.end),
        detail=symbol.kind,
    )
