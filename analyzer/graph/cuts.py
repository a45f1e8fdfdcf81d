"""Breaking a cycle: the cheapest statements whose removal leaves no cycle, and what that costs.

A statement is what a person would edit: an entry of a relationship parameter (for all instances of
a define or a collector chain at once), a containment, or a parameter behind an automatic rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from analyzer.graph.components import components
from analyzer.graph.hitting import Way, hitting_set
from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import AUTOREQUIRE, CONTAINMENT, INWARD, NAMES
from analyzer.graph.provenance import Provenance
from analyzer.graph.walks import Walker
from analyzer.model.relationship import Relationship

# What a change costs: own code is changed first, what Puppet does by itself last.
OWN, MODULE, CONTAINED_CLASS, AUTOMATIC, CONTAINED = 2, 3, 5, 9, 30

WEIGHT = 1_000

# Lost pairs that a cut names; the others are counted.
NAMED_PAIRS = 50


@dataclass(frozen=True, slots=True)
class Statement:
    """What one edit removes: all these relationships, one as an example of what is written."""

    example: Relationship
    count: int
    cost: int
    find_all: Callable[[], tuple[Relationship, ...]] = field(compare=False, repr=False)

    @property
    def relationships(self) -> tuple[Relationship, ...]:
        """All of them, as far as both ends are in the cycle's component; made when asked for."""
        return self.find_all()

    def __str__(self) -> str:
        more = f" (and {self.count - 1} alike)" if self.count > 1 else ""
        return f"{self.example.origin.form}: {self.example}{more}"


@dataclass(frozen=True, slots=True)
class Cut:
    """Statements to remove, and the order pairs (before, after) that nothing else implies then.

    `lost` holds at most 50 pairs of `lost_count`. `exact` tells that no cheaper cut exists.
    """

    statements: tuple[Statement, ...]
    lost: tuple[tuple[str, str], ...]
    lost_count: int
    exact: bool


# An edge of a component: its two nodes in the expanded graph.
Pair = tuple[int, int]

# A relationship in ids: label, then (resource, position, other) where declared, (source, target,
# rule) where automatic, (container, content) for containment.
Row = tuple[int, ...]


class StatementTable:
    """The statements behind the edges of one component.

    `behind`: the statements that make an edge; all of them must go. `sprung`: edges that are not
    there yet but come once another edge is gone, as Puppet leaves out an automatic relationship
    while its opposite is there; with that other edge. `holding`: the containments of a container
    both of whose ends are in the component; without them an edge joins its ends.
    """

    def __init__(self, kernel: Kernel, provenance: Provenance, component: list[int]) -> None:
        self.kernel = kernel
        self.provenance = provenance
        self.inside = set(component)
        self.keys: dict[object, int] = {}
        self.edges: list[list[Pair]] = []
        self.rows: list[list[Row]] = []
        self.costs: list[int] = []
        self.behind: dict[Pair, set[int]] = {}
        self.sprung: dict[Pair, tuple[Pair, int]] = {}
        self.holding: dict[int, set[int]] = {}
        self._read_declared()
        self._read_automatic()
        self._read_containment()

    def _read_declared(self) -> None:
        kernel, inside = self.kernel, self.inside
        completed = kernel.completed
        shared = {id(targets): number for number, (_, _, targets) in enumerate(kernel.junctions)}
        for i, label, ids in kernel.declared:
            inward = label in INWARD
            if (i if inward else completed[i]) not in inside:
                continue
            junction = shared.get(id(ids))
            for position, other in enumerate(ids):
                pair = (completed[other], i) if inward else (completed[i], other)
                if pair[0] in inside and pair[1] in inside:
                    key = (
                        ("junction", junction)
                        if junction is not None
                        else self._written(i, label, position, len(ids))
                    )
                    self._add(key, pair, (label, i, position, other))

    def _written(self, i: int, label: int, position: int, length: int) -> object:
        resource = self.kernel.resources[i]
        if resource.file is None or resource.line is None:
            return (i, label, position)
        return (resource.file, resource.line, label, position, length)

    def _read_automatic(self) -> None:
        completed, inside = self.kernel.completed, self.inside
        for s, t, label, row in self.kernel.automatic:
            if completed[s] in inside and t in inside:
                self._add(("auto", s, t), (completed[s], t), (label, s, t, row))
        for s, t, label, row, opposite in self.kernel.dropped:
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
        for x, contents in self.kernel.contents.items():
            for v in contents:
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
            self.costs.append(cost(relationship_of(self.provenance, row)))
        elif self.rows[number][-1] != row:
            self.rows[number].append(row)
        return number

    def _join(self, number: int, pair: Pair) -> None:
        self.edges[number].append(pair)
        self.behind.setdefault(pair, set()).add(number)

    def _add(self, key: object, pair: Pair, row: Row) -> int:
        number = self._number(key, row)
        self._join(number, pair)
        return number

    def weights(self) -> list[int]:
        """Return what to minimise: the costs first, the relationships lost second."""
        return [
            cost * WEIGHT + min(len(edges), WEIGHT - 1)
            for cost, edges in zip(self.costs, self.edges, strict=True)
        ]

    def statement(self, number: int) -> Statement:
        """Return a statement by its number."""
        rows, provenance = self.rows[number], self.provenance
        return Statement(
            relationship_of(provenance, rows[0]),
            len(set(rows)),
            self.costs[number],
            lambda: tuple(relationship_of(provenance, row) for row in rows),
        )


