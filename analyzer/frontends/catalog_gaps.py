"""Reads the keys that `catgraph compile` adds to a catalog.

`incomplete` lists what the compile could not know, `automatic` the automatic relationships that it
has read in Ruby.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.model.automatic import ALL_READ, TypeRelation
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.source import Span

KINDS = frozenset({"autorequire", "autosubscribe", "autobefore", "autonotify", ALL_READ})


def read_compile(catalog: Catalog, body: dict[str, object]) -> None:
    """Take what a compile by catgraph says besides into a catalog."""
    catalog.gaps = gaps_of(body.get("incomplete"))
    catalog.relations = tuple(relations_of(body.get("automatic")))


def gaps_of(rows: object) -> list[Gap]:
    """Return the gaps that the key `incomplete` of a catalog lists."""
    return [gap_of(row) for row in rows] if isinstance(rows, list) else []


def gap_of(row: object) -> Gap:
    """Return one gap; a malformed one counts too, because something is unknown."""
    given = row if isinstance(row, dict) else {}
    kind, name, reason, hint, file = (
        given[key] if isinstance(given.get(key), str) else ""
        for key in ("kind", "name", "reason", "hint", "file")
    )
    line, column = (given[key] if type(given.get(key)) is int else 0 for key in ("line", "column"))
    span = Span(file, line, column) if file else None
    hides = given.get("hides") is not False
    made: Any = kind or "undecided"
    return Gap(made, name or "something", reason or "it is not said why", span, hint, hides)


def relations_of(rows: object) -> Iterator[TypeRelation]:
    """Yield the automatic relationships that the key `automatic` lists, without malformed ones."""
    for row in rows if isinstance(rows, list) else []:
        given = row if isinstance(row, dict) else {}
        words = [given.get(key) for key in ("type", "kind", "target", "file")]
        titles = given.get("titles")
        if all(isinstance(word, str) for word in words) and isinstance(titles, dict):
            type, kind, target, file = map(str, words)
            named = {
                ref: tuple(map(str, one)) for ref, one in titles.items() if isinstance(one, list)
            }
            if kind in KINDS:
                yield TypeRelation(type, kind, target, named, source=file)
