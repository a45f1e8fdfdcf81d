"""The lines of files that declare resources or make relationships, and the reverse."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from analyzer.graph.labels import METAPARAMETERS
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.resource import Resource
from analyzer.source import Span

# The sign of a line that makes a relationship, by its spelling.
SIGNS = {"before": "→", "notify": "⇒", "require": "←", "subscribe": "⇐", "contain": "⊃"}


FORMS = frozenset(name for name, _ in METAPARAMETERS)


@dataclass(frozen=True, slots=True)
class DeclaringStatement:
    """A statement that declares resources: its lines, type, title if it is plain text.

    `declared` are the lines that a catalog may give its resources.
    """

    first: int
    last: int
    declared: frozenset[int]
    kind: str
    title: str | None


class SourceIndex:
    """The places of one graph's resources and statements, computed when first asked for."""

    def __init__(self, graph: RelationshipGraph) -> None:
        self.graph = graph

    @cached_property
    def declared(self) -> dict[str, dict[int, list[int]]]:
        """Return the resources by file and line."""
        found: dict[str, dict[int, list[int]]] = {}
        for i, resource in enumerate(self.graph.resources):
            file, line = place_of(resource)
            if line:
                found.setdefault(file, {}).setdefault(line, []).append(i)
        return found

    def prepare(self) -> None:
        """Compute now the parts that take long for a large graph."""
        _ = self.declared, self.statements, self.cyclic

    @property
    def files(self) -> list[str]:
        """Return the files with declarations or relationships, by name."""
        return sorted({*self.declared, *self.statements})

    @cached_property
    def statements(self) -> dict[str, dict[int, set[str]]]:
        """Return the spellings of the statements that make relationships, by file and line."""
        found: dict[str, dict[int, set[str]]] = {}
        for form, file, line in self._statements():
            found.setdefault(file, {}).setdefault(line, set()).add(form)
        return found

    def _statements(self) -> Iterator[tuple[str, str, int]]:
        for i, resource in enumerate(self.graph.resources):
            written = resource.written or {}
            for form in FORMS.intersection(resource.parameters):
                known = written.get(form) or self._found(i, form)
                for file, line in places_of(resource, form, known):
                    if line:
                        yield form, file, line
            for span in written.get("contain", {}).values():
                yield "contain", span.file, span.line

    def _found(self, vertex: int, form: str) -> dict[int, Span]:
        """Return the places of the entries of a parameter, as far as they are found."""
        placed, value = self.graph.provenance.placed, self.graph.resources[vertex].parameters[form]
        places = range(-1, len(value) if isinstance(value, list) else 1)
        found = {place: placed(vertex, form, place) for place in places}
        return {place: span for place, span in found.items() if span is not None}

    @cached_property
    def cyclic(self) -> frozenset[int]:
        """Return the resources and containers that are on a cycle."""
        graph = self.graph
        return frozenset(
            graph.end_of(v)[1] for group in graph.components() for v in group if v < graph.ends
        )

    def place(self, vertex: int) -> tuple[str, int] | None:
        """Return the file and line of a resource, or of a container's contents if it has none."""
        seen = set()
        todo = [vertex]
        while todo:
            at = todo.pop(0)
            if at in seen:
                continue
            seen.add(at)
            file, line = place_of(self.graph.resources[at])
            if line:
                return file, line
            todo += self.graph.contents.get(at, ())
        return None

    def sign(self, file: str, line: int) -> str:
        """Return the sign of the relationship that a line makes; empty for none."""
        forms = self.statements.get(file, {}).get(line, ())
        return next((sign for form, sign in SIGNS.items() if form in forms), "")

    def at(self, file: str, line: int, bodies: list[DeclaringStatement]) -> list[int]:
        """Return the resources of the innermost statement around a line.

        Where the text could not be parsed, return those declared on the nearest line above.
        """
        rows = self.declared.get(file, {})
        inside = [body for body in bodies if body.first <= line <= body.last]
        for body in sorted(
            inside, key=lambda body: (body.last - body.first, body.title is not None)
        ):
            found = [
                i for n in sorted(body.declared) for i in rows.get(n, ()) if self.fits(i, body)
            ]
            if found:
                return found
        if line in rows or bodies:
            return rows.get(line, [])
        lines = sorted(rows)
        place = bisect_right(lines, line)
        return rows[lines[place - 1]] if place else []

    def fits(self, vertex: int, body: DeclaringStatement) -> bool:
        """Return whether a statement can have declared a resource."""
        resource = self.graph.resources[vertex]
        return resource.type.lower() == body.kind and body.title in (None, resource.title)


def place_of(resource: Resource) -> tuple[str, int]:
    """Return the file and line of a declaration; the line is 0 if it is unknown."""
    if resource.file:
        return resource.file, resource.line or 0
    span = resource.span
    return (span.file, span.line) if span else ("", 0)


def places_of(
    resource: Resource, form: str, written: Mapping[int, Span]
) -> Iterator[tuple[str, int]]:
    """Yield the places of the entries of a relationship parameter.

    An entry that has no place of its own, unlike an arrow, has that of the attribute, else that of
    the resource.
    """
    arrows = [span for place, span in written.items() if place >= 0]
    yield from ((span.file, span.line) for span in arrows)
    value = resource.parameters[form]
    if (len(value) if isinstance(value, list) else 1) > len(arrows):
        own = written.get(-1)
        yield (own.file, own.line) if own else place_of(resource)


def bodies_of(file: str, text: str) -> list[DeclaringStatement]:
    """Return the statements of a Puppet manifest that declare resources; none for other files."""
    from analyzer.frontends.puppet.syntax import ast as a
    from analyzer.linter.puppet.subjects import manifest_of

    manifest = manifest_of(file, text) if file.endswith(".pp") else None
    if manifest is None:
        return []
    found = []
    starts = [0, *(n + 1 for n, char in enumerate(text) if char == "\n")]
    for node, _ in manifest.nodes(a.ResourceExpression):
        kind = str(getattr(node.type_name, "value", "")).lower().removeprefix("::")
        first, last = (bisect_right(starts, at) for at in (node.offset, node.offset + node.length))
        heads = [bisect_right(starts, body.title.offset) for body in node.bodies]
        if len(heads) > 1:
            # Catalogs may give all of them the line where the statement begins.
            found.append(
                DeclaringStatement(first, max(first, heads[0] - 1), frozenset({first}), kind, None)
            )
        for head, following, body in zip(heads, [*heads[1:], last + 1], node.bodies, strict=True):
            title = getattr(body.title, "value", None)
            begin = first if len(heads) == 1 else head
            lines = frozenset({first, head, bisect_right(starts, body.offset)})
            plain = title if isinstance(title, str) else None
            found.append(DeclaringStatement(begin, max(head, following - 1), lines, kind, plain))
    return found
