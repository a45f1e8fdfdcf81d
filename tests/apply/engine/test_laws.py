"""Laws of the engine: replay, going back, noop, second runs, other orders, the order of edges."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from analyzer.apply.engine.commands import Inject, Pick, Restart, SetNoop, Step, StepBack
from analyzer.apply.engine.events import SUCCESS, Changed, Outcome, OutcomeSet
from analyzer.apply.engine.fold import fold
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.simulate import simulate
from analyzer.apply.timeline import CHECKPOINT, Timeline
from analyzer.graph.labels import EVENTFUL
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.graph.replay import expanded_tables
from analyzer.session.inputs import graph_of, load_catalog
from analyzer.session.settings import rules_for
from tests.amount import examples
from tests.graph.random_catalogs import documents

from .runs import sim_types

Document = dict[str, Any]
OUTCOMES = ("ok", "change", "change", "fail")

with_time = settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@st.composite
def graphs(draw: st.DrawFn) -> RelationshipGraph:
    """Graphs without a cycle; their resources say what happens to them."""
    text = json.dumps(draw(documents(acyclic=True))).replace("Notify", "Sim")
    document = json.loads(text)
    document["edges"] = [dict(pair) for pair in {tuple(e.items()): 0 for e in document["edges"]}]
    for row in document["resources"]:
        if row["type"] == "Sim":
            row["parameters"]["outcome"] = draw(st.sampled_from(OUTCOMES))
            row["parameters"]["refresh_outcome"] = draw(st.sampled_from(["ok", "ok", "fail"]))
        if draw(st.integers(0, 9)) == 0:
            row["parameters"]["noop"] = draw(st.booleans())
    graph = graph_from(document)
    assume(not graph.has_cycle)
    return graph


def graph_from(document: Document) -> RelationshipGraph:
    catalog = load_catalog(document)
    return graph_of(catalog, rules_for(catalog, sim_types()))


def plain(graph: RelationshipGraph) -> list[str]:
    """The references of resources that are no containers."""
    return [str(ref) for ref in graph.order()]


def wander(timeline: Timeline, rng: Random, refs: list[str]) -> None:
    """Go through a time line in all directions, with things happening by the way."""
    for _ in range(rng.randint(1, 30)):
        turn = rng.random()
        if turn < 0.5:
            timeline.do(Step(rng.randint(1, 3)))
        elif turn < 0.7:
            timeline.do(StepBack(rng.randint(1, 4)))
        elif turn < 0.8:
            timeline.do(Inject(rng.choice(refs), Outcome(rng.choice(OUTCOMES))))
        elif turn < 0.85:
            timeline.do(SetNoop(rng.random() < 0.5, rng.choice([*refs, ""])))
        elif turn < 0.9:
            timeline.do(Restart())
        elif ready := timeline.ready():
            timeline.do(Pick(str(rng.choice(ready))))


@given(graphs(), st.randoms(use_true_random=False))
@with_time
def test_replay_is_the_live_state(graph: RelationshipGraph, rng: Random) -> None:
    timeline = Timeline(RunGraph(graph))
    wander(timeline, rng, plain(graph))
    assert fold(timeline.start, timeline.past(), timeline.graph) == timeline.state


@given(graphs(), st.randoms(use_true_random=False))
@with_time
def test_back_after_forward_is_the_identity(graph: RelationshipGraph, rng: Random) -> None:
    timeline = Timeline(RunGraph(graph))
    wander(timeline, rng, plain(graph))
    position, state, past = timeline.position, timeline.state, timeline.past()
    steps = rng.randint(1, 20)
    timeline.do(Step(steps))
    timeline.do(StepBack(timeline.position - position))
    assert (timeline.state, timeline.past()) == (state, past)


@given(graphs(), st.randoms(use_true_random=False))
@with_time
def test_a_run_goes_the_same_way_twice(graph: RelationshipGraph, rng: Random) -> None:
    timeline = Timeline(RunGraph(graph)).run()
    whole = list(timeline.events)
    timeline.do(StepBack(rng.randint(0, len(timeline))))
    timeline.do(Inject(plain(graph)[0], Outcome()))
    ran = timeline.run().events
    assert [event for event in ran if not isinstance(event, OutcomeSet)] == whole


@given(graphs())
@with_time
def test_order_is_the_graphs(graph: RelationshipGraph) -> None:
    assert simulate(graph).order == graph.order()


@given(graphs(), st.randoms(use_true_random=False))
@with_time
def test_any_ready_resource_may_be_next(graph: RelationshipGraph, rng: Random) -> None:
    timeline = Timeline(RunGraph(graph))
    while ready := timeline.ready():
        timeline.do(Pick(str(rng.choice(ready))))
    assert timeline.state.phase == "ended"
    assert sorted(timeline.order) == sorted(graph.order())


@given(graphs())
@with_time
def test_noop_changes_nothing(graph: RelationshipGraph) -> None:
    for resource in graph.catalog.resources:
        resource.parameters.pop("noop", None)
    timeline = simulate(graph, noop=True)
    assert timeline.values() == {}
    assert not any(isinstance(e, Changed) and e.event.status == SUCCESS for e in timeline.events)
    assert timeline.status in ("unchanged", "failed")


@given(graphs())
@with_time
def test_second_run_changes_nothing(graph: RelationshipGraph) -> None:
    first = simulate(graph)
    second = simulate(graph, state=first.values())
    made = [
        graph.resources[event.node].type
        for event in second.events
        if isinstance(event, Changed) and event.event.status == SUCCESS
    ]
    assert set(made) <= {"Sim"}


@given(graphs())
@with_time
def test_edges_are_in_puppets_order(graph: RelationshipGraph) -> None:
    tables = expanded_tables(graph.kernel)
    wiring = graph.wiring()
    for node in range(graph.ends):
        assert wiring.sources(node, lambda _: True) == list(tables.incoming[node])
        targets = [e[1] for found in tables.outgoing[node].values() for e in found]
        eventful = [e[2] in EVENTFUL for found in tables.outgoing[node].values() for e in found]
        assert wiring.targets(node) == [
            t for t, sent in zip(targets, eventful, strict=True) if sent
        ]


def test_states_between_checkpoints_are_folded_anew() -> None:
    rows = [{"type": "Notify", "title": f"n{n}", "kind": "compilable_type"} for n in range(200)]
    timeline = Timeline(RunGraph(graph_from({"name": "n", "resources": rows, "edges": []})))
    states = []
    while timeline.advance(Step()):
        states.append(timeline.state)
    assert len(states) > 3 * CHECKPOINT
    for position in (200, 130, 129, 128, 127, 65, 64, 63, 1):
        timeline.do(StepBack(timeline.position - position))
        assert timeline.state == states[position - 1]
