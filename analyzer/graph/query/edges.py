"""Queries over relationships and containments: `edges where kind = notify and from type = File`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analyzer.graph.cycles.statements import Row, relationship_of
from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import AUTOREQUIRE, CONTAINMENT, INWARD
from analyzer.graph.query.ast import Compare, Name, Relation
from analyzer.graph.query.compare import test_of
from analyzer.graph.query.evaluate import Evaluation, OfResources, QueryMatches, widened
from analyzer.graph.query.refusal import refuse
from analyzer.graph.query.world import GraphProperties, Ids
from analyzer.model.relationship import Relationship


@dataclass(frozen=True, slots=True)
class EdgeField:
    """A row: the word, its description, its texts for an edge, and how they are compared."""

    name: str
    what: str
    texts: Callable[[Relationship], list[str]]
    style: str = "exact"


@dataclass(frozen=True, slots=True)
class EdgeProperty:
    """A row: the word, its description, and its test."""

    name: str
    what: str
    holds: Callable[[Relationship], bool]


def origins(edge: Relationship) -> list[str]:
    """Return the forms in which an edge was written."""
    return [edge.origin.form, *(["arrow"] if edge.origin.arrow else [])]


def places(edge: Relationship) -> list[str]:
    """Return the file of the statement that made an edge, with and without the line."""
    span = edge.origin.span
    return [] if span is None else [span.file, f"{span.file}:{span.line}"]


def lines(edge: Relationship) -> list[str]:
    """Return the line of the statement that made an edge."""
    span = edge.origin.span
    return [str(span.line)] if span and span.line else []


def given(text: str | None) -> list[str]:
    """Return a text as a list; an empty list if it is missing."""
    return [] if text is None else [text]


FIELDS = {
    row.name: row
    for row in (
        EdgeField("kind", "before, notify or contains", lambda e: [e.kind], "word"),
        EdgeField(
            "origin",
            "require, before, ..., autorequire, ..., generate, containment, arrow",
            origins,
            "word",
        ),
        EdgeField("rule", "the rule of an automatic relationship", lambda e: given(e.origin.rule)),
        EdgeField(
            "source", "the resource applied first, as a reference", lambda e: [str(e.source)]
        ),
        EdgeField(
            "target", "the resource applied second, as a reference", lambda e: [str(e.target)]
        ),
        EdgeField("file", "the file of the statement that made it", places, "path"),
        EdgeField("line", "the line of that statement", lines),
        EdgeField("exporter", "the node that exported it", lambda e: given(e.origin.exported_by)),
    )
}

PROPERTIES = {
    row.name: row
    for row in (
        EdgeProperty("automatic", "Puppet added it automatically", lambda e: e.origin.automatic),
        EdgeProperty("event", "it passes refresh events on", lambda e: e.event),
    )
}

# The words, and the role of X in the edge.
RELATIONS = {
    "from": "starts at a resource of X",
    "to": "ends at a resource of X",
    "between": "starts and ends at resources of X",
}


class OfEdges(Evaluation):
    """A query over the edges of a graph, which have the numbers of their rows."""

    def __init__(self, text: str, world: GraphProperties, absent_ok: bool = False) -> None:
        self.rows = rows_of(world.kernel)
        super().__init__(text, set(range(len(self.rows))), "word for edges")
        self.resources = OfResources(text, world, absent_ok)
        self.warnings = self.resources.warnings

    def edge(self, number: int) -> Relationship:
        """Return an edge by its number; edges are built on demand, as there may be millions."""
        return relationship_of(self.resources.world.provenance, self.rows[number])

    def compare(self, asked: Compare) -> QueryMatches:
        field = FIELDS.get(asked.name.text.lower())
        if field is None:
            self.unknown_word(asked.name, FIELDS)
        fits = test_of(self.text, asked, field.style)
        return QueryMatches({n for n in self.everything if fits(field.texts(self.edge(n)))}, set())

    def relate(self, asked: Relation) -> QueryMatches:
        name = asked.name.text.lower()
        if name not in RELATIONS or len(asked.operands) != 1:
            self.unknown_word(asked.name, RELATIONS)
        if asked.of_it:
            refuse(self.text, asked.name.column, f"'{name} it:' is about resources, not edges")
        if asked.depth is not None:
            refuse(self.text, asked.name.column, f"'{name}' takes no number of steps")
        return widened(lambda ids: self.at(name, ids), self.resources.find(asked.operands[0]))

    def at(self, name: str, ids: Ids) -> Ids:
        """Return the edges at some resources."""
        ends = ((n, *ends_of(self.rows[n])) for n in self.everything)
        return {
            n
            for n, source, target in ends
            if (name == "to" or source in ids) and (name == "from" or target in ids)
        }

    def named(self, ref: Name) -> Ids:
        refuse(
            self.text,
            ref.column,
            f"an edge is not a resource; write 'from {ref.text}' or 'to {ref.text}'",
        )

    def hold(self, name: Name) -> Ids:
        row = PROPERTIES.get(name.text.lower())
        if row is None:
            for table, said in (
                (FIELDS, "'{0}' needs a comparison: {0} = ..."),
                (RELATIONS, "'{0}' needs a resource or a query: {0} Service[ntp]"),
            ):
                if name.text.lower() in table:
                    refuse(self.text, name.column, said.format(name.text))
            self.unknown_word(name, [*PROPERTIES, *FIELDS, *RELATIONS])
        return {n for n in self.everything if row.holds(self.edge(n))}


def rows_of(kernel: Kernel) -> list[Row]:
    """Return relationships, then containments, each sorted by target, then by source."""
    made: list[Row] = [
        (label, i, position, other)
        for i, label, ids in kernel.declared
        for position, other in enumerate(ids)
    ]
    made += [(label, s, t, rule) for s, t, label, rule in kernel.automatic]
    made.sort(key=lambda row: ends_of(row)[::-1])
    return made + [(CONTAINMENT, x, v) for x, vs in kernel.contents.items() for v in vs]


def ends_of(row: Row) -> tuple[int, int]:
    """Return the source and the target of a row."""
    label = row[0]
    if label >= AUTOREQUIRE:
        return row[1], row[2]
    return (row[3], row[1]) if label in INWARD else (row[1], row[3])
