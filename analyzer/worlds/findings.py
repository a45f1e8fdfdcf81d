"""The findings of a node's world: cycles, and the error at which Puppet stops."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from analyzer.diagnostics import INTERNAL, CompileError
from analyzer.frontends.puppet.refusals import OF_OTHERS
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.statements import Record
from analyzer.source import Span

Kind = Literal["cycle", "duplicate declaration", "missing target", "error"]

# The beginning of Puppet's message.
DUPLICATE = ("Duplicate declaration: ", "Cannot alias ")
MISSING = re.compile(r"Could not find (resource|dependen(t|cy)) '?(?P<type>\w*)")
# The place of the first declaration: it depends on the order of classes which of the two is first.
BEFORE = re.compile(r"already declared at \(file: (.*?), line: (\d+)")
# Errors about a value that a parameter or a function refuses: the code checks its inputs.
CHECKED = re.compile(r"parameter '.*' (expects|entry)|expects (a|an|one of|no) |has no parameter")


@dataclass(frozen=True, slots=True)
class WorldFinding:
    """A finding in one world. Two findings are one if they share `statements` or `edges`.

    `statements` are the places that cause it, `edges` the pairs of a cycle by name.
    """

    kind: Kind
    message: str
    span: Span | None
    statements: frozenset[str]
    edges: frozenset[tuple[str, str]] = frozenset()
    cycle: Cycle | None = None

    def is_like(self, other: WorldFinding) -> bool:
        """Return whether a finding is the same as one of another world."""
        if self.kind != other.kind:
            return False
        return self.statements == other.statements or (
            bool(self.edges) and self.edges == other.edges
        )


def of_cycle(cycle: Cycle) -> WorldFinding:
    """Return the finding of a cycle."""
    relationships = [r for hop in cycle.hops for r in hop.relationships]
    statements = frozenset(f"{r.origin.span} {r.origin.form}" for r in relationships)
    edges = frozenset((hop.source_name, hop.target_name) for hop in cycle.hops)
    span = next((r.origin.span for r in relationships if r.origin.span), None)
    return WorldFinding("cycle", "dependency cycle", span, statements, edges, cycle)


def in_graph(graph: RelationshipGraph, edges: frozenset[tuple[str, str]]) -> bool:
    """Return whether a graph has all edges of a cycle."""
    left = set(edges)
    for hop in graph.expanded():
        left.discard((hop.source_name, hop.target_name))
        if not left:
            return True
    return False


def of_error(error: CompileError) -> Iterator[WorldFinding]:
    """Yield the finding of a compile that failed, none for `fail` and checks of values.

    Puppet stops at the first error: this world does not show further ones.
    """
    message = " ".join(re.sub(r" for \S+\Z", "", error.message).split())
    kind = kind_of_error(error)
    if kind == "duplicate declaration":
        places = {(error.span.file, str(error.span.line)), *BEFORE.findall(message)}
        statements = frozenset(f"{file}:{line} {kind}" for file, line in places)
        yield WorldFinding(kind, message, error.span, statements)
    elif kind is not None:
        yield WorldFinding(kind, message, error.span, frozenset({f"{error.span} {kind}"}))


def kind_of_error(error: CompileError) -> Kind | None:
    """Return the kind of finding for an error, None if it is not a finding."""
    message = error.message
    if error.refusal or error.code == INTERNAL:
        return None
    if message.startswith(DUPLICATE):
        return "duplicate declaration"
    if MISSING.match(message):
        return "missing target"
    return None if OF_OTHERS.search(message) or CHECKED.search(message) else "error"


def of_record(record: Record | None, is_missing: Callable[[str], bool]) -> Iterator[WorldFinding]:
    """Yield the missing targets of a class compiled by itself; another class may declare some."""
    for one in record.missing if record is not None else ():
        if is_missing(one.ref):
            message = " ".join(one.message.split())
            statements = frozenset({f"{one.span} {one.ref} {one.other}"})
            yield WorldFinding("missing target", message, one.span, statements)
