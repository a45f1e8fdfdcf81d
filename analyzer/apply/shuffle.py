"""Other legal orders: what comes out differently, and the relationship that is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.faults import FAIL, OK, merged
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.world import Simulation
from analyzer.apply.needs import Need, needs_among
from analyzer.apply.timeline import Timeline
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.refs import ResourceRef


@dataclass(frozen=True, slots=True)
class OrderDependence:
    """A resource that does not come out the same in all orders.

    `usual` are the words of its status in Puppet's own order, `others` those of the other orders
    with how often they were seen. `missing` are the resources that are to come before it.
    """

    ref: ResourceRef
    usual: str
    others: tuple[tuple[str, int], ...]
    missing: tuple[ResourceRef, ...]


def shuffle(
    graph: RelationshipGraph,
    times: int,
    *,
    seed: int = 0,
    world: Simulation | None = None,
    settings: RunSettings | None = None,
    outcomes: Mapping[str, Outcome] | None = None,
) -> list[OrderDependence]:
    """Run a catalog in Puppet's order and in `times` random legal ones; return what differs."""
    needs = [need for need in needs_among(graph.resources) if need.bringer != need.needer]
    others: dict[int, Counter[str]] = {}
    usual: Sequence[str] = ()
    for turn in range(times + 1):
        rank = graph.ranks("random", seed + turn) if turn else None
        order = {node: place for place, node in enumerate(graph.traverse(rank))}
        chosen = {**(outcomes or {})}
        for i, outcome in outcomes_in(order, needs).items():
            ref = str(graph.provenance.refs[i])
            chosen[ref] = merged(outcome, chosen.get(ref, Outcome()))
        start = (world or Simulation()).anew()
        timeline = Timeline(RunGraph(graph, rank), start, settings, chosen)
        found = words_of(timeline.run())
        usual = usual or found
        for i, word in enumerate(found):
            if word != usual[i]:
                others.setdefault(i, Counter())[word] += 1
    return differences(graph, usual, others, needs)


def outcomes_in(order: Mapping[int, int], needs: Sequence[Need]) -> dict[int, Outcome]:
    """Return the outcomes of the needs in an order: unmet ones fail, met ones spare work."""
    met = {(n.needer, n.thing) for n in needs if order[n.bringer] < order[n.needer]}
    found: dict[int, Outcome] = {}
    for need in needs:
        is_met = (need.needer, need.thing) in met
        if need.spares and is_met:
            found.setdefault(need.needer, Outcome(OK))
        elif not need.spares and not is_met:
            found[need.needer] = Outcome(FAIL)
    return found


def words_of(timeline: Timeline) -> list[str]:
    """Return the word for what became of each resource."""
    graph, statuses = timeline.graph, timeline.state.statuses
    return [
        word_of(statuses[i]) if graph.resource(i) is not None else "" for i in range(graph.vertices)
    ]


def word_of(status: object) -> str:
    """Return the one word of a status that says most."""
    for flag in ("failed", "skipped", "restarted", "changed"):
        if getattr(status, flag, False):
            return "refreshed" if flag == "restarted" else flag
    return "unchanged"


def differences(
    graph: RelationshipGraph,
    usual: Sequence[str],
    others: Mapping[int, Counter[str]],
    needs: Sequence[Need],
) -> list[OrderDependence]:
    """Return the differences by place in the catalog, with what would end them."""
    refs = graph.provenance.refs
    found = []
    for i in sorted(others):
        bringers = {need.bringer: None for need in needs if need.needer == i}
        missing = [refs[b] for b in bringers if graph.why(refs[b], refs[i]).verdict == "unordered"]
        counted = tuple(sorted(others[i].items(), key=lambda row: (-row[1], row[0])))
        found.append(OrderDependence(refs[i], usual[i], counted, tuple(missing)))
    return found
