"""Breaking a cycle: the cheapest statements whose removal leaves no cycle, and what that costs.

A statement is what a person would edit: an entry of a relationship parameter (for all instances of
a define or a collector chain at once), a containment, or a parameter behind an automatic rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from analyzer.graph.components import components
from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import CONTAINMENT, INWARD, NAMES
from analyzer.graph.provenance import Provenance
from analyzer.graph.walks import Walker
from analyzer.model.relationship import Relationship

# What a change costs: own code is changed first, what Puppet does by itself last.
OWN, MODULE, CONTAINED_CLASS, AUTOMATIC, CONTAINED = 2, 3, 5, 9, 30

# Up to so many cycles the search is exact; beyond, the statement that breaks most is taken.
EXACT_CYCLES = 12


@dataclass(frozen=True, slots=True)
class Statement:
    """What one edit removes: all these relationships, one as an example of what is written."""

    example: Relationship
    count: int
    cost: int

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

# All the statements that make one edge: it is gone when all of them are.
Way = frozenset[int]


class StatementTable:
    """The statements behind the edges of one component."""

    def __init__(self, kernel: Kernel, provenance: Provenance, component: list[int]) -> None:
        self.kernel = kernel
        self.provenance = provenance
        self.inside = set(component)
        self.keys: dict[object, int] = {}
        self.edges: list[list[Pair]] = []
        self.examples: list[Relationship] = []
        self.costs: list[int] = []
        self.behind: dict[Pair, set[int]] = {}
        self._read_declared()
        self._read_automatic()
        self._read_containment()

    def _read_declared(self) -> None:
        kernel, inside = self.kernel, self.inside
        shared = {id(targets): number for number, (_, _, targets) in enumerate(kernel.junctions)}
        for i, label, ids in kernel.declared:
            mine = (i if label in INWARD else kernel.completed[i]) in inside
            if not mine:
                continue
            junction = shared.get(id(ids))
            for position, other in enumerate(ids):
                s, t = (other, i) if label in INWARD else (i, other)
                pair = (kernel.completed[s], t)
                if pair[0] in inside and t in inside:
                    key = (
                        ("junction", junction)
                        if junction is not None
                        else self._written(i, label, position)
                    )
                    self._add(key, pair, partial(self.provenance.declared, i, label, position, other))

    def _written(self, i: int, label: int, position: int) -> object:
        resource = self.kernel.resources[i]
        if resource.file is None or resource.line is None:
            return (i, label, position)
        return (resource.file, resource.line, label, position)

    def _read_automatic(self) -> None:
        for s, t, label, row in self.kernel.automatic:
            if s in self.inside and t in self.inside:
                self._add(
                    ("auto", s, t), (s, t), partial(self.provenance.automatic, s, t, label, row)
                )

    def _read_containment(self) -> None:
        completed = self.kernel.completed
        for x, contents in self.kernel.contents.items():
            for v in contents:
                for pair in ((x, v), (completed[v], completed[x])):
                    if pair[0] in self.inside and pair[1] in self.inside:
                        self._add(
                            (CONTAINMENT, x, v),
                            pair,
                            partial(self.provenance.contains, x, v),
                        )

    def _add(self, key: object, pair: Pair, example: Callable[[], Relationship]) -> None:
        number = self.keys.get(key)
        if number is None:
            number = self.keys[key] = len(self.edges)
            made = example()
            self.edges.append([])
            self.examples.append(made)
            self.costs.append(cost(made))
        self.edges[number].append(pair)
        self.behind.setdefault(pair, set()).add(number)

    def statement(self, number: int) -> Statement:
        """Return a statement by its number."""
        return Statement(self.examples[number], len(set(self.edges[number])), self.costs[number])


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
    needed to find it, it is a smallest one as long as the hitting sets are exact.
    """
    table = StatementTable(kernel, provenance, component)
    constraints: list[tuple[Way, ...]] = []
    chosen: frozenset[int] = frozenset()
    exact = True
    while True:
        succ = remaining(kernel, table, chosen)
        cycle = some_cycle(succ, table)
        if cycle is None:
            break
        constraints.append(ways_to_break(cycle, table))
        chosen, sure = hitting_set(constraints, table.costs)
        exact = exact and sure
    lost = lost_pairs(table, chosen, remaining(kernel, table, chosen))
    names = [(str(provenance.ref(s)), str(provenance.ref(t))) for s, t in lost[:50]]
    statements = sorted(
        (table.statement(n) for n in chosen), key=lambda s: (s.cost, str(s.example))
    )
    return Cut(tuple(statements), tuple(names), len(lost), exact)


