"""Inlay hints: places in the order, and the values of parameters in the chosen node.

They are off unless the option `inlayHints` is true. The command `catgraph.chooseWorld` chooses a
node by name, and the facts that files are compiled with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from analyzer.escape import shown
from analyzer.lsp.features.table import CommandOptions
from analyzer.lsp.index.facts import IndexedSymbol, IndexedUse
from analyzer.lsp.reference.definitions import shortened
from analyzer.lsp.reference.metaparameters import RELATIONSHIPS
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot
from analyzer.model.names import canonical_ref
from analyzer.source import place_of

# The tokens that end a value, and the literals, which need no hint.
ENDS = frozenset({"COMMA", "RBRACE", "SEMIC", None})
LITERAL = frozenset({"STRING", "NUMBER", "NAME", "BOOLEAN", "UNDEF", "DEFAULT"})


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.InlayHint]:
    """Return the hints of a range, none if they are disabled or there is no catalog."""
    picture = chosen(snapshot, asked.path)
    if picture is None or not snapshot.options.get("inlayHints"):
        return []
    found = [*places(asked, picture), *attributes(snapshot, asked, picture)]
    found += parameters(snapshot, asked, picture)
    rows = [(at, text) for at, text in found if asked.start <= at <= asked.end]
    return [
        types.InlayHint(snapshot.position(asked.path, at), text, padding_left=True)
        for at, text in sorted(rows)
    ]


def chosen(snapshot: Snapshot, path: str) -> CatalogPicture | None:
    """Return the catalog of the chosen node, else the first one."""
    pictures = snapshot.pictures.get(path, ())
    node = str(snapshot.options.get("node") or "")
    named = [one for one in pictures if node and node in one.name]
    return next(iter((*named, *pictures)), None)


def ref_of(asked: EditorRequest, picture: CatalogPicture, symbol: IndexedSymbol) -> str | None:
    """Return the resource that a title declares, None if several match a computed title."""
    kind, _, title = symbol.name[:-1].partition("[")
    if "$" not in title:
        ref = canonical_ref(kind, title)
        return ref if ref in picture.resources else None
    begin = canonical_ref(kind, "")[:-1]
    line = place_of(asked.text, symbol.start)[0]
    found = [ref for ref in picture.at(asked.path, line) if ref.startswith(begin)]
    return found[0] if len(found) == 1 else None


def declared(asked: EditorRequest, picture: CatalogPicture) -> Iterator[tuple[IndexedSymbol, str]]:
    """Yield the titles in the file with their resources."""
    for symbol in asked.facts.symbols:
        if symbol.kind == "resource":
            ref = ref_of(asked, picture, symbol)
            if ref is not None:
                yield symbol, ref


def places(asked: EditorRequest, picture: CatalogPicture) -> Iterator[tuple[int, str]]:
    """Yield the place of each resource in the order, to show after its title."""
    for symbol, ref in declared(asked, picture):
        turn = picture.turn.get(ref)
        if turn is not None:
            end = symbol.end + (asked.text[symbol.end : symbol.end + 1] in ("'", '"'))
            yield end, f"{turn} of {len(picture.turn)}"


def attributes(
    snapshot: Snapshot, asked: EditorRequest, picture: CatalogPicture
) -> Iterator[tuple[int, str]]:
    """Yield the values of computed attributes, to show after the names of the attributes."""
    tokens = snapshot.tokens(asked.path)
    after = {a[2]: b[0] for a, b in zip(tokens, tokens[2:], strict=False)}
    following = {a[2]: b[0] for a, b in zip(tokens, tokens[3:], strict=False)}
    resources = [*declared(asked, picture)]
    for use in asked.facts.uses:
        literal = after.get(use.start) in LITERAL and following.get(use.start) in ENDS
        relates = use.name.rpartition("/")[2] in RELATIONSHIPS
        if use.kind != "attribute" or literal or relates:
            continue
        refs = [ref for symbol, ref in resources if within(symbol, use)]
        value = value_of(picture, refs[-1], use) if refs else None
        if value is not None:
            yield use.end, f": {value}"


def within(symbol: IndexedSymbol, use: IndexedUse) -> bool:
    """Return whether a use is inside a declaration."""
    return symbol.first <= use.start and use.end <= symbol.last


def value_of(picture: CatalogPicture, ref: str, use: IndexedUse) -> str | None:
    """Return the value of an attribute, None if it is not known."""
    detail = picture.details.get(ref)
    value = None if detail is None else detail.values.get(use.name.rpartition("/")[2])
    return None if value is None else shown(shortened(value))


def parameters(
    snapshot: Snapshot, asked: EditorRequest, picture: CatalogPicture
) -> Iterator[tuple[int, str]]:
    """Yield the values of the parameters of classes, to show after their names."""
    symbols = asked.facts.symbols
    for symbol in symbols:
        if symbol.kind == "parameter" and symbol.within >= 0:
            owner = symbols[symbol.within]
            if owner.kind == "class":
                value = picture.classes.get(owner.name, {}).get(symbol.name)
                if value is not None:
                    yield symbol.end, f": {shown(shortened(value))}"


def command(snapshot: Snapshot, arguments: list[Any]) -> CommandOptions:
    """Choose a node and a set of facts: `["web1.example.com", "@debian-12"]`.

    An empty text chooses the settings of the configuration.
    """
    node, facts = ([str(one or "") for one in arguments] + ["", ""])[:2]
    return CommandOptions({"node": node, "facts": facts})
