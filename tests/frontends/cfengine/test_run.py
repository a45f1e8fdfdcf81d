"""A run as a line of steps: the states between them, and why a promise is not kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.cfengine.agent.loading import load_policy
from analyzer.frontends.cfengine.agent.run import Run, simulate
from analyzer.frontends.cfengine.agent.why_not import why_not

from .runs import RUNS, policies


def run_of(name: str, *classes: str) -> Run:
    return simulate(load_policy(str(RUNS / f"{name}.cf"), classes))


def written(tmp_path: Path, text: str) -> Run:
    path = tmp_path / "p.cf"
    path.write_text(text)
    return simulate(load_policy(str(path)))


@pytest.mark.parametrize("path", policies(), ids=lambda path: path.stem)
def test_going_back_undoes_what_going_forward_did(path: Path) -> None:
    run = simulate(load_policy(str(path)))
    positions = range(len(run.steps) + 1)
    forward = [run.state_at(position) for position in positions]
    assert [run.state_at(position) for position in reversed(positions)] == forward[::-1]
    again = simulate(load_policy(str(path)))
    assert again.state_at(len(run.steps)) == forward[-1]
    assert [step.number for step in run.steps] == list(positions)[:-1]


@pytest.mark.parametrize("path", policies(), ids=lambda path: path.stem)
def test_every_event_is_a_step_and_bundles_are_closed(path: Path) -> None:
    run = simulate(load_policy(str(path)))
    looked = [step.event for step in run.steps if step.kind == "look"]
    assert looked == run.events
    if not any("the run ends" in text for text in run.warnings):
        assert run.state_at(len(run.steps)).bundles == ()


def test_states_of_a_run() -> None:
    run = run_of("methods_late")
    by_label = {step.label: step.number for step in run.steps}
    called = by_label["bundle callee"]
    assert run.state_at(called).bundles == ("main",)
    assert run.state_at(called + 1).bundles == ("main", "callee")
    echo = next(step for step in run.steps if step.label == "commands '/bin/echo x'")
    assert (echo.outcome, echo.set_classes, echo.pass_number, echo.depth) == (
        "repaired",
        ("called",),
        1,
        2,
    )
    assert run.state_at(echo.number).classes == {"ready"}
    assert run.state_at(echo.number + 1).classes == {"ready", "called"}
    caller, back = (
        next(s for s in run.steps if s.label == label)
        for label in (
            "methods 'call'",
            "back in methods 'call'",
        )
    )
    assert caller.skipped
    assert (back.outcome, back.log) == ("repaired", "A: Promise REPAIRED")
    with pytest.raises(IndexError):
        run.state_at(len(run.steps) + 1)


def test_private_classes_go_with_their_bundle(tmp_path: Path) -> None:
    run = written(
        tmp_path,
        """bundle agent main
{
  vars:
    "v" string => "1";
  classes:
    "own" expression => "any";
  methods:
    "m" usebundle => callee;
  reports:
    own::
      "$(v)";
}
bundle agent callee
{
  classes:
    "inner" expression => "any";
  reports:
    "x";
}
""",
    )
    report = next(step for step in run.steps if step.label == "reports 'x'")
    state = run.state_at(report.number)
    assert state.private == {"inner"}
    assert state.variables == {"main.v": "1"}
    after = next(step for step in run.steps if step.label == "reports '1'")
    assert run.state_at(after.number).private == {"own"}
    assert after.log == "R: 1"


def obstacles(run: Run, promiser: str, position: int | None = None) -> list[tuple[str, str]]:
    found = next(p for _, _, p in run.promises() if p.promiser == promiser)
    return [(o.kind, o.text) for o in why_not(run, found, position).obstacles]


def test_why_not_a_class() -> None:
    run = run_of("chain_of_four_backwards")
    assert obstacles(run, "/bin/echo e") == [
        (
            "class",
            "class d is not set; commands '/bin/echo d' would set it when it is repaired",
        )
    ]
    (kind, text), *_ = obstacles(run, "/bin/echo d")
    assert kind == "class"
    assert text.startswith("class c is set too late: commands '/bin/echo c' sets it in step ")
    before = why_not(run, next(p for _, _, p in run.promises() if p.promiser == "/bin/echo b"), 7)
    assert [o.kind for o in before.obstacles] == ["class", "turn"]
    assert "is not set yet" in before.obstacles[0].text
    kept = next(p for _, _, p in run.promises() if p.promiser == "/bin/echo a")
    answer = why_not(run, kept)
    assert answer.obstacles == ()
    assert answer.step is not None
    assert run.steps[answer.step].outcome == "repaired"
    before = why_not(run, kept, answer.step)
    assert [o.kind for o in before.obstacles] == ["turn"]


OBSTACLES = """bundle agent main
{
  vars:
    "empty" slist => { };
  classes:
    "set" expression => "any";
  commands:
    "/bin/echo if" if => "nothing";
    "/bin/echo unless" unless => "set";
    "/bin/echo depends" depends_on => { "h" };
    "/bin/echo unknown" depends_on => { "nowhere" };
    "/bin/echo never" handle => "h", if => "nothing";
    "/bin/echo $(empty)";
  !set::
    "/bin/echo not";
  any::
    "/bin/echo same";
  set::
    "/bin/echo same";
}
bundle agent uncalled
{
  reports:
    "uncalled";
}
bundle server s
{
  access:
    "/x" admit => { "1.2.3.4" };
}"""


def test_why_not_the_rest(tmp_path: Path) -> None:
    run = written(tmp_path, OBSTACLES)
    assert obstacles(run, "/bin/echo if") == [
        ("if", "if => nothing does not hold"),
        ("class", "class nothing is not set, and no promise of the policy sets it"),
    ]
    assert obstacles(run, "/bin/echo unless") == [
        ("unless", "unless => set holds"),
        ("class", "class set is set"),
    ]
    assert obstacles(run, "/bin/echo depends") == [
        ("depends_on", "commands '/bin/echo never' with handle h is not kept")
    ]
    assert obstacles(run, "/bin/echo unknown") == [
        ("depends_on", "no promise has the handle nowhere")
    ]
    assert [kind for kind, _ in obstacles(run, "/bin/echo $(empty)")] == ["list"]
    assert obstacles(run, "/bin/echo not") == [("class", "class set is set")]
    second = [p for _, _, p in run.promises() if p.promiser == "/bin/echo same"][1]
    (lock,) = why_not(run, second).obstacles
    assert (lock.kind, lock.place and lock.place.line) == ("lock", 17)
    assert obstacles(run, "uncalled") == [
        ("bundle", "bundle uncalled is not evaluated"),
        ("bundle", "it is not in the bundlesequence, and no promise calls it"),
    ]
    assert obstacles(run, "/x")[1] == ("bundle", "server bundles are not for this program")
