"""Describes resources, arrows and collectors in the last compiled catalogs as Markdown."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import lru_cache
from types import CodeType
from typing import Any

from analyzer.escape import shown
from analyzer.graph.automatic.rules import AutoRelation
from analyzer.graph.phrases import word
from analyzer.lsp.checks.shown import below_roots
from analyzer.lsp.reference.documentation import plain
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.model.relationship import Relationship
from analyzer.model.statements import Operand
from analyzer.source import Span, place_of

NOT_EVALUATED = "No compiled catalog evaluates this."

# The most catalogs, edges and resources that one hover names.
MOST_CATALOGS, MOST_EDGES, MOST_FOUND = 3, 6, 8


def code(text: str) -> str:
    """Return a name as code, fenced by more backticks than any run in it."""
    line = shown(text)
    fence = "`"
    while fence in line:
        fence += "`"
    inner = f" {line} " if line.startswith("`") or line.endswith("`") else line
    return f"{fence}{inner}{fence}"


def place(snapshot: Snapshot, span: Span | None) -> str:
    """Return a place, with a path relative to the workspace."""
    if span is None or not span.file:
        return ""
    return plain(below_roots(f"{os.path.abspath(span.file)}:{span.line}", snapshot.roots))


def by_catalog(
    snapshot: Snapshot, path: str, say: Callable[[CatalogPicture], list[str]]
) -> list[str]:
    """Return the descriptions in the catalogs of a file; equal descriptions are merged."""
    return merged((one.name, say(one)) for one in snapshot.pictures.get(path, ()))


def merged(described: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Return the descriptions of catalogs by name; equal descriptions are merged."""
    same: dict[tuple[str, ...], list[str]] = {}
    for name, lines in described:
        if lines:
            same.setdefault(tuple(lines), []).append(name)
    found: list[str] = []
    for rows, names in [*same.items()][:MOST_CATALOGS]:
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        found.append(f"In {', '.join(map(code, names[:3]))}{more}:")
        found += [f"- {row}" for row in rows]
        found.append("")
    left = len(same) - MOST_CATALOGS
    if left > 0:
        found.append(f"{left} more catalogs differ." if left > 1 else "1 more catalog differs.")
    return found


def none_compiled(snapshot: Snapshot, path: str, otherwise: str) -> str:
    """Return why the catalogs of a file have no description."""
    compiled = bool(snapshot.pictures.get(path))
    return otherwise if compiled else "No catalog with this file is compiled yet."


def unknown(picture: CatalogPicture) -> list[str]:
    """Return a row of text for a catalog that is partly unknown."""
    return [] if picture.complete else ["part of this catalog is unknown, so there may be more"]


def resource_in(snapshot: Snapshot, ref: str, picture: CatalogPicture) -> list[str]:
    """Describe a resource in a catalog: its place, its dependencies, its dependents."""
    if ref not in picture.resources:
        return []
    rows = [turn_of(picture, ref)]
    container = picture.container.get(ref)
    if container:
        rows.append(f"in {code(container)}")
    edges = [
        edge
        for one in around(picture, ref)
        for edge in picture.before(one)
        if edge.kind != "contains"
    ]
    rows += waits(snapshot, ref, edges[:MOST_EDGES])
    if len(edges) > MOST_EDGES:
        rows.append(f"and {len(edges) - MOST_EDGES} more edges to it")
    detail = picture.details.get(ref)
    if not picture.order:
        return rows
    if detail is not None and detail.skipped:
        more = detail.skipped - len(detail.first)
        names = ", ".join(map(code, detail.first)) + (f" and {more} more" if more else "")
        rows.append(f"if it fails, {counted(detail.skipped)} skipped: {names}")
    elif detail is not None:
        rows.append("if it fails, nothing is skipped")
    return rows + unknown(picture)


def counted(number: int) -> str:
    """Return a number of resources with the matching verb."""
    return "1 resource is" if number == 1 else f"{number:,} resources are"


def turn_of(picture: CatalogPicture, ref: str) -> str:
    """Return the place of a resource in the order."""
    if not picture.order:
        return "there is no order: the catalog has a cycle"
    place, last = picture.turn.get(ref), len(picture.turn)
    if place:
        return f"number {place:,} of {last:,} in the order"
    inside = [turn for one, turn in picture.turn.items() if ref in around(picture, one)]
    if not inside:
        return "it has no resources of its own"
    if len(inside) == 1:
        return f"its only resource is number {inside[0]:,} of {last:,} in the order"
    first, end = min(inside), max(inside)
    between = "" if end - first < len(inside) else ", with others between them"
    many = f"its {len(inside):,} resources are numbers {first:,} to {end:,}"
    return f"{many} of {last:,} in the order{between}"


def around(picture: CatalogPicture, ref: str) -> list[str]:
    """Return a resource and its containers, the innermost first."""
    found: list[str] = []
    container: str | None = ref
    while container is not None and container not in found:
        found.append(container)
        container = picture.container.get(container)
    return found


