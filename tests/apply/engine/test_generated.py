"""Resources that others bring: the laws of the time line hold for them, and nothing is lost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.apply.engine.commands import (
    CommandError,
    FinishContainer,
    Pick,
    Restart,
    RunTo,
    Step,
    StepBack,
    Stop,
)
from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.fold import fold
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.state import RunState
from analyzer.apply.engine.world import Simulation
from analyzer.apply.provider import ProviderError
from analyzer.apply.timeline import Timeline
from analyzer.model.resource import Resource
from analyzer.session.inputs import graph_of, load_catalog
from tests.amount import examples

from .test_laws import with_time

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bringing(Simulation):
    """A world in which some resources bring files."""

    brought: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def generators(self) -> Mapping[str, str]:
        return {"Service": "", "File": ""}

    def generate(self, resource: Resource, others: Collection[Resource]) -> Sequence[Resource]:
        paths = self.brought.get(str(resource), ())
        if "fails" in paths:
            raise ProviderError("it is too large")
        own = {"outcome": "change", **resource.parameters}
        kept = {k: v for k, v in own.items() if k in ("outcome", "noop", "refresh_outcome")}
        return [Resource("File", path, dict(kept)) for path in paths]


def service(title: str, **parameters: Any) -> Row:
    return {"type": "Service", "title": title, "parameters": {"outcome": "change", **parameters}}


def timeline_of(
    rows: list[Row], brought: Mapping[str, Sequence[str]], told: Mapping[str, Outcome] | None = None
) -> Timeline:
    main = [{"type": "Stage", "title": "main"}, {"type": "Class", "title": "main"}]
    edges = [{"source": "Stage[main]", "target": "Class[main]"}]
    edges += [{"source": "Class[main]", "target": f"{r['type']}[{r['title']}]"} for r in rows]
    catalog = load_catalog({"name": "x", "resources": [*main, *rows], "edges": edges})
    graph = RunGraph(graph_of(catalog))
    settings = RunSettings(puppet_version=7)
    return Timeline(graph, Bringing(brought=brought), settings, told)


def names(timeline: Timeline) -> list[str]:
    return [str(ref) for ref in timeline.order][: -7 or None]


TREE = {"Service[a]": ("/t/d", "/t/d/x", "/t/d/y", "/t/z")}


def test_right_behind_what_brings_them() -> None:
    timeline = timeline_of([service("a"), service("b"), service("c")], TREE).run()
    assert names(timeline) == [
        *("Service[a]", "File[/t/d]", "File[/t/d/x]", "File[/t/d/y]", "File[/t/z]"),
        *("Service[b]", "Service[c]"),
    ]
    assert [str(ref) for ref, _ in timeline.resources()][:6] == names(timeline)[:6]
    assert timeline.log()[1].source == "/Stage[main]/Main/File[/t/d]/outcome"


def test_what_fails_is_waited_for_by_all_behind() -> None:
    rows = [service("a"), service("b", require="Service[a]"), service("c")]
    timeline = timeline_of(rows, TREE)
    timeline.do(Step())
    assert [str(ref) for ref in timeline.ready()][:3] == ["File[/t/d]", "File[/t/z]", "Service[c]"]
    timeline.graph.resource(timeline.graph.find("File[/t/d]")).parameters["outcome"] = "fail"  # type: ignore[union-attr]
    timeline.run()
    skipped = [str(ref) for ref, status in timeline.resources() if status.skipped]
    assert skipped == ["File[/t/d/x]", "File[/t/d/y]", "Service[b]"]


def test_events_of_what_is_brought_go_where_its_bringer_sends() -> None:
    rows = [service("a", outcome="ok"), service("b", subscribe="Service[a]", outcome="ok")]
    timeline = timeline_of(rows, {"Service[a]": ("/t",)})
    timeline.do(Step())
    timeline.graph.resource(timeline.graph.find("File[/t]")).parameters["outcome"] = "change"  # type: ignore[union-attr]
    timeline.run()
    assert [(line.source, line.message) for line in timeline.log() if "efresh" in line.message] == [
        ("a", "Scheduling refresh of Service[b]"),
        ("/Stage[main]/Main/Service[b]", "Triggered 'refresh' from 1 event"),
    ]


def test_what_cannot_be_brought_fails_the_run() -> None:
    timeline = timeline_of([service("a"), service("b")], {"Service[a]": ("fails",)}).run()
    assert timeline.status == "failed"
    assert timeline.log()[0].message == (
        "Failed to generate additional resources using 'eval_generate': it is too large"
    )
    assert not any(status.failed for _, status in timeline.resources())


def test_commands_know_them() -> None:
    timeline = timeline_of([service("a"), service("b")], TREE)
    timeline.do(Step())
    timeline.do(Pick("File[/t/z]"))
    assert names(timeline) == []
    assert [str(ref) for ref in timeline.order] == ["Service[a]", "File[/t/z]"]
    status = timeline.status_of("File[/t/z]")
    assert status is not None
    assert status.changed


def test_one_can_go_to_them_and_to_their_end() -> None:
    timeline = timeline_of([service("a"), service("b")], TREE)
    timeline.do(Step())
    timeline.do(RunTo("File[/t/d/y]"))
    assert str(timeline.order[-1]) == "File[/t/d/x]"
    timeline.do(FinishContainer("Service[a]"))
    assert str(timeline.order[-1]) == "File[/t/z]"
    with pytest.raises(CommandError, match=r"File\[/t/z\] contains nothing"):
        timeline.do(FinishContainer("File[/t/z]"))


@pytest.mark.parametrize("steps", range(8))
def test_stopped_anywhere_all_that_is_left_is_passed_over(steps: int) -> None:
    rows = [service("a"), service("b", require="Service[a]"), service("c"), service("d")]
    rows[2]["parameters"]["before"] = "Service[d]"
    told = {"Service[c]": Outcome("unsuitable")}
    timeline = timeline_of(rows, TREE, told)
    timeline.do(Step(steps))
    done = timeline.order
    timeline.do(Stop())
    assert timeline.state.phase == "ended"
    statuses = dict(timeline.resources())
    everything = {str(ref) for ref in statuses}
    assert {f"Service[{name}]" for name in "abcd"} <= everything
    assert [ref for ref, status in statuses.items() if not status.skipped] == done
    assert timeline.advance(Stop()) is False
    assert fold(timeline.start, timeline.events, timeline.graph) == timeline.state


@st.composite
def catalogs(draw: st.DrawFn) -> tuple[list[Row], dict[str, list[str]]]:
    """Services that are ordered somehow, and what they bring."""
    count = draw(st.integers(1, 6))
    rows, brought = [], {}
    for number in range(count):
        outcome = draw(st.sampled_from(("change", "change", "ok", "fail")))
        before = [f"Service[s{n}]" for n in range(number + 1, count) if draw(st.booleans())]
        kind = draw(st.sampled_from(("before", "notify")))
        noop = {"noop": True} if draw(st.integers(0, 5)) == 0 else {}
        rows.append(service(f"s{number}", outcome=outcome, **{kind: before}, **noop))
        paths = draw(st.sets(st.sampled_from(("a", "a/b", "a/b/c", "d", "d/e")), max_size=4))
        brought[f"Service[s{number}]"] = [f"/{number}/{path}" for path in sorted(paths)]
    order = draw(st.permutations(rows))
    return list(order), brought


@with_time
@given(catalogs(), st.integers(0, 1000))
def test_laws(made: tuple[list[Row], dict[str, list[str]]], seed: int) -> None:
    rows, brought = made
    timeline = timeline_of(rows, brought)
    random = Random(seed)
    for _ in range(random.randint(0, 20)):
        ready = timeline.ready()
        if ready and random.random() < 0.5:
            timeline.do(Pick(str(random.choice(ready))))
        else:
            timeline.do(random.choice((Step(2), Step(), StepBack(2), Restart())))
    timeline.run()
    again = fold(timeline.start, timeline.events, timeline.graph)
    assert again == timeline.state
    fresh = RunGraph(timeline.graph.graph)
    assert fold(RunState.start(fresh, {}), timeline.events, fresh) == timeline.state
    order = [str(ref) for ref in timeline.order]
    everything = {f"Service[s{n}]" for n in range(len(rows))}
    everything |= {f"File[{path}]" for paths in brought.values() for path in paths}
    assert everything <= set(order)
    assert len(set(order)) == len(order)
    place = {ref: number for number, ref in enumerate(order)}
    for row in rows:
        name = f"Service[{row['title']}]"
        own = [f"File[{path}]" for path in brought[name]]
        for later in (*row["parameters"].get("before", ()), *row["parameters"].get("notify", ())):
            assert all(place[one] < place[later] for one in (name, *own))
        for path in brought[name]:
            above = [f"File[{path[:n]}]" for n in range(len(path)) if path[:n] in brought[name]]
            assert all(place[one] < place[f"File[{path}]"] for one in (name, *above))


@settings(max_examples=examples(30), deadline=None)
@given(catalogs())
def test_back_and_forth(made: tuple[list[Row], dict[str, list[str]]]) -> None:
    timeline = timeline_of(*made).run()
    states = []
    while timeline.position:
        states.append(timeline.state)
        timeline.do(StepBack())
    for state in reversed(states):
        timeline.do(Step())
        assert timeline.state == state


@pytest.mark.parametrize("count", [3000])
def test_many_at_once(count: int) -> None:
    brought = {"Service[a]": [f"/t/{number}" for number in range(count)]}
    timeline = timeline_of([service("a"), service("b", require="Service[a]")], brought).run()
    assert len(timeline.order) == count + 2 + 7
    assert timeline.status == "changed"
