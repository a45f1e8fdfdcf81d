"""Statements of a graph, folded: the places behind edges and resources, in canonical words."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.fleet.fold import fold, place, relative
from analyzer.fleet.values import CauseStatement
from analyzer.graph.cycles.cuts import Cut
from analyzer.graph.phrases import PHRASES
from analyzer.graph.provenance import Hop
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import hiding, statement
from analyzer.model.relationship import Relationship
from analyzer.source import Span


def unknown_of(graph: RelationshipGraph) -> tuple[str, ...]:
    """Return the unknown parts of a catalog that may hide something, as lines."""
    root = f"{graph.catalog.path}/"
    # A revision is compiled in a folder that is another one each time.
    lines = statement(hiding(graph.gaps))
    return tuple(line.replace(root, "").removeprefix("incomplete: ") for line in lines)


def statements_of(
    graph: RelationshipGraph, hops: Iterable[Hop], name: str, cut: Cut | None = None
) -> tuple[CauseStatement, ...]:
    """Return the statements behind the edges of a path, each once; written ones come first.

    Those of the cut of a cycle precede all others, so that `cycles` names the same line.
    """
    edges = [one for hop in hops for one in hop.relationships]
    # Automatic edges and containment are seldom what to remove.
    edges.sort(key=lambda one: bool(one.origin.rule) or one.kind == "contains")
    if cut is not None:
        turn = {key_of(statement.example): n for n, statement in enumerate(cut.statements)}
        edges.sort(key=lambda one: turn.get(key_of(one), len(turn)))
    made = (statement_of(graph, one, name) for one in edges)
    found: dict[object, CauseStatement] = {}
    for one in made:
        found.setdefault(one.key, one)
    return tuple(found.values())


def key_of(made: Relationship) -> tuple[object, ...]:
    """Return a key of the statement behind a relationship: its place, or its ends."""
    origin = made.origin
    return origin.form, origin.span or (made.source, made.target)


def statement_of(graph: RelationshipGraph, made: Relationship, name: str) -> CauseStatement:
    """Return the statement behind a relationship."""
    origin = made.origin
    phrase = PHRASES[origin.form][1].format(place(0), place(1))
    phrase += f" ({origin.rule})" if origin.rule else ""
    return statement_at(
        graph.catalog, origin.span, phrase, (str(made.source), str(made.target)), name
    )


def statement_at(
    catalog: Catalog, span: Span | None, phrase: str, names: tuple[str, ...], name: str
) -> CauseStatement:
    """Return a statement at a place, folded."""
    file, line = (span.file, span.line) if span else ("", 0)
    known = tuple(fold(one, name) for one in names)
    short = relative(file, catalog.environment, catalog.path)
    # What was compiled here is shown as it is in the repository.
    shown = short if file.startswith(f"{catalog.path}/") else file
    return CauseStatement(shown, line, phrase, known, short)