def waits(snapshot: Snapshot, ref: str, edges: Iterable[Relationship]) -> list[str]:
    """Return the dependencies of a resource or its containers, with their statements."""
    rows = []
    for edge in edges:
        rule = f" ({edge.origin.rule})" if edge.origin.rule else ""
        where = place(snapshot, edge.origin.span)
        at = f" at {where}" if where else ""
        target = str(edge.target)
        whole = "" if target == ref else f" as all of {code(target)}"
        rows.append(f"waits for {code(str(edge.source))}{whole}: `{word(edge)}`{rule}{at}")
    return rows


def arrow_at(snapshot: Snapshot, path: str, offset: int) -> list[str]:
    """Return the edges that the arrow at an offset makes."""
    at = place_of(snapshot.text(path), offset)

    def say(picture: CatalogPicture) -> list[str]:
        rows: dict[str, None] = {}
        for chain in picture.chains:
            for number, link in enumerate(chain.links):
                if (link.span.line, link.span.column) == at:
                    left, right = chain.operands[number : number + 2]
                    first, second = (right, left) if link.reversed else (left, right)
                    rows.update(dict.fromkeys(edges_between(first, second, event=link.event)))
        return [*rows, *unknown(picture)] if rows else []

    return by_catalog(snapshot, path, say) or [none_compiled(snapshot, path, NOT_EVALUATED)]


def edges_between(first: Operand, second: Operand, *, event: bool) -> list[str]:
    """Return the edges from one operand to another."""
    verb = "notifies" if event else "is before"
    count = len(first.refs) * len(second.refs)
    if not count:
        return [f"no edge: {code((second if first.refs else first).text)} finds nothing"]
    pairs = [(a, b) for a in first.refs[:MOST_FOUND] for b in second.refs[:MOST_FOUND]]
    rows = [f"{code(a)} {verb} {code(b)}" for a, b in pairs[:MOST_FOUND]]
    return rows + ([f"and {count - len(rows):,} more edges"] if count > len(rows) else [])


def collector_at(snapshot: Snapshot, path: str, offset: int) -> list[str]:
    """Return the resources that the collector at an offset finds."""
    at = place_of(snapshot.text(path), offset)

    def say(picture: CatalogPicture) -> list[str]:
        rows: list[str] = []
        for one in picture.collections:
            if (one.span.line, one.span.column) == at:
                rows += found_by(one.found, one.realized)
        return rows + unknown(picture) if rows else []

    return by_catalog(snapshot, path, say) or [none_compiled(snapshot, path, NOT_EVALUATED)]


def found_by(found: tuple[str, ...], realized: tuple[str, ...]) -> list[str]:
    """Return the resources that a collector found."""
    if not found:
        return ["it finds nothing"]
    names = ", ".join(map(code, found[:MOST_FOUND]))
    more = f" and {len(found) - MOST_FOUND:,} more" if len(found) > MOST_FOUND else ""
    virtual = f"; {len(realized)} of them were virtual" if realized else ""
    return [f"it finds {len(found):,}: {names}{more}{virtual}"]


def value_in(picture: CatalogPicture, ref: str, name: str) -> str | None:
    """Return the value of an attribute in a catalog, None if it is not known there."""
    detail = picture.details.get(ref)
    return None if detail is None else detail.values.get(name)


def automatic_at(picture: CatalogPicture, ref: str, name: str) -> list[str]:
    """Return the automatic edges that an attribute makes.

    Their rule reads the attribute, and the attribute's value names the other resource.
    """
    value = value_in(picture, ref, name) or ref.partition("[")[2][:-1]
    rows = []
    for edge in picture.relationships:
        source, target = str(edge.source), str(edge.target)
        if not edge.origin.automatic or ref not in (source, target):
            continue
        other = source if target == ref else target
        read = read_by_rule(edge.origin.rule or "")
        if (not read or name in read) and title_of(other) in value:
            rows.append(f"{code(target)} waits for {code(source)}, because of {code(name)} "
                        f"({edge.origin.form}, rule: {edge.origin.rule})")  # fmt: skip
    return rows


def title_of(ref: str) -> str:
    """Return the title in a reference."""
    return ref.partition("[")[2][:-1]


@lru_cache(maxsize=256)
def read_by_rule(rule: str) -> frozenset[str]:
    """Return the words in the selector of an automatic rule: the attributes that it reads."""
    from analyzer.graph.automatic import core, modules

    rows: tuple[AutoRelation, ...] = (*core.ROWS, *modules.ROWS)
    return frozenset(one for row in rows if row.id == rule for one in words_in(row.selector))


def words_in(value: Any) -> set[str]:
    """Return the strings in a function's constants and closure."""
    if isinstance(value, str):
        return {value}
    found: set[str] = set()
    if isinstance(value, tuple | frozenset):
        for one in value:
            found |= words_in(one)
    elif isinstance(value, CodeType):
        found |= words_in(value.co_consts)
    elif callable(value) and hasattr(value, "__code__"):
        found |= words_in(value.__code__.co_consts[1:])
        found |= words_in(tuple(cell.cell_contents for cell in value.__closure__ or ()))
    return found
