"""The orderings that a cut loses outside of its cycle: those of an arrow between collectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from analyzer.graph.cycles.statements import Pair, StatementTable
from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import INWARD
from analyzer.graph.provenance import Provenance
from analyzer.source import Span

# The most edges visited in the search for other paths. What is not searched counts as lost.
SEARCHED = 1_000_000


def lost_outside(
    kernel: Kernel,
    provenance: Provenance,
    table: StatementTable,
    removed: frozenset[int],
    gone: Iterable[Pair],
) -> list[Pair]:
    """Return the edges that statements make outside of the component, and no other path implies.

    `gone` are the edges that their removal takes out of the component.
    """
    spans = {key for key, number in table.keys.items() if number in removed}
    arrows = {span for span in spans if isinstance(span, Span)}
    pairs = [pair for pair in pairs_of_arrows(provenance, arrows) if not is_inside(table, *pair)]
    single = [pair for pair in pairs if not is_made_otherwise(provenance, *pair, arrows)]
    rows = [table.junctions[number] for number in removed if number in table.junctions]
    joined = [pair for row in rows for pair in pairs_of_junction(kernel, row)]
    completed = kernel.completed
    closed = {(completed[s], t) for s, t in single}.union(gone)
    junctions = {kernel.vertices + len(kernel.owner) + row for row in rows}
    targets: dict[int, set[int]] = {}
    for s, t in (*single, *(pair for pair in joined if not is_inside(table, *pair))):
        targets.setdefault(completed[s], set()).add(t)
    steps = [SEARCHED]
    return [
        (start, t)
        for start in sorted(targets)
        for t in sorted(targets[start] - reachable(kernel, start, closed, junctions, steps))
    ]


def is_inside(table: StatementTable, s: int, t: int) -> bool:
    """Return whether both ends of an edge are in the component."""
    return table.kernel.completed[s] in table.inside and t in table.inside


def pairs_of_arrows(provenance: Provenance, spans: set[Span]) -> Iterator[Pair]:
    """Yield the ends of the relationships that arrows at some places make, in ids."""
    if spans:
        yield from ((s, t) for s, t, span in provenance.arrows() if span in spans)


def pairs_of_junction(kernel: Kernel, row: int) -> Iterator[Pair]:
    """Yield the ends of the relationships of a junction, in ids."""
    label, members, targets = kernel.junctions[row]
    yield from product(targets, members) if label in INWARD else product(members, targets)


def is_made_otherwise(provenance: Provenance, s: int, t: int, spans: set[Span]) -> bool:
    """Return whether something else than arrows at some places makes an edge, in ids."""
    kernel = provenance.kernel
    for row in provenance.rows_of((s, t)):
        holder, label, ids = kernel.declared[row]
        other = s if label in INWARD else t
        if holder == (t if label in INWARD else s) and any(
            one == other and provenance.arrow(holder, label, position) not in spans
            for position, one in enumerate(ids)
        ):
            return True
    dropped = (row for row in provenance.dropped_from((s,)) if not row[4])
    return any(row[1] == t for row in (*provenance.automatic_from((s,)), *dropped))


def reachable(
    kernel: Kernel, start: int, closed: set[Pair], junctions: set[int], steps: list[int]
) -> set[int]:
    """Return the nodes after a node, without some edges and junctions; `steps` are left."""
    seen: set[int] = set()
    pending = [start]
    while pending and steps[0] > 0:
        node = pending.pop()
        steps[0] -= len(kernel.succ[node])
        for t in kernel.succ[node]:
            if t not in seen and t not in junctions and (node, t) not in closed:
                seen.add(t)
                pending.append(t)
    return seen
