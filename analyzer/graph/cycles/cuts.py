"""Breaks cycles: finds the cheapest statements whose removal leaves no cycle, and the cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from analyzer.graph.algorithms.components import components
from analyzer.graph.algorithms.hitting_set import Way, feedback_order, hitting_set, order_of_places
from analyzer.graph.algorithms.incremental_order import IncrementalOrder
from analyzer.graph.algorithms.walks import Walker
from analyzer.graph.cycles.losses import lost_outside
from analyzer.graph.cycles.statements import Pair, Statement, StatementTable
from analyzer.graph.kernel import Kernel
from analyzer.graph.provenance import Provenance
from analyzer.source import Span

# The most edges that the search for the cheapest statements visits.
SEARCHED = 1_000_000

# In larger components (by edges), no greedy order is tried.
GREEDY = 100_000

# The most nodes visited while superfluous statements are put back.
PUT_BACK = 3_000_000

# The number of removed edges whose loss is computed together.
BLOCK = 1024

# The most lost pairs that a cut names; the others are counted.
NAMED_PAIRS = 50


@dataclass(frozen=True, slots=True)
class Cut:
    """Statements to remove, and the orderings (before, after) that are lost.

    `lost` holds at most 50 of `lost_count`; a container counts as a whole. `exact` is true if no
    cheaper cut exists.
    """

    statements: tuple[Statement, ...]
    lost: tuple[tuple[str, str], ...]
    lost_count: int
    exact: bool

    @property
    def place(self) -> Span | None:
        """Return the place of a finding about the cycle: the first known one of its statements."""
        spans = (statement.example.origin.span for statement in self.statements)
        return next((span for span in spans if span), None)


def smallest_cut(kernel: Kernel, provenance: Provenance, component: list[int]) -> Cut:
    """Return the cheapest statements to remove so that the component has no cycle.

    If the search takes too long, return a cheap set of statements that is sufficient.
    """
    table = StatementTable(kernel, provenance, component)
    weights = table.weights()
    chosen, exact = searched_cut(kernel, table, weights) or (
        approximate_cut(kernel, table, weights),
        False,
    )
    # Removing a self-edge loses no order.
    ref = provenance.ref
    gone = [pair for pair, behind in table.behind.items() if chosen.issuperset(behind)]
    lost = sorted(
        (s, t)
        for s, t in (
            *lost_pairs(kernel, table, chosen),
            *lost_outside(kernel, provenance, table, chosen, gone),
        )
        if ref(s) != ref(t)
    )
    names = [(str(provenance.ref(s)), str(provenance.ref(t))) for s, t in lost[:NAMED_PAIRS]]
    statements = sorted(
        (table.statement(n) for n in chosen), key=lambda s: (s.cost, str(s.example))
    )
    return Cut(tuple(statements), tuple(names), len(lost), exact)


def searched_cut(
    kernel: Kernel, table: StatementTable, weights: list[int]
) -> tuple[frozenset[int], bool] | None:
    """Return the cheapest sufficient statements, and whether that is certain; None: too hard.

    Short cycles are collected one by one; each time, the cheapest set of statements that hits all
    of them is removed, until no cycle is left. The last set hits every cycle that was needed to
    find it, so it is a smallest one, unless a cycle has an edge that only exists after a removal.
    """
    constraints: list[tuple[Way, ...]] = []
    chosen: frozenset[int] | None = frozenset()
    exact = True
    while chosen is not None and len(constraints) * len(table.behind) <= SEARCHED:
        cycle = some_cycle(remaining(kernel, table, chosen))
        if cycle is None:
            return chosen, exact
        ways, today = ways_to_break(kernel, cycle, table)
        constraints.append(ways)
        exact = exact and today
        chosen = hitting_set(constraints, weights)
    return None


def approximate_cut(kernel: Kernel, table: StatementTable, weights: list[int]) -> frozenset[int]:
    """Return sufficient statements: those that contradict an order that respects most edges.

    It uses the better of two orders: that of the catalog, which mostly is the intended order, and a
    greedy one, in which the edges of a statement share its cost. The greedy one takes too long in a
    large component. Superfluous statements are put back, the most expensive first.
    """
    succ = remaining(kernel, table, frozenset())
    found = [statements_against(order_of_places(succ, kernel.place_of), table)]
    if len(table.behind) <= GREEDY:
        edges = {
            pair: sum(weights[n] // len(table.edges[n]) + 1 for n in behind)
            for pair, behind in table.behind.items()
        }
        found.append(statements_against(feedback_order(table.inside, edges), table))
    chosen = min(found, key=lambda numbers: sum(weights[n] for n in numbers))
    while cycle := some_cycle(remaining(kernel, table, frozenset(chosen))):
        ways, _ = ways_to_break(kernel, cycle, table)
        chosen |= min(ways, key=lambda way: (sum(weights[n] for n in way - chosen), sorted(way)))
    return without_needless(kernel, table, chosen, weights)


def statements_against(order: list[int], table: StatementTable) -> set[int]:
    """Return the statements of all edges that do not go forward in an order."""
    place = {v: n for n, v in enumerate(order)}
    pairs = [pair for pair in table.behind if place[pair[0]] >= place[pair[1]]]
    return {n for pair in pairs for n in table.behind[pair]}


def without_needless(
    kernel: Kernel, table: StatementTable, chosen: set[int], weights: list[int]
) -> frozenset[int]:
    """Return the necessary statements of the cut, as far as the budget allows.

    Statements that agree with an order of the remaining graph are put back at once. Of the rest,
    the most expensive is tried first.
    """
    succ = remaining(kernel, table, frozenset(chosen))
    order = IncrementalOrder(succ, order_of_places(succ, kernel.place_of))
    fixed = {number for _, number in table.sprung.values()}
    for sure in (True, False):
        for n in sorted(chosen - fixed, key=lambda n: (-weights[n], n)):
            back = [p for p in table.edges[n] if chosen.issuperset(table.behind[p])]
            if sure and not all(order.forward(s, t) for s, t in back):
                continue
            if order.steps > PUT_BACK:
                break
            if add_all(order, back):
                chosen.discard(n)
    return frozenset(chosen)


def add_all(order: IncrementalOrder, pairs: list[Pair]) -> bool:
    """Add all edges unless they make a cycle; return whether they were added."""
    for number, (s, t) in enumerate(pairs):
        if not order.add(s, t):
            for added in pairs[:number]:
                order.drop(*added)
            return False
    return True


def remaining(
    kernel: Kernel, table: StatementTable, removed: frozenset[int]
) -> dict[int, list[int]]:
    """Return the component's successors after removals, with the edges that these create."""
    succ: dict[int, list[int]] = {v: [] for v in sorted(table.inside)}
    for x in kernel.owner:
        if x in succ and kernel.completed[x] in succ and table.holding.get(x, removed) <= removed:
            succ[x].append(kernel.completed[x])
    for (s, t), behind in table.behind.items():
        if not removed.issuperset(behind):
            succ[s].append(t)
    for (s, t), (blocker, number) in table.sprung.items():
        if number not in removed and removed.issuperset(table.behind.get(blocker, (number,))):
            succ[s].append(t)
    return succ


