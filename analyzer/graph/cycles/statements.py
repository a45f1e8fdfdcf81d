"""The statements behind relationships: the edits that remove them.

A statement is an entry of a relationship parameter (for all instances of a define or a collector
chain at once), a containment, or a parameter behind an automatic rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import AUTOREQUIRE, CONTAINMENT, INWARD
from analyzer.graph.provenance import Provenance
from analyzer.model.catalog import Catalog
from analyzer.model.relationship import Relationship
from analyzer.source import Span

# The cost of a change: explicit code is the cheapest, automatic relationships are the most
# expensive.
OWN, MODULE, CONTAINED_CLASS, AUTOMATIC, CONTAINED = 2, 3, 5, 9, 30

# Of equal costs, fewer relationships are better: the cost in these units, plus their number.
WEIGHT = 1_000

# Of equal weights: relationships through a collector, and those against the habit below, are less
# likely intended. The greatest suspicion is one less than the units of a weight.
COLLECTED, UNUSUAL, UNITS = 2, 1, 4

# The usual order: of two types on different steps, the lower one is set up first.
HABIT = {
    "Group": 0,
    "User": 1,
    "Yumrepo": 2,
    "Package": 3,
    "File": 4,
    "Concat": 4,
    "Concat_file": 4,
    "Service": 5,
}

# The most relationships of a statement that are copied for another process.
MOST_COPIED = 1000


@dataclass(frozen=True, slots=True)
class Statement:
    """The relationships that one edit removes, with one of them as an example."""

    example: Relationship
    count: int
    cost: int
    find_all: Callable[[], tuple[Relationship, ...]] = field(compare=False, repr=False)

    @property
    def relationships(self) -> tuple[Relationship, ...]:
        """Return all of them with both ends in the cycle's component; made on demand."""
        return self.find_all()

    def __reduce__(self) -> tuple[object, ...]:
        if self.count > MOST_COPIED:
            raise TypeError("too many relationships for another process")
        found = partial(tuple, self.relationships)
        return Statement, (self.example, self.count, self.cost, found)

    def __str__(self) -> str:
        more = f" (and {self.count - 1} similar)" if self.count > 1 else ""
        return f"{self.example.origin.form}: {self.example}{more}"


# An edge of a component: its two nodes in the expanded graph.
Pair = tuple[int, int]

# A relationship in ids: label, then (resource, position, other) where declared, (source, target,
# rule) where automatic, (container, content) for containment.
Row = tuple[int, ...]