def relationship_of(provenance: Provenance, row: Row) -> Relationship:
    """Return the relationship that a row stands for."""
    label = row[0]
    if label == CONTAINMENT:
        return provenance.contains(row[1], row[2])
    if label >= AUTOREQUIRE:
        return provenance.automatic(row[1], row[2], label, row[3])
    return provenance.declared(row[1], label, row[2], row[3])


def cost(relationship: Relationship) -> int:
    """Return what it costs to take a relationship back."""
    origin = relationship.origin
    if origin.form == NAMES[CONTAINMENT]:
        return CONTAINED_CLASS if relationship.target.type == "Class" else CONTAINED
    if origin.automatic:
        return AUTOMATIC
    file = origin.span.file if origin.span else ""
    return MODULE if "/modules/" in f"/{file}" else OWN


def smallest_cut(kernel: Kernel, provenance: Provenance, component: list[int]) -> Cut:
    """Return the cheapest statements to remove so that the component has no cycle.

    Shortest cycles are collected one by one; each time, the cheapest set of statements that hits
    all of them is removed, until no cycle is left. As the last set hits every cycle that was
    needed to find it, it is a smallest one as long as the hitting sets are exact and no cycle
    goes over an edge that only a removal brings.
    """
    table = StatementTable(kernel, provenance, component)
    constraints: list[tuple[Way, ...]] = []
    chosen: frozenset[int] = frozenset()
    exact = True
    weights = table.weights()
    while True:
        succ = remaining(kernel, table, chosen)
        cycle = some_cycle(succ)
        if cycle is None:
            break
        ways, sure = ways_to_break(kernel, cycle, table)
        constraints.append(ways)
        exact = exact and sure
        chosen, sure = hitting_set(constraints, weights)
        exact = exact and sure
    lost = lost_pairs(table, chosen, succ)
    names = [(str(provenance.ref(s)), str(provenance.ref(t))) for s, t in lost[:NAMED_PAIRS]]
    statements = sorted(
        (table.statement(n) for n in chosen), key=lambda s: (s.cost, str(s.example))
    )
    return Cut(tuple(statements), tuple(names), len(lost), exact)


def remaining(
    kernel: Kernel, table: StatementTable, removed: frozenset[int]
) -> dict[int, list[int]]:
    """Return the component's successors once statements are removed, with the edges that brings."""
    succ: dict[int, list[int]] = {
        v: [] for v in table.inside if v < kernel.vertices + len(kernel.owner)
    }
    for x in kernel.owner:
        if x in succ and kernel.completed[x] in succ and table.holding.get(x, removed) <= removed:
            succ[x].append(kernel.completed[x])
    for (s, t), behind in table.behind.items():
        if not behind <= removed:
            succ[s].append(t)
    for (s, t), (blocker, number) in table.sprung.items():
        if number not in removed and table.behind.get(blocker, {number}) <= removed:
            succ[s].append(t)
    return succ


def some_cycle(succ: dict[int, list[int]]) -> list[int] | None:
    """Return a short cycle of what remains, or None."""
    ids = {v: n for n, v in enumerate(succ)}
    nodes = list(succ)
    dense = [[ids[t] for t in targets] for targets in succ.values()]
    cyclic = components(dense)
    if not cyclic:
        return None
    inside = set(cyclic[0])
    walker = Walker(dense, len(dense), inside.__contains__)
    path = walker.path(cyclic[0][0], cyclic[0][0])
    return [nodes[v] for v in path] if path else None


def ways_to_break(
    kernel: Kernel, cycle: list[int], table: StatementTable
) -> tuple[tuple[Way, ...], bool]:
    """Return the ways to break a cycle: for each edge, all the statements that make it.

    The second value tells that every edge is there today, so that the cycle has to be broken
    whatever else is removed.
    """
    ways: dict[Way, None] = {}
    today = True
    for pair in pairwise(cycle):
        if pair in table.behind:
            ways[frozenset(table.behind[pair])] = None
        elif pair in table.sprung:
            ways[frozenset({table.sprung[pair][1]})] = None
            today = False
        else:
            today = today and pair[0] not in kernel.contents
    return tuple(ways), today


def lost_pairs(
    table: StatementTable, removed: frozenset[int], succ: dict[int, list[int]]
) -> list[Pair]:
    """Return the removed edges that no other way implies any more."""
    targets: dict[int, set[int]] = {}
    for s, t in {pair for n in removed for pair in table.edges[n]}:
        targets.setdefault(s, set()).add(t)
    lost = []
    for s in sorted(targets):
        seen: set[int] = set()
        open_nodes = [s]
        while open_nodes:
            for v in succ[open_nodes.pop()]:
                if v not in seen:
                    seen.add(v)
                    open_nodes.append(v)
        lost += [(s, t) for t in sorted(targets[s] - seen)]
    return lost