def some_cycle(succ: dict[int, list[int]]) -> list[int] | None:
    """Return a short cycle of the remaining graph, or None."""
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

    The second value is true if every edge exists now, so that the cycle must be broken in any case.
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


def lost_pairs(kernel: Kernel, table: StatementTable, removed: frozenset[int]) -> list[Pair]:
    """Return the removed edges that no remaining path implies."""
    succ = remaining(kernel, table, removed)
    order = order_of_places(succ, kernel.place_of)
    targets: dict[int, set[int]] = {}
    for n in removed:
        for s, t in table.pairs(n):
            targets.setdefault(s, set()).add(t)
    sources = sorted(targets)
    lost: list[Pair] = []
    for start in range(0, len(sources), BLOCK):
        bits = {s: 1 << k for k, s in enumerate(sources[start : start + BLOCK])}
        before = ahead_of(succ, order, bits)
        lost += [
            (s, t) for s, bit in bits.items() for t in sorted(targets[s]) if not before[t] & bit
        ]
    return lost


def ahead_of(succ: dict[int, list[int]], order: list[int], bits: dict[int, int]) -> dict[int, int]:
    """Return for each node of an acyclic graph which of some nodes come before it, as bits."""
    before = dict.fromkeys(succ, 0)
    for v in order:
        mask = before[v] | bits.get(v, 0)
        if mask:
            for t in succ[v]:
                before[t] |= mask
    return before
