"""Works on the second run: legal orders whose first run fails where a need is not met yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.faults import FAIL
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.world import Simulation
from analyzer.apply.needs import Need, Thing
from analyzer.apply.timeline import Timeline
from analyzer.graph.relationship_graph import RelationshipGraph


@dataclass(frozen=True, slots=True)
class TwoRuns:
    """A need that an order does not meet: what fails first, and whether a second run succeeds.

    `skipped` counts the resources that the first run skips.
    """

    need: Need
    heals: bool
    skipped: int


def two_runs(
    graph: RelationshipGraph, needs: Sequence[Need], rank: Sequence[int] | None
) -> Iterator[TwoRuns]:
    """Run a catalog twice in one legal order; yield what fails in the first run for a need.

    The second run starts with all that the first one brought.
    """
    turn = {node: place for place, node in enumerate(graph.traverse(rank))}
    first = run_once(graph, needs, turn, rank, frozenset())
    if not first.unmet:
        return
    second = run_once(graph, needs, turn, rank, first.done)
    for need in needs:
        if (need.needer, need.thing) in first.unmet:
            yield TwoRuns(need, need.needer in second.done, first.skipped)


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run: resources that succeeded, unmet needs by needer, and skipped ones."""

    done: frozenset[int]
    unmet: frozenset[tuple[int, Thing]]
    skipped: int


def run_once(
    graph: RelationshipGraph,
    needs: Sequence[Need],
    turn: dict[int, int],
    rank: Sequence[int] | None,
    there: frozenset[int],
) -> RunResult:
    """Run a catalog where the work of some resources is there already."""
    wanted = {(need.needer, need.thing) for need in needs}
    met = {
        (need.needer, need.thing)
        for need in needs
        if need.bringer in there or turn[need.bringer] < turn[need.needer]
    }
    unmet = frozenset(wanted - met)
    refs = graph.provenance.refs
    told = {str(refs[needer]): Outcome(FAIL) for needer, _ in unmet}
    statuses = Timeline(RunGraph(graph, rank), Simulation(), None, told).run().state.statuses
    done, skipped = set(there), 0
    for i in range(graph.vertices):
        status = statuses[i]
        skipped += bool(getattr(status, "skipped", False))
        if not (getattr(status, "failed", False) or getattr(status, "skipped", False)):
            done.add(i)
    return RunResult(frozenset(done), unmet, skipped)


def late_bringers(graph: RelationshipGraph, needs: Sequence[Need]) -> list[int]:
    """Return the ranks of a legal order in which needers come as early as they can."""
    before = graph.predecessors()
    early: set[int] = set()
    pending = [need.needer for need in needs]
    while pending:
        node = pending.pop()
        if node not in early:
            early.add(node)
            pending += before[node]
    return [i if i in early else i + graph.vertices for i in range(graph.vertices)]
