"""Hover: the meaning of the name at a place, and its effects in the catalogs compiled last."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from lsprotocol import types

from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.lsp.describe import catalogs, definitions, values
from analyzer.lsp.describe.catalogs import code
from analyzer.lsp.describe.origins import origin
from analyzer.lsp.describe.titles import refs_of
from analyzer.lsp.index.facts import IndexedSymbol, IndexedUse
from analyzer.lsp.reference.definitions import shortened
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.snapshot import EditorRequest, FoundSymbol, Snapshot
from analyzer.model.names import canonical_ref

ARROWS = frozenset({"IN_EDGE", "IN_EDGE_SUB", "OUT_EDGE", "OUT_EDGE_SUB"})
COLLECTS = frozenset({"LCOLLECT", "LLCOLLECT"})


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.Hover | None:
    """Return the hover of the name, arrow or collector at a position, None if there is none."""
    if not asked.path.endswith((".pp", ".epp")):
        return None
    for look in (sign, fact, name):
        rows, start, end = look(snapshot, asked)
        text = "\n\n".join(filter(None, rows)).strip()
        if text:
            contents = types.MarkupContent(types.MarkupKind.Markdown, text)
            return types.Hover(contents, snapshot.range(asked.path, start, end))
    return None


Rows = tuple[list[str], int, int]


def fact(snapshot: Snapshot, asked: EditorRequest) -> Rows:
    """Return the hover of a fact in brackets."""
    at = asked.start
    return values.fact_at(snapshot, asked.path, asked.text, at), at, at


def name(snapshot: Snapshot, asked: EditorRequest) -> Rows:
    """Return the hover of a name."""
    use = asked.facts.use_at(asked.start)
    if use is not None:
        return USES.get(use.kind, nothing)(snapshot, asked, use), use.start, use.end
    symbol = asked.facts.symbol_at(asked.start)
    if symbol is None:
        return [], asked.start, asked.start
    return declaration(snapshot, asked, symbol), symbol.start, symbol.end


def nothing(snapshot: Snapshot, asked: EditorRequest, use: IndexedUse) -> list[str]:
    """Return no hover: another feature shows such a use better."""
    return []


def sign(snapshot: Snapshot, asked: EditorRequest) -> Rows:
    """Return the hover of an arrow or a collector."""
    for number, token, following in around(snapshot, asked):
        kind, start, end = token[0], token[2], token[2] + token[3]
        if kind in ARROWS:
            return ["\n".join(catalogs.arrow_at(snapshot, asked.path, start))], start, end
        if kind in COLLECTS or (following and following[0] in COLLECTS):
            tokens = snapshot.tokens(asked.path)
            first = token if kind == "CLASSREF" else tokens[number - 1]
            return ["\n".join(catalogs.collector_at(snapshot, asked.path, first[2]))], start, end
    return [], asked.start, asked.start


def around(snapshot: Snapshot, asked: EditorRequest) -> Iterator[tuple[int, Token, Token | None]]:
    """Yield the tokens at a position, each with its number and the next one."""
    tokens = snapshot.tokens(asked.path)
    for number, token in enumerate(tokens):
        if token[2] <= asked.start <= token[2] + token[3]:
            yield number, token, tokens[number + 1] if number + 1 < len(tokens) else None


def declaration(snapshot: Snapshot, asked: EditorRequest, symbol: IndexedSymbol) -> list[str]:
    """Return the hover of the declaration at a position."""
    found = FoundSymbol(asked.path, symbol)
    if symbol.kind == "resource":
        return resource(snapshot, asked.path, [*refs_of(snapshot, asked, symbol)])
    if symbol.kind in ("parameter", "variable"):
        return values.variable(snapshot, symbol.name, [found], asked.path)
    if symbol.kind in ("class", "define", "function", "plan", "type"):
        rows = definitions.definition(snapshot, found, asked.path)
        return rows + class_in_catalogs(snapshot, asked.path, symbol)
    return []


def resource(snapshot: Snapshot, path: str, refs: list[str]) -> list[str]:
    """Return the descriptions of some resources in the catalogs."""
    rows: list[str] = []
    for ref in refs:
        found = catalogs.by_catalog(snapshot, path, partial(catalogs.resource_in, snapshot, ref))
        rows.append(f"**{code(ref)}**")
        rows.append(
            "\n".join(found)
            or catalogs.none_compiled(snapshot, path, "No compiled catalog has it.")
        )
    return rows


def class_in_catalogs(snapshot: Snapshot, path: str, symbol: IndexedSymbol) -> list[str]:
    """Return the description of a class that is declared here in the catalogs."""
    if symbol.kind != "class":
        return []
    ref = canonical_ref("class", symbol.name)
    found = catalogs.by_catalog(snapshot, path, partial(catalogs.resource_in, snapshot, ref))
    return ["\n".join(found)]


def of_definition(snapshot: Snapshot, asked: EditorRequest, use: IndexedUse) -> list[str]:
    """Return the hover of a class, define, type or alias that is used."""
    for found in snapshot.meaning(asked.path, use):
        return definitions.definition(snapshot, found, asked.path)
    known: list[str] = []
    if use.kind == "type" and use.name != "class":
        known = definitions.resource_type(snapshot, use.name, asked.path)
    return known or definitions.of_missing_module(snapshot, use, asked.path)


def of_function(snapshot: Snapshot, asked: EditorRequest, use: IndexedUse) -> list[str]:
    """Return the hover of a function."""
    known = definitions.function(snapshot, use.name, asked.path)
    return known or definitions.of_missing_module(snapshot, use, asked.path)


def of_resource(snapshot: Snapshot, asked: EditorRequest, use: IndexedUse) -> list[str]:
    """Return the hover of a resource that is referred to."""
    kind, _, title = use.name[:-1].partition("[")
    return resource(snapshot, asked.path, [canonical_ref(kind, title)])


def of_attribute(snapshot: Snapshot, asked: EditorRequest, use: IndexedUse) -> list[str]:
    """Return the hover of an attribute, and the automatic edges that it makes."""
    owner, _, name = use.name.rpartition("/")
    rows = definitions.attribute(snapshot, owner, name, asked.path)
    inside = [s for s in asked.facts.symbols if s.kind == "resource" and covers(s, use)]
    refs = [ref for one in inside[-1:] for ref in refs_of(snapshot, asked, one)]
    for ref in refs:
        say = attribute_in(ref, name)
        rows.append("\n".join(catalogs.by_catalog(snapshot, asked.path, say)))
        rows.append("\n".join(origin(snapshot, asked.path, ref, name)))
    return rows


def covers(symbol: IndexedSymbol, use: IndexedUse) -> bool:
    """Return whether a use is inside the declaration of a resource."""
    return symbol.first <= use.start and use.end <= symbol.last


def attribute_in(ref: str, name: str) -> Callable[[CatalogPicture], list[str]]:
    """Return a function from a catalog to the value of an attribute and its automatic edges."""

    def say(picture: CatalogPicture) -> list[str]:
        value = catalogs.value_in(picture, ref, name)
        rows = [] if value is None else [f"{code(name)} of {code(ref)} is {code(shortened(value))}"]
        return rows + catalogs.automatic_at(picture, ref, name)

    return say


def of_variable(snapshot: Snapshot, asked: EditorRequest, use: IndexedUse) -> list[str]:
    """Return the hover of a variable."""
    if use.name in INSIDE:
        return [f"{code('$' + use.name)}: {INSIDE[use.name]}"]
    found = snapshot.meaning(asked.path, use)
    if (
        not found
        and "::" not in use.name
        and use.name in values.names_of_facts(snapshot, asked.path)
    ):
        return values.fact_rows(snapshot, asked.path, [use.name])
    return values.variable(snapshot, use.name, found, asked.path)


def of_key(snapshot: Snapshot, asked: EditorRequest, use: IndexedUse) -> list[str]:
    """Return the hover of a key of data: the files that set it."""
    rows = values.data_rows(snapshot, use.name, asked.path)
    listed = "\n".join(f"- {row}" for row in rows)
    return [f"key {code(use.name)}", listed or "no data file of the workspace has it"]


# The variables that Puppet sets in every scope.
INSIDE = {
    "environment": "the name of the environment",
    "facts": "the facts of the node, by name",
    "module_name": "the module of this code",
    "name": "the name of this class or resource",
    "server_facts": "facts of the server that compiles",
    "title": "the title of this class or resource",
    "trusted": "what the node's certificate says: `certname`, `domain`, `extensions`",
}

USES: dict[str, Callable[[Snapshot, EditorRequest, IndexedUse], list[str]]] = {
    "attribute": of_attribute,
    "class": of_definition,
    "function": of_function,
    "inherits": of_definition,
    "key": of_key,
    "resource": of_resource,
    "type": of_definition,
    "variable": of_variable,
}
