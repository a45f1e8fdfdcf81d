"""Resources in the catalogs compiled last, with their direct dependencies and dependents."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from lsprotocol import types

from analyzer.lsp.index.facts import IndexedSymbol, IndexedUse
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.snapshot import EditorRequest, FoundSymbol, Snapshot
from analyzer.model.refs import ResourceRef
from analyzer.model.relationship import Relationship
from analyzer.source import Span, line_starts, place_of

# Containers that have no place in the order.
OUTERMOST = ("Stage[main]", "Class[Main]")


class NeighbourEdge(NamedTuple):
    """An edge to or from a resource, or to or from `through`, which is one of its containers."""

    ref: str
    through: str
    edge: Relationship


def resources_at(snapshot: Snapshot, asked: EditorRequest) -> list[str]:
    """Return the references in the catalogs of the resources at a position, or around it."""
    facts, pictures = asked.facts, snapshot.pictures.get(asked.path, ())
    use = facts.use_at(asked.start)
    named: IndexedUse | IndexedSymbol | None = facts.symbol_at(asked.start)
    if use is not None and use.kind in ("resource", "class", "inherits"):
        named = use
    if named is None or named.kind not in ("resource", "class", "inherits"):
        around = (facts.symbols[number] for number in facts.around(asked.start))
        named = next((one for one in around if one.kind == "resource"), None)
    if named is None:
        return []
    name = named.name if named.kind == "resource" else f"class[{named.name}]"
    found = [ref for one in pictures for ref in one.resources if same(ref, name)]
    if not found and isinstance(named, IndexedSymbol):
        line = place_of(asked.text, named.start)[0]
        kind = name.partition("[")[0]
        at = [ref for one in pictures for ref in one.at(asked.path, line)]
        found = [ref for ref in at if ref.lower().startswith(f"{kind}[")]
    return [*dict.fromkeys(found)]


def same(ref: str, name: str) -> bool:
    """Return whether a reference matches a name of the index, such as `file[/etc/motd]`."""
    kind, _, title = ref.partition("[")
    other, _, wanted = name.partition("[")
    if kind.lower() != other:
        return False
    return title == wanted or (kind == "Class" and title.lower() == wanted)


def around(picture: CatalogPicture, ref: str) -> list[str]:
    """Return a resource and its containers, without the outermost ones."""
    found = []
    one: str | None = ref
    while one is not None and one not in OUTERMOST and one not in found:
        found.append(one)
        one = picture.container.get(one)
    return found


def hops(
    pictures: Iterable[CatalogPicture], refs: Collection[str], *, before: bool
) -> Iterator[NeighbourEdge]:
    """Yield the edges to resources and their containers, or from them; each once."""
    seen: set[tuple[str, str]] = set()
    for picture in pictures:
        there = [ref for ref in refs if ref in picture.resources]
        own = {ResourceRef.parse(one): one for ref in there for one in around(picture, ref)}
        for edge in picture.relationships if own else ():
            here, other = (edge.target, edge.source) if before else (edge.source, edge.target)
            if here in own and other not in own and (str(other), own[here]) not in seen:
                seen.add((str(other), own[here]))
                yield NeighbourEdge(str(other), own[here], edge)


def place_in_text(snapshot: Snapshot, span: Span) -> tuple[str, types.Range]:
    """Return the file of a place, and the range from its column to the end of the line."""
    path = os.path.abspath(span.file)
    text = snapshot.text(path)
    starts = line_starts(text)
    line = max(1, min(span.line, len(starts) - 1))
    row = text[starts[line - 1] : starts[line] - 1]
    begin = span.column - 1 if span.column else len(row) - len(row.lstrip())
    start = starts[line - 1] + min(max(begin, 0), len(row))
    return path, snapshot.range(path, start, starts[line - 1] + len(row.rstrip()))


def place_of_resource(snapshot: Snapshot, path: str, ref: str) -> tuple[str, types.Range] | None:
    """Return the file and the range of a resource's declaration, as seen from a file."""
    if ref.startswith("Class["):
        name = ref[6:-1].lower()
        for found in snapshot.find("class", name, path)[:1]:
            return found.path, range_of(snapshot, found)
    for picture in snapshot.pictures.get(path, ()):
        span = picture.resources.get(ref)
        if span is not None:
            return place_in_text(snapshot, span)
    return None


def range_of(snapshot: Snapshot, found: FoundSymbol) -> types.Range:
    """Return the range of a declaration's name."""
    return snapshot.range(found.path, found.symbol.start, found.symbol.end)


def shown_place(snapshot: Snapshot, span: Span | None) -> str:
    """Return a file's path below its workspace folder, with the line."""
    if span is None:
        return ""
    path = os.path.abspath(span.file)
    for root in snapshot.roots:
        path = path.removeprefix(os.path.join(root, ""))
    return f"{path}:{span.line}"
