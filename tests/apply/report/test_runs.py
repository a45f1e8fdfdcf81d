"""A run laid on the graph of its catalog, and two runs compared."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest

from analyzer.apply.report.chain import longest, timing
from analyzer.apply.report.compare import ResourceDifference, compare
from analyzer.apply.report.from_run import TurnFacts, recorded
from analyzer.apply.report.run import ReportedRun, ResourceTurn, moment, of_report
from analyzer.apply.report.values import REDACTED
from analyzer.graph.relationship_graph import NoOrderError
from analyzer.model.resource import Resource
from analyzer.session.inputs import graph_of, load_catalog, load_run

from .record import RECORDED
from .recorded_reports import yaml_report


def run_of(name: str) -> ReportedRun:
    return load_run(str(RECORDED / name))


def test_seconds_of_a_turn_are_those_of_its_refresh_too() -> None:
    report = yaml_report("first")
    turns = {turn.ref: turn for turn in of_report(report, "x").turns}
    status = next(one for one in report.resource_statuses if one.resource == "Exec[reload web]")
    assert status.evaluation_time is not None
    assert status.evaluation_time < 0.01
    # It is `sleep 0.2`.
    assert 0.2 <= (turns["Exec[reload web]"].seconds or 0) < 0.4
    assert 0.3 <= (turns["Exec[slow]"].seconds or 0) < 0.5
    assert turns["Notify[after broken]"].seconds is None


def test_turns_begin_one_after_the_other() -> None:
    starts = [turn.start for turn in run_of("first.yaml").turns]
    assert starts[0] == 0.0
    assert starts == sorted(starts, key=lambda one: one or 0.0)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:00:01.500000000+00:00", 1.5),
        ("1970-01-01T01:00:01.5+01:00", 1.5),
        ("1970-01-01T00:00:01.500Z", 1.5),
        ("1970-01-01 01:00:01.123456 +01:00", 1.123456),
        ("yesterday", None),
        (None, None),
    ],
)
def test_moment(text: str | None, seconds: float | None) -> None:
    assert moment(text) == seconds


def test_run_and_catalog() -> None:
    graph = graph_of(load_catalog(RECORDED / "catalog.json"))
    found = timing(graph, run_of("first.yaml"))
    assert [link.ref for link in found.chain][-2:] == ["Exec[slow]", "File[/srv/demo/two]"]
    assert found.bound == pytest.approx(sum(link.seconds for link in found.chain))
    assert (found.unmatched, found.absent) == ((), ())
    assert found.added == tuple(
        (f"File[/srv/demo/tree/{name}]", "File[/srv/demo/tree]") for name in ("a", "sub", "sub/b")
    )
    assert [turn.ref for turn in found.slowest(2)] == ["Exec[slow]", "Exec[reload web]"]


def test_what_catalog_and_run_do_not_have_in_common() -> None:
    graph = graph_of(load_catalog(RECORDED / "catalog.json"))
    run = run_of("second-8.10.0.yaml")
    assert not run.complete
    turns = [turn for turn in run.turns if turn.ref != "Exec[slow]"]
    strange = ReportedRun("x", "", (*turns, ResourceTurn("Package[x]", seconds=9.0)))
    found = timing(graph, strange)
    assert found.unmatched == ("Package[x]",)
    assert {"Exec[slow]", "File[/srv/demo]", "Schedule[daily]"} <= set(found.absent)
    assert "Class[Web]" not in found.absent
    assert found.bound < 1


def test_longest_path_is_that_of_networkx() -> None:
    randomly = random.Random(7)
    for size in (1, 2, 5, 20, 60):
        succ = [
            sorted(randomly.sample(range(n + 1, size), min(size - n - 1, randomly.randint(0, 3))))
            for n in range(size)
        ]
        weights = [randomly.choice([0.0, 1.0, randomly.random()]) for _ in range(size)]
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(-1, size))
        for n, targets in enumerate(succ):
            graph.add_edge(-1, n, weight=weights[n])
            graph.add_weighted_edges_from((n, t, weights[t]) for t in targets)
        path = longest(succ, weights)
        assert path[-1][1] == pytest.approx(nx.dag_longest_path_length(graph))
        nodes = [node for node, _ in path]
        assert all(b in succ[a] for a, b in pairwise(nodes))
        assert sum(weights[node] for node in nodes) == pytest.approx(path[-1][1])


def test_a_cycle_has_no_longest_path() -> None:
    with pytest.raises(NoOrderError):
        longest([[1], [0]], [1.0, 1.0])


def kinds(first: ReportedRun, second: ReportedRun) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in compare(first, second):
        found.setdefault(one.kind, []).append(one.ref)
    return found


def test_recorded_runs_compared() -> None:
    first, second = run_of("first.yaml"), run_of("second.yaml")
    gone = ["", "/tree", "/tree/a", "/tree/sub", "/tree/sub/b", "/one", "/link", "/two"]
    assert kinds(first, second) == {
        "no longer skipped": ["Notify[never]"],
        "changes gone": [f"File[/srv/demo{path}]" for path in gone],
    }
    assert kinds(second, second) == {}


def test_forms_of_one_run_do_not_differ() -> None:
    second = run_of("second.yaml")
    for name in ("second.json", "second.wire.json", "second-8.10.0.yaml", "second-6.28.0.yaml"):
        assert kinds(second, run_of(name)) == {}, name


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("changed", "failed", "new failures"),
        ("changed", "changed failed_to_restart", "new failures"),
        ("changed", "skipped", "newly skipped"),
        ("failed", "skipped", "newly skipped"),
        ("failed", "changed", "failures gone"),
        ("skipped", "changed", "no longer skipped"),
        ("", "changed", "new changes"),
        ("changed", "", "changes gone"),
        ("changed", "noop", "changes gone"),
        ("", "restarted", "new restarts"),
        ("changed restarted", "changed", "restarts gone"),
        ("", "noop", "noop changed"),
    ],
)
def test_kinds(first: str, second: str, kind: str) -> None:
    runs = [
        ReportedRun("x", "", (ResourceTurn("A[b]", tuple(one.split())),)) for one in (first, second)
    ]
    assert [one.kind for one in compare(*runs)] == [kind]


def test_resources_of_one_run_only() -> None:
    one, none = ReportedRun("x", "", (ResourceTurn("A[b]", ("failed",)),)), ReportedRun("y", "", ())
    assert compare(one, none) == [ResourceDifference("A[b]", ("failed",), ("absent",))]
    assert kinds(none, one) == {"new failures": ["A[b]"]}
    assert kinds(none, ReportedRun("x", "", (ResourceTurn("A[b]"),))) == {
        "only in the second run": ["A[b]"]
    }


@dataclass
class EngineEvent:
    """An event as the engine has it."""

    name: str = "content_changed"
    status: str = "success"
    message: str = "content changed"
    property: str | None = "content"
    old: Any = "a"
    new: Any = "b"
    sensitive: bool = False


@dataclass
class EngineStatus:
    """A status as the engine has it."""

    events: list[EngineEvent] = field(default_factory=list)
    skipped: bool = False
    failed: bool = False
    failed_to_restart: bool = False
    changed: bool = True
    out_of_sync: bool = True
    corrective_change: bool = False


def test_status_of_the_engine_becomes_that_of_a_report() -> None:
    resource = Resource("File", "/a", {"content": "b"}, "site.pp", 3, tags=["file"])
    became = EngineStatus([EngineEvent(), EngineEvent(property="mode", status="noop")])
    turn = TurnFacts(
        "2026-01-02T03:04:05.000000000+00:00", 0.5, ("t1",), ("Stage[main]", "File[/a]")
    )
    status = recorded(resource, became, turn)
    assert (status.resource, status.file, status.line, status.evaluation_time) == (
        "File[/a]",
        "site.pp",
        3,
        0.5,
    )
    assert (status.change_count, status.out_of_sync_count) == (1, 2)
    assert [event.time for event in status.events] == ["t1", turn.time]


@pytest.mark.parametrize(
    ("resource", "event"),
    [
        (Resource("File", "/a", {}, sensitive=["content"]), EngineEvent()),
        (Resource("File", "/a", {}), EngineEvent(sensitive=True)),
        (Resource("File", "/a", {}), EngineEvent(new={"__ptype": "Sensitive", "__pvalue": "b"})),
    ],
)
def test_secrets_stay_out_of_reports(resource: Resource, event: EngineEvent) -> None:
    (found,) = recorded(resource, EngineStatus([event]), TurnFacts("t")).events
    assert (found.previous_value, found.desired_value, found.redacted) == (REDACTED, REDACTED, True)


def test_puppet_8_leaves_out_the_resources_of_which_nothing_is_shown() -> None:
    kept = {turn.ref for turn in run_of("second-8.10.0.yaml").turns}
    assert kept == {turn.ref for turn in run_of("second.yaml").turns if turn.words}
