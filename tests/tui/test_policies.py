"""Runs of CFEngine's agent as they are shown; what is expected is what a real cf-agent did."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analyzer.apply.engine.commands import GoTo, Inject, Restart, Step, StepBack
from analyzer.apply.engine.events import Outcome
from analyzer.diagnostics import InputError
from analyzer.frontends.source_texts import Texts
from tests.frontends.cfengine.runs import FIELDS, RUNS, policies, recorded, same
from tests.tui.opened import project_of
from tui.app import CatgraphApp, start
from tui.present import policy_detail
from tui.present.detail import DetailSubject
from tui.present.log import LogLines
from tui.present.pieces import Piece, plain
from tui.present.policy_frontier import PolicyFrontier
from tui.present.policy_report import of_agent
from tui.project.project import OpenRequest
from tui.run.agent_outcomes import OUTCOMES, branch_with_outcome, is_given
from tui.run.agent_timeline import AgentTimeline
from tui.run.branch import Branch, prepare
from tui.run.rollup import word_of

# What cf-agent -v logs of a command, file or called bundle, and how the outcome is shown.
SAID = {
    "kept": "A: Promise was KEPT",
    "repaired": "A: Promise REPAIRED",
    "not_kept": "A: Promise NOT KEPT!",
}
# A promise that the agent ends in has failed.
SHOWN = {"repaired": "changed", "not_kept": "failed", "kept": "unchanged", "unfinished": "failed"}
SILENT = ("skipped", "not_set")


def opened(path: Path, **options: Any) -> Branch:
    return prepare(project_of(OpenRequest(str(path), options))).branch


def agent_of(branch: Branch) -> AgentTimeline:
    assert isinstance(branch.timeline, AgentTimeline)
    return branch.timeline


def as_recorded(path: Path, folder: Path) -> tuple[Branch, list[list[Any]]]:
    """The run in which commands and files do what they did under the real agent."""
    rows = recorded(path)
    given = folder / "outcomes.json"
    given.write_text(json.dumps([dict(zip(FIELDS, row, strict=True)) for row in rows]))
    return opened(path, outcome=str(given)), rows


def told(branch: Branch) -> list[tuple[int, str]]:
    count = branch.story.ends[branch.timeline.position]
    return [(entry.step, entry.message) for entry in branch.story.entries[:count]]


def outcome_steps(timeline: AgentTimeline) -> Iterator[int]:
    """The step that tells the outcome of each event, in the order in which they began."""
    steps = timeline.agent.steps
    ends = {id(s.event): s.number for s in steps if s.kind == "return"}
    for step in steps:
        if step.kind == "look":
            yield ends.get(id(step.event), step.number) if step.calls else step.number


@pytest.mark.parametrize("path", policies(), ids=lambda path: path.stem)
def test_the_log_and_the_states_are_those_of_the_agent(path: Path, tmp_path: Path) -> None:
    branch, rows = as_recorded(path, tmp_path)
    timeline = agent_of(branch)
    timeline.run()
    log: dict[int, list[str]] = {}
    for number, message in told(branch):
        log.setdefault(number, []).append(message)
    states: dict[tuple[str, str, int], set[str]] = {}
    steps = list(outcome_steps(timeline))
    assert len(steps) == len(rows)
    for number, (bundle, kind, line, _, number_of_pass, outcome) in zip(steps, rows, strict=True):
        step = timeline.agent.steps[number]
        assert (step.pass_number, step.type) == (number_of_pass, kind)
        if outcome in SAID and kind == "commands":
            assert SAID[outcome] in log[number]
        elif outcome == "kept" and kind == "reports":
            assert log[number][0].startswith("R: ")
        states.setdefault((bundle, kind, line), set()).add(outcome)
    for node, looks in timeline.looks.items():
        event = timeline.agent.steps[looks[0]].event
        assert event is not None
        found = states[event.bundle.name, event.type, event.promise.line]
        status = timeline.state.statuses[node]
        assert status is not None
        if found <= {"skipped", "not_set"}:
            assert word_of(status) == "skipped"
        elif "?" not in found and event.type == "commands":
            assert word_of(status) in {SHOWN[one] for one in found if one in SHOWN}
    held = [node for node in timeline.looks if word_of_node(timeline, node) == "skipped"]
    assert PolicyFrontier(timeline, lambda _: Piece("")).rows == held
    assert of_agent(timeline).counts["skipped"] == len(held)


def word_of_node(timeline: AgentTimeline, node: int) -> str:
    status = timeline.state.statuses[node]
    return word_of(status) if status else ""


@pytest.mark.parametrize("path", policies(), ids=lambda path: path.stem)
def test_back_is_the_way_forward_reversed(path: Path) -> None:
    timeline = agent_of(opened(path))
    forward = []
    while timeline.advance(Step()):
        forward.append((timeline.position, timeline.next, list(timeline.state.statuses)))
    assert timeline.position == len(timeline)
    back = []
    while timeline.position:
        back.append((timeline.position, timeline.next, list(timeline.state.statuses)))
        timeline.do(StepBack())
    assert back == forward[::-1]


def node_of(branch: Branch, ref: str) -> int:
    return branch.timeline.graph.find(ref)


def lines_of(branch: Branch, ref: str, tab: str) -> list[str]:
    subject = DetailSubject(branch.timeline, branch.story, None, node_of(branch, ref), Texts(""))  # type: ignore[arg-type]
    return [plain(line).rstrip() for line in policy_detail.TABS[tab][1](subject).lines]


def go_on(branch: Branch, steps: int) -> Branch:
    branch.timeline.do(Restart())
    for _ in range(steps):
        branch.timeline.advance(Step())
    return branch


def test_what_is_held_back_and_by_which_class() -> None:
    branch = go_on(opened(RUNS / "methods_late.cf"), 2)
    frontier = PolicyFrontier(agent_of(branch), lambda _: Piece(""))
    assert [plain(line) for line in frontier] == [
        "○ Commands[callee:/bin/echo x]  step 10",
        "○ Reports[callee:in callee]  step 11",
        "· Methods[main:call]  ready::  step 19",
        "○ Reports[main:after]  step 21",
    ]
    branch = go_on(branch, 3)
    frontier = PolicyFrontier(agent_of(branch), lambda _: Piece(""))
    assert [plain(line) for line in frontier] == [
        "▶ Commands[callee:/bin/echo x]  step 10",
        "○ Reports[callee:in callee]  step 11",
        "· Methods[main:call]  its bundle is running  step 19",
        "· Reports[main:after]  called::  step 21",
    ]
    assert frontier.counts == (4, 0)


def test_a_promise_in_its_tabs() -> None:
    branch = go_on(opened(RUNS / "methods_late.cf"), 5)
    assert lines_of(branch, "Methods[main:call]", "parameters") == [
        "guard     ready::",
        "          ready is set",
        "promiser  call",
        "usebundle callee",
        "",
        "in Bundle[main]",
    ]
    assert lines_of(branch, "Reports[main:after]", "parameters")[:2] == [
        "guard    called::",
        "         called is set",
    ]
    go_on(branch, 2)
    assert lines_of(branch, "Reports[main:after]", "parameters")[:2] == [
        "guard    called::",
        "         called is not set",
    ]
    go_on(branch, 5)
    assert lines_of(branch, "Methods[main:call]", "events")[:2] == [
        "⊘ skipped  pass 1, step 3",
        "  Skipping methods promise expansion with promiser 'call' due to class guard"
        " 'ready::' (pass 1)",
    ]
    assert lines_of(branch, "Methods[main:call]", "diff") == [
        "in main > callee",
        "",
        "classes",
        "  called",
        "  ready",
    ]


def why(branch: Branch, ref: str) -> list[str]:
    lines = policy_detail.why(agent_of(branch), node_of(branch, ref))
    return [plain(line).strip() for line in lines if line]


def test_why_not_yet_and_why_then() -> None:
    branch = go_on(opened(RUNS / "methods_late.cf"), 2)
    found = why(branch, "Methods[main:call]")
    where = f"{RUNS / 'methods_late.cf'}:14:5"
    assert found == [
        "Methods[main:call] has not begun yet; last evaluated in pass 1, step 3:",
        "⊘ class ready is not set yet; commands '/bin/true' sets it in step 4",
        where,
        "▶ it is kept, or tried, in pass 2, step 7",
    ]
    branch.timeline.run()
    assert why(branch, "Methods[main:call]") == [
        "Methods[main:call] began in pass 2, step 7.",
        f"class ready, from commands '/bin/true'  {where}",
    ]
    assert why(branch, "Commands[main:/bin/true]") == [
        "Commands[main:/bin/true] began in pass 1, step 4.",
        "Nothing delayed it: it was evaluated in the normal order.",
    ]


def test_a_run_that_fails_says_so(tmp_path: Path) -> None:
    branch, _ = as_recorded(RUNS / "depends_failed.cf", tmp_path)
    timeline = agent_of(branch)
    assert timeline.run().status == "not kept"
    facts = of_agent(timeline)
    assert (facts.status, facts.counts["failed"], facts.counts["skipped"]) == ("not kept", 1, 1)
    shown = [plain(line) for line in LogLines(branch.story, branch.story.ends[-1])]
    assert any("✗ Commands[main:/bin/false] pass 1  A: Promise NOT KEPT!" in row for row in shown)


def test_options_of_the_command_are_those_of_the_run() -> None:
    path = RUNS / "class_before_its_source.cf"
    assert agent_of(opened(path, define=["other,more"])).agent.hard >= {"other", "more"}


def test_a_policy_that_is_refused_is_given_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "promises.cf"
    path.write_text('bundle agent main\n{\n  reports:\n    "x" if => ;\n}\n')
    for given in (path, tmp_path):
        with pytest.raises(InputError, match=r"promises\.cf:4:15: error: .*\n.*if => ;"):
            project_of(OpenRequest(str(given)))


def differing(timeline: AgentTimeline, rows: list[list[Any]]) -> tuple[int, str] | None:
    """The step of the first promise that the agent found otherwise, and what it found."""
    for number, (*_, outcome) in zip(outcome_steps(timeline), rows, strict=False):
        step = timeline.agent.steps[number]
        if is_given(step) and outcome in SAID and outcome != step.outcome:
            return number, outcome
    return None


@pytest.mark.parametrize("name", ["depends_failed", "failed_command", "custom_types"])
def test_told_what_the_agent_found_a_run_goes_as_the_agents_did(name: str) -> None:
    path = RUNS / f"{name}.cf"
    rows = recorded(path)
    project = project_of(OpenRequest(str(path)))
    branch = prepare(project).branch
    told = 0
    while found := differing(agent_of(branch), rows):
        timeline = agent_of(branch)
        timeline.do(GoTo(found[0] - 1))
        node = timeline.about[found[0]][0]
        apply = next(word for word, outcome in OUTCOMES.items() if outcome == found[1])
        branch = branch_with_outcome(
            project, branch, Inject(timeline.graph.names[node], Outcome(apply))
        )
        assert branch.project is not None
        project, told = branch.project, told + 1
        assert told <= len(rows)
        assert branch.timeline.position == found[0] - 1
    assert told > 0
    events = agent_of(branch).agent.events
    ours = [
        [e.bundle.name, e.type, e.promise.line, e.iteration, e.number, e.outcome] for e in events
    ]
    assert same(rows, ours)


def test_a_policy_that_cfengine_refuses_ends_with_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "p.cf"
    path.write_text("bundle agent main { reports }\n")

    def run(app: CatgraphApp) -> None:
        async def leave_when_opened() -> None:
            async with app.run_test() as pilot:
                await app.workers.wait_for_complete()
                await pilot.pause()
                app.exit()

        asyncio.run(leave_when_opened())

    monkeypatch.setattr(CatgraphApp, "run", run)
    assert start(str(path), {}) == 3