def remaining(kernel: Kernel, table: StatementTable, removed: frozenset[int]) -> dict[int, list[int]]:
    """Return the component's successors without edges whose every statement is removed."""
    succ: dict[int, list[int]] = {
        v: [] for v in table.inside if v < kernel.vertices + len(kernel.owner)
    }
    for x in kernel.owner:
        if x in succ and x not in kernel.contents and kernel.completed[x] in succ:
            succ[x].append(kernel.completed[x])
    for (s, t), behind in table.behind.items():
        if not behind <= removed:
            succ[s].append(t)
    return succ


def some_cycle(succ: dict[int, list[int]], table: StatementTable) -> list[int] | None:
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


def ways_to_break(cycle: list[int], table: StatementTable) -> tuple[Way, ...]:
    """Return the ways to break a cycle: for each edge, all the statements that make it."""
    pairs = zip(cycle, cycle[1:], strict=False)
    return tuple({frozenset(table.behind[pair]) for pair in pairs if pair in table.behind})


def hitting_set(
    constraints: list[tuple[Way, ...]], costs: list[int]
) -> tuple[frozenset[int], bool]:
    """Return the cheapest statements that break every cycle, and whether that is certain."""
    if len(constraints) <= EXACT_CYCLES:
        return cheapest(constraints, costs), True
    chosen: frozenset[int] = frozenset()
    unmet = constraints
    while unmet:
        counts: dict[Way, int] = {}
        for ways in unmet:
            for way in ways:
                counts[way] = counts.get(way, 0) + 1
        added = price(chosen, costs)
        best = min(counts, key=lambda way: (added(way) / counts[way], sorted(way)))
        chosen |= best
        unmet = [ways for ways in unmet if not any(way <= chosen for way in ways)]
    return chosen, False


def price(chosen: frozenset[int], costs: list[int]) -> Callable[[Way], int]:
    """Return what a way costs on top of what is chosen."""
    return lambda way: sum(costs[n] for n in way - chosen)


def cheapest(constraints: list[tuple[Way, ...]], costs: list[int]) -> frozenset[int]:
    """Return a cheapest hitting set by branch and bound over the first cycle not yet broken."""
    best: tuple[int, frozenset[int]] = (sum(costs) + 1, frozenset())

    def branch(chosen: frozenset[int], spent: int) -> None:
        nonlocal best
        if spent >= best[0]:
            return
        unmet = next((ws for ws in constraints if not any(w <= chosen for w in ws)), None)
        if unmet is None:
            best = (spent, chosen)
            return
        added = price(chosen, costs)
        for way in sorted(unmet, key=lambda way: (added(way), sorted(way))):
            branch(chosen | way, spent + added(way))

    branch(frozenset(), 0)
    return best[1]


def lost_pairs(
    table: StatementTable, removed: frozenset[int], succ: dict[int, list[int]]
) -> list[Pair]:
    """Return the removed edges that no other way implies any more."""
    pairs = sorted({pair for n in removed for pair in table.edges[n]})
    lost = []
    for s, t in pairs:
        seen = {s}
        open_nodes = [s]
        while open_nodes and t not in seen:
            for v in succ[open_nodes.pop()]:
                if v not in seen:
                    seen.add(v)
                    open_nodes.append(v)
        if t not in seen:
            lost.append((s, t))
    return lost