class StatementTable:
    """The statements behind the edges of one component.

    `behind`: the statements that make an edge; all of them must be removed. `sprung`: edges that
    appear after another edge is removed, with that edge: Puppet leaves out an automatic
    relationship if its opposite exists. `holding`: the containments of a container with both ends
    in the component; without them, an edge joins its ends.
    """

    def __init__(self, kernel: Kernel, provenance: Provenance, component: list[int]) -> None:
        self.kernel = kernel
        self.provenance = provenance
        self.inside = set(component)
        self.holders = {i for role, i in map(kernel.end_of, component) if role != "junction"}
        self.keys: dict[object, int] = {}
        self.edges: list[list[Pair]] = []
        self.rows: list[list[Row]] = []
        self.costs: list[int] = []
        self.behind: dict[Pair, tuple[int, ...]] = {}
        self.sprung: dict[Pair, tuple[Pair, int]] = {}
        self.holding: dict[int, set[int]] = {}
        self.junctions: dict[int, int] = {}
        self._read_junctions()
        self._read_declared()
        self._read_automatic()
        self._read_containment()

    def _read_junctions(self) -> None:
        kernel, inside = self.kernel, self.inside
        completed = kernel.completed
        first = kernel.vertices + len(kernel.owner)
        for node in sorted(v for v in inside if v >= first):
            row = node - first
            label, members, targets = kernel.junctions[row]
            sources, sinks = (targets, members) if label in INWARD else (members, targets)
            example = next(self._junction_rows(row))
            number = self._number(("junction", row), example)
            self.junctions[number] = row
            for pair in [(completed[s], node) for s in sources] + [(node, t) for t in sinks]:
                if pair[0] in inside and pair[1] in inside:
                    self._join(number, pair)

    def _junction_rows(self, row: int) -> Iterator[Row]:
        label, members, targets = self.kernel.junctions[row]
        inward = label in INWARD
        completed, inside = self.kernel.completed, self.inside
        held = [i for i in members if (i if inward else completed[i]) in inside]
        for i in held:
            for position, other in enumerate(targets):
                if (completed[other] if inward else other) in inside:
                    yield (label, i, position, other)

    def _read_declared(self) -> None:
        kernel, inside = self.kernel, self.inside
        completed = kernel.completed
        shared = {id(targets) for _, _, targets in kernel.junctions}
        for row in self.provenance.rows_of(self.holders):
            i, label, ids = kernel.declared[row]
            inward = label in INWARD
            if (i if inward else completed[i]) not in inside or id(ids) in shared:
                continue
            for position, other in enumerate(ids):
                pair = (completed[other], i) if inward else (completed[i], other)
                if pair[0] in inside and pair[1] in inside:
                    key = self._written(i, label, position, len(ids))
                    if kernel.catalog.promised:
                        key = (key, pair)
                    self._add(key, pair, (label, i, position, other))

    def _written(self, i: int, label: int, position: int, length: int) -> object:
        arrow = self.provenance.arrow(i, label, position)
        if arrow is not None:
            return arrow
        attribute = self.provenance.written(i, label, -1)
        if attribute is not None:
            return (attribute, label, position, length)
        resource = self.kernel.resources[i]
        if resource.file is None or resource.line is None:
            return (i, label, position)
        return (resource.file, resource.line, label, position, length)

    def _read_automatic(self) -> None:
        completed, inside = self.kernel.completed, self.inside
        for s, t, label, row in self.provenance.automatic_from(self.holders):
            if completed[s] in inside and t in inside:
                self._add(("auto", s, t), (completed[s], t), (label, s, t, row))
        for s, t, label, row, opposite in self.provenance.dropped_from(self.holders):
            pair = (completed[s], t)
            if pair[0] not in inside or t not in inside:
                continue
            number = self._number(("auto", s, t), (label, s, t, row))
            if opposite:
                self.sprung[pair] = ((completed[t], s), number)
            else:
                self._join(number, pair)

    def _read_containment(self) -> None:
        completed, inside = self.kernel.completed, self.inside
        for x in self.provenance.containers_among(self.holders):
            for v in self.kernel.contents[x]:
                for pair in ((x, v), (completed[v], completed[x])):
                    if pair[0] in inside and pair[1] in inside:
                        number = self._add((CONTAINMENT, x, v), pair, (CONTAINMENT, x, v))
                        self.holding.setdefault(x, set()).add(number)

    def _number(self, key: object, row: Row) -> int:
        number = self.keys.get(key)
        if number is None:
            number = self.keys[key] = len(self.rows)
            self.edges.append([])
            self.rows.append([row])
            self.costs.append(self._cost(row))
        elif self.rows[number][-1] != row:
            self.rows[number].append(row)
        return number

    def _cost(self, row: Row) -> int:
        """Return the cost of removing a relationship, given as an edge of ids for speed."""
        label, i = row[0], row[1]
        if label == CONTAINMENT:
            inner = self.kernel.resources[row[2]].type
            return CONTAINED_CLASS if inner == "Class" else CONTAINED
        if label >= AUTOREQUIRE:
            return AUTOMATIC
        if self.provenance.is_generated(i, row[3]):
            return AUTOMATIC
        span = self.provenance.arrow(i, label, row[2]) or self.kernel.resources[i]
        return MODULE if "/modules/" in f"/{span.file or ''}" else OWN

    def _join(self, number: int, pair: Pair) -> None:
        self.edges[number].append(pair)
        behind = self.behind.get(pair, ())
        if number not in behind:
            self.behind[pair] = (*behind, number)

    def _add(self, key: object, pair: Pair, row: Row) -> int:
        number = self._number(key, row)
        self._join(number, pair)
        return number

    def weights(self) -> list[int]:
        """Return the key to minimise: costs, lost relationships, then habits of authors.

        Of equal ones, the first by place is the least: the order of the catalog does not count.
        """
        collected = collecting_arrows(self.kernel.catalog)
        examples = [relationship_of(self.provenance, rows[0]) for rows in self.rows]
        total = len(examples)
        by_place = sorted(range(total), key=lambda n: place_of(examples[n]))
        rank = {number: place for place, number in enumerate(by_place)}
        return [
            (
                (cost * WEIGHT + min(self.count(number), WEIGHT - 1)) * UNITS
                - suspicion(examples[number], collected)
            )
            * total
            * total
            + rank[number]
            for number, cost in enumerate(self.costs)
        ]

    def count(self, number: int) -> int:
        """Return the number of relationships that a statement makes inside the component."""
        if number not in self.junctions:
            return len(set(self.rows[number]))
        label, members, targets = self.kernel.junctions[self.junctions[number]]
        completed, inside = self.kernel.completed, self.inside
        sources, sinks = (targets, members) if label in INWARD else (members, targets)
        return sum(completed[s] in inside for s in sources) * sum(t in inside for t in sinks)

    def relationships(self, number: int) -> Iterator[Relationship]:
        """Yield the relationships of a statement inside the component."""
        junction = self.junctions.get(number)
        rows = self.rows[number] if junction is None else self._junction_rows(junction)
        for row in rows:
            yield relationship_of(self.provenance, row)

    def pairs(self, number: int) -> Iterator[Pair]:
        """Yield the edges of a statement, without junctions."""
        junction = self.junctions.get(number)
        if junction is None:
            yield from self.edges[number]
            return
        for label, i, _, other in self._junction_rows(junction):
            s, t = (other, i) if label in INWARD else (i, other)
            yield self.kernel.completed[s], t

    def statement(self, number: int) -> Statement:
        """Return a statement by its number."""
        return Statement(
            relationship_of(self.provenance, self.rows[number][0]),
            self.count(number),
            self.costs[number],
            lambda: tuple(self.relationships(number)),
        )


