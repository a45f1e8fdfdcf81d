"""Provenance: the references of ids, and the statement or rule that made an edge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from analyzer.graph.kernel import JUNCTION_LENGTH, Kernel
from analyzer.graph.labels import CONTAINMENT, EVENTFUL, INWARD, METAPARAMETERS, NAMES
from analyzer.model.refs import ResourceRef
from analyzer.model.relationship import DroppedRelationship, Kind, Origin, Relationship
from analyzer.model.resource import Resource
from analyzer.source import Span

# The form of a relationship that comes with a generated resource.
GENERATE = "generate"
RELATING = frozenset(name for name, _ in METAPARAMETERS)


@dataclass(frozen=True, slots=True)
class Hop:
    """One edge of the expanded graph: its ends, their names, and every relationship that makes it.

    The edge between the two ends of an empty container has no relationship.
    """

    source_ref: ResourceRef
    target_ref: ResourceRef
    source_name: str
    target_name: str
    relationships: tuple[Relationship, ...]


class Provenance:
    """Finds the origins of the edges of a kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.refs = [ResourceRef(r.type, r.title) for r in kernel.resources]
        self._places: dict[int, dict[int, int]] = {}
        # Finds statements in the source text, for catalogs without the places of statements.
        self.finder: Callable[[Resource, str, int], Span | None] | None = None

    def name(self, node: int) -> str:
        """Return a node's name: `Type[title]`, `Admitted[Class[x]]` or `Completed[Class[x]]`."""
        role, i = self.kernel.end_of(node)
        if role == "junction":
            return f"Junction[{i}]"
        return str(self.refs[i]) if role == "resource" else f"{role.capitalize()}[{self.refs[i]}]"

    def ref(self, node: int) -> ResourceRef:
        """Return the resource or container of a node."""
        return self.refs[self.kernel.end_of(node)[1]]

    def explicit(self, *, once: bool = False) -> list[Relationship]:
        """Return the relationships from parameters, in the order in which Puppet adds them.

        With `once`, a many-to-many relationship gives all of its first holder's relationships, and
        one of each other holder: every end occurs, and the number grows with the ends only.
        """
        joined = {id(targets) for _, _, targets in self.kernel.junctions} if once else set()
        seen: set[int] = set()
        found = []
        for i, label, ids in self.kernel.declared:
            shown = ids[:1] if id(ids) in seen else ids
            found += [self.declared(i, label, place, other) for place, other in enumerate(shown)]
            if id(ids) in joined:
                seen.add(id(ids))
        return found

    def arrows(self) -> Iterator[tuple[int, int, Span]]:
        """Yield the ends of each relationship that an arrow makes, in ids, and its place."""
        for i, label, ids in self.kernel.declared:
            if self.kernel.resources[i].written and label not in INWARD:
                for position, other in enumerate(ids):
                    span = self.arrow(i, label, position)
                    if span is not None:
                        yield i, other, span

    def declared(self, i: int, label: int, position: int, other: int) -> Relationship:
        """Return the relationship of an entry in a parameter of resource `i`."""
        many = self._many.get((i, label))
        arrow = self.arrow(i, label, position)
        own = arrow or self.written(i, label, -1)
        span = own or self._spans[i]
        declared = own is None and self.finder is not None
        # The function `require` has a place of its own, too; its entries are those of no arrow.
        is_arrow = arrow is not None and label not in INWARD
        by = None if is_arrow else self.exporter(i)
        source, target = (other, i) if label in INWARD else (i, other)
        reason = self.reason(source, target)
        promised = self.kernel.catalog.promised
        if promised:
            form, place = promised[str(self.refs[source]), str(self.refs[target])]
            origin = Origin(form, self.refs[i], position, reason, place or span)
            return Relationship(self.refs[source], self.refs[target], kind_of(label), origin)
        form = GENERATE if self.is_generated(source, target) else NAMES[label]
        origin = Origin(form, self.refs[i], position, reason, span, many, is_arrow, by)
        if source in self.kernel.brought or target in self.kernel.brought:
            origin = replace(origin, many=None, generated_by=self.brought_by(source, target))
        if declared:
            origin = replace(origin, at_declaration=True)
        if (i, label, other) in self.kernel.unowned and form != GENERATE:
            origin = replace(origin, known_from=self.kernel.catalog.edges_from or None)
        return Relationship(self.refs[source], self.refs[target], kind_of(label), origin)

    def is_generated(self, source: int, target: int) -> bool:
        """Return whether a relationship comes with a resource that its source generates."""
        generated, brought = self.kernel.catalog.generated, self.kernel.brought
        if source in brought or target in brought:
            return True
        return bool(generated) and (str(self.refs[source]), str(self.refs[target])) in generated

    def brought_by(self, source: int, target: int) -> str | None:
        """Return the folder that brings the source, or what the target comes after; None if the
        source brings the target.
        """
        brought = self.kernel.brought
        folder = brought.get(source, brought.get(target, source))
        return None if folder == source else str(self.refs[folder])

    def reason(self, source: int, target: int) -> str | None:
        """Return the reason for an edge that is in no parameter, as far as it is known."""
        reasons = self.kernel.catalog.reasons
        return reasons.get((str(self.refs[source]), str(self.refs[target]))) if reasons else None

    def arrow(self, i: int, label: int, position: int) -> Span | None:
        """Return the place of the arrow that made an entry; None if the resource has it itself."""
        return self.written(i, label, position)

    def written(self, i: int, label: int, position: int) -> Span | None:
        """Return the place of an entry of a relationship parameter; -1: the place of all others."""
        return self.placed(i, NAMES[label], position)

    def placed(self, i: int, form: str, position: int) -> Span | None:
        """Return the compiler's record of a statement; without one, the statement in the source."""
        resource = self.kernel.resources[i]
        if resource.written is not None or self.finder is None or form not in RELATING:
            return (resource.written or {}).get(form, {}).get(position)
        if position >= 0 and i in self._incomplete:
            return None
        return self.finder(resource, form, position)

    def automatic(self, source: int, target: int, label: int, row: int) -> Relationship:
        """Return an automatic relationship."""
        declarer = target if label in INWARD else source
        rules = self.kernel.rules
        rule = rules.rows[row].id if rules else None
        origin = self.origin(label, declarer, rule)
        return Relationship(self.refs[source], self.refs[target], kind_of(label), origin)

    def contains(self, container: int, content: int) -> Relationship:
        """Return a containment edge with the place of `contain`, or else of the content."""
        origin = self.origin(CONTAINMENT, content)
        place = self.placed(container, "contain", content)
        if place is not None:
            origin = Origin(NAMES[CONTAINMENT], self.refs[content], 0, None, place)
        return Relationship(self.refs[container], self.refs[content], "contains", origin)

    def origin(self, label: int, declarer: int, rule: str | None = None) -> Origin:
        """Return the origin of an edge whose place is the declaration of a resource."""
        by = self.exporter(declarer)
        span = self._spans[declarer]
        generator = self.kernel.resources[declarer].generator
        brought = None if generator is None else str(generator)
        ref = self.refs[declarer]
        return Origin(NAMES[label], ref, 0, rule, span, exported_by=by, generated_by=brought)

    def exporter(self, i: int) -> str | None:
        """Return the node that exported a resource; None if the catalog's own code declares it."""
        exporter = self.kernel.resources[i].exporter
        return exporter[0] if exporter else None

    def dropped(self) -> list[DroppedRelationship]:
        """Return the automatic relationships that were left out."""
        return [
            DroppedRelationship(
                self.automatic(s, t, label, row),
                "opposite edge present" if opposite else "same edge present",
            )
            for s, t, label, row, opposite in self.kernel.dropped
        ]

    def opposed(self) -> Iterator[tuple[Relationship, Relationship]]:
        """Yield the automatic relationships that an opposite one excludes, with the opposite."""
        dropped = [row[:4] for row in self.kernel.dropped if row[4]]
        wanted = {(t, s) for s, t, _, _ in dropped}
        written: dict[tuple[int, int], tuple[int, int, int, int]] = {}
        for i, label, ids in self.kernel.declared if wanted else ():
            for position, other in enumerate(ids):
                pair = (other, i) if label in INWARD else (i, other)
                if pair in wanted:
                    written[pair] = (i, label, position, other)
        for s, t, label, row in dropped:
            if (t, s) in written:
                yield self.automatic(s, t, label, row), self.declared(*written[t, s])

    def rows_of(self, holders: Collection[int]) -> list[int]:
        """Return the rows of `declared` of some resources, in order."""
        return sorted(row for i in holders for row in self._rows.get(i, ()))

    def automatic_from(self, sources: Collection[int]) -> list[tuple[int, int, int, int]]:
        """Return the rows of `automatic` that begin at some resources, in order."""
        rows = sorted(row for s in sources for row in self._automatic_rows.get(s, ()))
        return [self.kernel.automatic[row] for row in rows]

    def dropped_from(self, sources: Collection[int]) -> list[tuple[int, int, int, int, bool]]:
        """Return the rows of `dropped` that begin at some resources, in order."""
        rows = sorted(row for s in sources for row in self._dropped_rows.get(s, ()))
        return [self.kernel.dropped[row] for row in rows]

    def containers_among(self, ids: Collection[int]) -> list[int]:
        """Return the ids that contain anything, in the order of the kernel."""
        return sorted(self._container_places.keys() & ids, key=self._container_places.__getitem__)

    @cached_property
    def _automatic_rows(self) -> dict[int, list[int]]:
        return by_first(self.kernel.automatic)

    @cached_property
    def _dropped_rows(self) -> dict[int, list[int]]:
        return by_first(self.kernel.dropped)

    @cached_property
    def _container_places(self) -> dict[int, int]:
        return {x: place for place, x in enumerate(self.kernel.contents)}

    @cached_property
    def _spans(self) -> list[Span | None]:
        return [resource.span for resource in self.kernel.resources]

    @cached_property
    def _incomplete(self) -> frozenset[int]:
        """Return resources with missing targets: the places of their other entries are unknown."""
        return frozenset(row[0] for row in self.kernel.missing)

    @cached_property
    def _contained(self) -> set[tuple[int, int]]:
        return {(x, v) for x, contents in self.kernel.contents.items() for v in contents}

    @cached_property
    def _many(self) -> dict[tuple[int, int], tuple[int, int]]:
        return {
            (i, label): (len(members), len(targets))
            for label, members, targets in self.kernel.junctions
            for i in members
        }

    @cached_property
    def _rows(self) -> dict[int, list[int]]:
        return by_first(self.kernel.declared)

    @cached_property
    def _automatic(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for s, t, label, row in self.kernel.automatic:
            found.setdefault((s, t), []).append((label, row))
        return found

    def hop(self, source: int, target: int) -> Hop:
        """Explain an edge between two nodes of the expanded graph that are no junctions."""
        return Hop(
            self.ref(source),
            self.ref(target),
            self.name(source),
            self.name(target),
            self.between(source, target),
        )

    def between(self, source: int, target: int) -> tuple[Relationship, ...]:
        """Return the edges that order a node directly before another, explicit edges first."""
        kernel = self.kernel
        source_role, s = kernel.end_of(source)
        target_role, t = kernel.end_of(target)
        found: list[Relationship] = []
        if source_role != "admitted" and target_role != "completed":
            found += self._explicit_between(s, t)
            found += [self.automatic(s, t, *made) for made in self._automatic.get((s, t), ())]
        if source_role == "admitted" and target_role != "completed" and (s, t) in self._contained:
            found.append(self.contains(s, t))
        if target_role == "completed" and source_role != "admitted" and (t, s) in self._contained:
            found.append(self.contains(t, s))
        return tuple(found)

    def _explicit_between(self, s: int, t: int) -> list[Relationship]:
        found = []
        for holder, other, inward in ((s, t, False), (t, s, True)):
            for row in self._rows.get(holder, ()):
                i, label, ids = self.kernel.declared[row]
                if (label in INWARD) == inward:
                    position = self._position(ids, other)
                    if position is not None:
                        found.append(self.declared(i, label, position, other))
        return found

    def _position(self, ids: Sequence[int], other: int) -> int | None:
        """Return the first index of an id in a list of targets; a long list is indexed once."""
        if len(ids) < JUNCTION_LENGTH:
            return ids.index(other) if other in ids else None
        places = self._places.get(id(ids))
        if places is None:
            places = {t: position for position, t in reversed(list(enumerate(ids)))}
            self._places[id(ids)] = places
        return places.get(other)


def kind_of(label: int) -> Kind:
    """Return the kind of the edges with a label."""
    return "notify" if label in EVENTFUL else "before"


def by_first(rows: Sequence[tuple[int, *tuple[object, ...]]]) -> dict[int, list[int]]:
    """Return the numbers of rows by their first values."""
    found: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        found.setdefault(row[0], []).append(number)
    return found
