"""The journal of a run: read back it is the run, however it ended; what is damaged is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.commands import (
    CommandError,
    Inject,
    Restart,
    SetNoop,
    Step,
    StepBack,
    Stop,
)
from analyzer.apply.engine.events import Event, Outcome
from analyzer.apply.engine.generate import with_announced
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.world import Hosted
from analyzer.apply.journals.event_rows import KINDS, RowError, event_of_row, row_of
from analyzer.apply.journals.journal import RunJournal, read_journal
from analyzer.apply.journals.recorder import EventRecorder, run_unless
from analyzer.apply.journals.recordings import header_of, load_timeline
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.apply.providers.table import Providers
from analyzer.apply.report import write
from analyzer.apply.report.from_timeline import RunTimes, report_of
from analyzer.apply.report.read_yaml import read
from analyzer.apply.report.runs import load_report
from analyzer.apply.timeline import Timeline
from analyzer.config import Config
from analyzer.diagnostics import InputError
from analyzer.model.resource import Resource
from analyzer.session.inputs import graph_of, load_catalog
from analyzer.session.settings import rules_for

TYPES = {"host": {"refreshable": True}}
SITE = """
class tree {
  file { '/srv/to': source => '/srv/from', recurse => true }
  file { '/srv/bad/in': content => 'x' }
  notify { 'after': require => File['/srv/bad/in'] }
}
include tree
host { 'db': ip => '10.0.0.5', target => '/etc/hosts' }
Class['tree'] ~> Host['db']
concat_file { '/srv/parts': tag => 'p' }
concat_fragment { 'one': tag => 'p', content => Sensitive('GEHEIM') }
firewall { 'none': }
notify { 'secret': message => Sensitive('GEHEIM') }
"""
Made = tuple[Timeline, EventRecorder, Path]


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Made]:
    """Make a run in a root, with a journal; stopped after so many events."""
    root = tmp_path / "root"
    for folder in ("etc", "srv/from/sub"):
        (root / folder).mkdir(parents=True)
    for name in ("etc/passwd", "etc/group", "etc/hosts", "srv/from/a", "srv/from/sub/b"):
        (root / name).write_text("")
    rows = (tmp_path / "catalog.json", tmp_path / "site.pp")
    rows[1].write_text(SITE.replace("firewall { 'none': }\n", ""))
    catalog = load_catalog(str(rows[1]), stubs())
    catalog.resources.append(Resource("Firewall", "none", {}))
    numbers = iter(range(100))

    def run(stop_after: int | None = None) -> Made:
        host, find = LocalHost(str(root)), Providers().find
        whole = with_announced(catalog, find, host)
        rules = rules_for(whole, Config("catgraph.toml", types=TYPES))
        graph = RunGraph(graph_of(whole, rules))
        options = RunSettings(tags=(), skip_tags=("nothing",))
        path = tmp_path / f"{next(numbers)}.jsonl"
        journal = RunJournal(str(path), header_of(graph, options, TYPES, host="web"), graph)
        recorder = EventRecorder(journal)
        timeline = Timeline(graph, Hosted(find, host), options, listen=recorder.listen)
        run_unless(timeline, lambda: stop_after is not None and len(recorder.at) >= stop_after)
        return timeline, recorder, path

    return run


def stubs() -> Any:
    from analyzer.frontends.puppet.node.environment import Settings as Compiling
    from tests.apply.providers.harness import STUBS

    return Compiling("web", modulepath=STUBS, puppet_version=8)


def facts(timeline: Timeline) -> list[object]:
    """All that a time line says at its cursor."""
    return [
        timeline.status,
        timeline.order,
        timeline.log(debug=True),
        [(str(ref), status) for ref, status in timeline.resources()],
        timeline.position,
        timeline.ready(),
    ]


def test_read_back_it_is_the_run(make: Callable[..., Made]) -> None:
    timeline, _, path = make()
    recording, again = load_timeline(str(path))
    assert recording.complete
    assert not recording.torn
    assert any(isinstance(event, happened.Generated) for event in again.events)
    assert facts(again) == facts(timeline)
    while timeline.position:
        timeline.do(StepBack())
        again.do(StepBack())
        assert facts(again) == facts(timeline)
    assert "GEHEIM" not in path.read_text()


def test_a_recorded_run_only_happens_as_it_did(make: Callable[..., Made]) -> None:
    _, _, path = make()
    again = load_timeline(str(path))[1]
    end = facts(again)
    again.do(Restart())
    for command in (Inject("Host[db]", Outcome("fail")), SetNoop(True), Stop()):
        with pytest.raises(CommandError, match="is a recording"):
            again.do(command)
    again.do(Step(1000))
    assert facts(again) == end
    assert again.do(Step()) == []


def test_its_report_is_that_of_the_run(make: Callable[..., Made]) -> None:
    timeline, recorder, path = make()
    ours = report_of(timeline, RunTimes(recorder.start, recorder.at, {}, "web"))
    found = load_report(str(path))
    assert found.status == ours.status == "failed"
    assert [one.resource for one in found.resource_statuses] == [
        one.resource for one in ours.resource_statuses
    ]
    assert [(one.message, one.source, one.tags) for one in found.logs] == [
        (one.message, one.source, one.tags) for one in ours.logs
    ]
    assert read(write.to_yaml(ours), "x") == ours


def test_stopped(make: Callable[..., Made]) -> None:
    timeline, _, path = make(stop_after=40)
    left = [status for _, status in timeline.resources() if status.skipped]
    assert left
    assert timeline.state.phase == "ended"
    assert facts(load_timeline(str(path))[1]) == facts(timeline)


@pytest.mark.slow
def test_cut_off_anywhere(make: Callable[..., Made]) -> None:
    _, _, path = make()
    data = path.read_bytes()
    first = data.index(b"\n") + 1
    log = load_timeline(str(path))[1].log()
    for end in range(first, len(data), 97):
        recording, timeline = load_timeline(str(path), data[:end])
        assert recording.torn == (data[end - 1 : end] != b"\n")
        found = timeline.log()
        assert found == log[: len(found)]
        load_report(str(path), data[:end])


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (1, lambda row: {"catgraph_journal": 99}, "not a journal of a run"),
        (1, lambda row: {**row, "settings": {}}, "lacks the settings of the run"),
        (1, lambda row: {**row, "base": 1}, "do not belong to its catalog"),
        (5, lambda row: [], "a line of the journal is damaged"),
        (5, lambda row: {**row, "kind": "Nonsense"}, "there is no event 'Nonsense'"),
        (5, lambda row: {**row, "node": -1}, "'node' of Evaluating is not valid"),
        (5, lambda row: {**row, "node": 10**6}, "resources that its catalog does not have"),
        (5, lambda row: {**row, "at": None}, "a step and a time are missing"),
        (5, lambda row: {**row, "at": 10**400}, "a step and a time are missing"),
        (5, lambda row: {**row, "step": float("inf")}, "a step and a time are missing"),
        (5, lambda row: {**row, "step": 10**12}, "a step and a time are missing"),
        (5, lambda row: {**row, "step": -1}, "a step and a time are missing"),
    ],
)
def test_damaged(
    line: int, change: Callable[[Any], Any], message: str, make: Callable[..., Made]
) -> None:
    _, _, path = make()
    lines = path.read_text().split("\n")
    lines[line - 1] = json.dumps(change(json.loads(lines[line - 1])))
    with pytest.raises(InputError, match=message) as caught:
        load_timeline(str(path), "\n".join(lines).encode())
    assert str(caught.value).startswith(str(path))


CHANGE = happened.ResourceEvent(
    "a_changed", "success", "a", "p", None, ["x", 1], drops_refreshes=True
)
SAMPLES: list[Event] = [
    happened.Started("1.0"),
    happened.Evaluating(1),
    happened.DependenciesFailed(1, (2, 3)),
    happened.FailureTold(1, 2),
    happened.Skipped(1, "tags"),
    happened.EventsDropped(1),
    happened.Said(1, "notice", "\u2028\ud800", None),
    happened.Changed(1, CHANGE, "why"),
    happened.Evaluated(1),
    happened.EvaluationFailed(1, "why"),
    happened.GenerationFailed(1, "why", early=True),
    happened.Queued(1, 2, "a_changed", 2, 1),
    happened.RefreshUnscheduled(1),
    happened.Refreshed(1, 2),
    happened.RefreshFailed(1, 2, "why"),
    happened.RefreshWithheld(1, 2),
    happened.Finished(1),
    happened.PutOff(1),
    happened.TakenUp((1, 2)),
    happened.Unsuitable(1, "apt", untagged=True),
    happened.Stopped(1),
    happened.Aborted("why"),
    happened.CycleFound((1, 2), "text"),
    happened.Ended(("apt",), stopped=True),
    happened.OutcomeSet(1, Outcome("fail", "ok")),
    happened.NoopSet(None, True),
    happened.NoopSet(1, False),
]


def read_again(event: Event) -> Event:
    return event_of_row(json.loads(json.dumps(row_of(event))))


def test_rows_are_events_again() -> None:
    for event in SAMPLES:
        found = read_again(event)
        assert str(found) == str(event).replace("('x', 1)", "['x', 1]")
        assert type(found) is type(event)
    assert {*map(type, SAMPLES), happened.Generated} == set(KINDS.values())
    assert set(KINDS.values()) == set(Event.__args__) - {happened.ValuesKept}


def test_journals_of_before_there_was_a_field_are_read() -> None:
    row: Any = row_of(happened.Changed(1, CHANGE, "why"))
    del row["event"]["diff"]
    assert event_of_row(row) == event_of_row(row_of(happened.Changed(1, CHANGE, "why")))
    row = row_of(happened.PutOff(1, "why"))
    del row["reason"]
    assert event_of_row(row) == happened.PutOff(1)
    del row["node"]
    with pytest.raises(RowError, match="PutOff lacks 'node'"):
        event_of_row(row)


def test_what_is_brought_is_read_again() -> None:
    resource = Resource("File", "/a", {"content": "GEHEIM", "mode": "0600"}, sensitive=["content"])
    found = read_again(happened.Generated(1, (7,), (resource,), 8))
    assert isinstance(found, happened.Generated)
    (one,) = found.resources
    assert (str(one), one.parameters["mode"], one.sensitive) == ("File[/a]", "0600", ["content"])
    assert "GEHEIM" not in str(one.parameters)


def test_what_is_no_journal(tmp_path: Path) -> None:
    for data in (b"", b"\n", b"{}\n", b"[]", b"\xff\xfe"):
        with pytest.raises(InputError):
            read_journal("x", data)
    with pytest.raises(InputError, match="cannot be read"):
        read_journal(str(tmp_path / "none"))
