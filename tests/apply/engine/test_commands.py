"""Commands on a time line: run to, finish a container, pick, inject, breakpoints, schedules."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

import analyzer
from analyzer.apply.breakpoints import Breakpoints
from analyzer.apply.engine.commands import (
    CommandError,
    Continue,
    FinishContainer,
    Inject,
    Pick,
    Restart,
    RunTo,
    SetNoop,
    Step,
    StepBack,
)
from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.schedule import ScheduleError, allows
from analyzer.apply.timeline import Timeline, timeline_of
from analyzer.session.inputs import graph_of, load_catalog


def timeline(count: int = 6) -> Timeline:
    """Notify resources in a row, the first half of them in a class."""
    rows: list[dict[str, Any]] = [{"type": "Class", "title": "K", "kind": "class"}]
    for n in range(count):
        after = {"before": f"Notify[n{n + 1}]"} if n % 2 == 0 else {}
        row = {"type": "Notify", "title": f"n{n}", "kind": "compilable_type", "parameters": after}
        rows.append(row)
    edges = [{"source": "Class[K]", "target": f"Notify[n{n}]"} for n in range(count // 2)]
    document = {"name": "n", "catalog_format": 2, "resources": rows, "edges": edges}
    return timeline_of(graph_of(load_catalog(document)))


def next_of(line: Timeline) -> str:
    node = line.next
    return "" if node is None else str(line.graph.refs[node])


def test_run_to_stops_before() -> None:
    line = timeline()
    line.do(RunTo("Notify[n4]"))
    assert next_of(line) == "Notify[n4]"
    line.do(Restart())
    assert (line.position, next_of(line)) == (0, "Notify[n0]")


def test_finish_container() -> None:
    line = timeline()
    line.do(FinishContainer())
    assert next_of(line) == "Notify[n3]"
    with pytest.raises(CommandError, match="nothing contains"):
        line.do(FinishContainer())
    with pytest.raises(CommandError, match=r"Notify\[n0\] contains nothing"):
        line.do(FinishContainer("Notify[n0]"))


def test_pick_takes_what_is_ready() -> None:
    line = timeline()
    line.do(Pick("Notify[n4]"))
    assert [str(ref) for ref in line.order] == ["Notify[n4]"]
    with pytest.raises(CommandError, match="not ready"):
        line.do(Pick("Notify[n4]"))
    with pytest.raises(CommandError, match="did you mean"):
        line.do(Pick("Notify[n44]"))


def test_pick_in_a_run_that_could_not_begin() -> None:
    rows = [
        {"type": "Notify", "title": one, "parameters": {"require": f"Notify[{other}]"}}
        for one, other in (("a", "b"), ("b", "a"), ("c", "c2"))
    ]
    rows[2]["parameters"] = {}
    line = timeline_of(graph_of(load_catalog({"name": "n", "resources": rows, "edges": []})))
    with pytest.raises(CommandError, match="not ready"):
        line.do(Pick("Notify[c]"))


def test_a_change_that_was_told_is_the_one_from_nothing() -> None:
    rows = [
        {"type": "File", "title": "/a", "parameters": {"content": "x"}},
        {"type": "Exec", "title": "/bin/b", "parameters": {"refreshonly": True}},
    ]
    graph = graph_of(load_catalog({"name": "n", "resources": rows, "edges": []}))
    events = [
        (event.property, event.name)
        for _, status in analyzer.simulate(graph, changed=["File[/a]", "Exec[/bin/b]"]).resources()
        for event in status.events
    ]
    assert events == [("ensure", "file_created"), ("returns", "executed_command")]


def test_inject_takes_another_way() -> None:
    line = timeline().run()
    assert line.status == "changed"
    line.do(Restart())
    line.do(Inject("Notify[n0]", Outcome("fail")))
    line.run()
    assert line.status == "failed"
    skipped = line.status_of("Notify[n1]")
    assert skipped is not None
    assert skipped.skipped


def test_noop_of_the_rest_of_a_run() -> None:
    line = timeline()
    line.do(Step(2))
    line.do(SetNoop(noop=True))
    line.run()
    changed = [str(ref) for ref, status in line.resources() if status.changed]
    assert changed == ["Notify[n0]", "Notify[n1]"]


def test_breakpoints() -> None:
    line = timeline()
    line.breakpoints = Breakpoints(nodes=frozenset({line.graph.find("Notify[n2]")}), failure=True)
    line.do(Inject("Notify[n4]", Outcome("fail")))
    line.do(Continue())
    assert next_of(line) == "Notify[n2]"
    line.do(Continue())
    assert next_of(line) == "Notify[n5]"
    line.do(StepBack(100))
    assert line.position == 0


def test_unsuitable_at_the_last_moment() -> None:
    line = timeline()
    line.do(Inject("Notify[n0]", Outcome("unsuitable")))
    line.run()
    assert line.log()[-1].message == "Could not find a suitable provider for notify"


def test_public_call() -> None:
    line = analyzer.simulate(timeline().graph.graph, fail=["Notify[n0]"])
    assert [line.status, len(line)] == ["failed", 13]


NIGHT = {"range": "22:00 - 04:00", "weekday": ["Saturday", "0"]}


@pytest.mark.parametrize(
    ("parameters", "when", "allowed"),
    [
        ({"period": "never"}, "2024-05-15T12:00", False),
        ({"period": "hourly"}, "2024-05-15T12:00", True),
        ({"period": "hourly", "periodmatch": "number"}, "2024-05-15T00:30", False),
        ({"period": "daily", "periodmatch": "number"}, "2024-05-01T12:00", False),
        ({"range": "2 - 4"}, "2024-05-15T04:00:00", True),
        ({"range": "2 - 4"}, "2024-05-15T04:00:01", False),
        ({"range": ["2 - 4", "9:30 - 10"]}, "2024-05-15T09:45", True),
        ({"weekday": "wed"}, "2024-05-15T12:00", True),
        ({"weekday": 3}, "2024-05-15T12:00", True),
        ({"weekday": "Sunday"}, "2024-05-15T12:00", False),
        # 2024-05-18 is a Saturday.
        (NIGHT, "2024-05-18T23:00", True),
        (NIGHT, "2024-05-19T02:00", True),
        (NIGHT, "2024-05-20T02:00", True),
        (NIGHT, "2024-05-20T23:00", False),
        (NIGHT, "2024-05-18T02:00", False),
    ],
)
def test_schedules(parameters: dict[str, Any], when: str, allowed: bool) -> None:
    assert allows(parameters, "s", datetime.fromisoformat(when)) == allowed


@pytest.mark.parametrize(
    "parameters",
    [
        {"range": "noon"},
        {"range": "25 - 26"},
        {"weekday": "x"},
        {"period": "daily", "repeat": 0},
    ],
)
def test_no_schedules(parameters: dict[str, Any]) -> None:
    with pytest.raises(ScheduleError):
        allows(parameters, "s", datetime(2024, 5, 15))


@pytest.mark.parametrize(
    ("title", "parameters", "before", "allowed"),
    [
        # What Puppet's own schedules say on Wednesday, 2024-05-15, at noon.
        ("daily", {}, "2024-05-14T12:00:00", True),
        ("daily", {}, "2024-05-14T12:00:01", False),
        ("puppet", {}, "2024-05-15T11:30:00", True),
        ("puppet", {}, "2024-05-15T11:30:01", False),
        ("never", {}, "2020-01-01T00:00:00", False),
        ("s", {"period": "hourly", "repeat": "3"}, "2024-05-15T11:40:00", True),
        ("s", {"period": "hourly", "repeat": 3}, "2024-05-15T11:40:01", False),
        ("s", {"period": "daily", "periodmatch": "number"}, "2024-05-14T23:59:59", True),
        ("s", {"period": "daily", "periodmatch": "number"}, "2024-05-15T00:00:00", False),
        # Sunday is the first day of a week, and a Saturday the last one.
        ("s", {"period": "weekly", "periodmatch": "number"}, "2024-05-12T12:00:00", False),
        ("s", {"period": "weekly", "periodmatch": "number"}, "2024-05-11T12:00:00", True),
        ("s", {"period": "monthly", "periodmatch": "number"}, "2024-05-01T00:00:00", False),
        ("s", {"period": "monthly", "periodmatch": "number"}, "2024-04-30T23:59:59", True),
    ],
)
def test_schedules_of_what_was_looked_at_before(
    title: str, parameters: dict[str, Any], before: str, allowed: bool
) -> None:
    noon = datetime(2024, 5, 15, 12)
    assert allows(parameters, title, noon, datetime.fromisoformat(before)) == allowed