def place_of(example: Relationship) -> tuple[object, ...]:
    """Return the sort key of a statement with an example: those without a place come last.

    An arrow is first: nothing else is lost with it.
    """
    origin, span = example.origin, example.origin.span
    if span is None:
        return True, True, "", 0, 0, str(example)
    return False, not origin.arrow, span.file, span.line, span.column or 0, str(example)


def suspicion(example: Relationship, collected: set[Span]) -> int:
    """Return how likely a statement is not intended."""
    first, second = (HABIT.get(end.type) for end in (example.source, example.target))
    unusual = first is not None and second is not None and first > second
    written = example.origin.arrow and example.origin.span in collected
    return (UNUSUAL if unusual else 0) + (COLLECTED if written else 0)


def collecting_arrows(catalog: Catalog) -> set[Span]:
    """Return the places of the arrows next to collectors, none if unknown."""
    return {
        link.span
        for chain in (catalog.record.chains if catalog.record else ())
        for link, left, right in zip(chain.links, chain.operands, chain.operands[1:], strict=False)
        if left.span or right.span
    }


def relationship_of(provenance: Provenance, row: Row) -> Relationship:
    """Return the relationship of a row."""
    label = row[0]
    if label == CONTAINMENT:
        return provenance.contains(row[1], row[2])
    if label >= AUTOREQUIRE:
        return provenance.automatic(row[1], row[2], label, row[3])
    return provenance.declared(row[1], label, row[2], row[3])
