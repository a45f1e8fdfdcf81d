"""The helper process cannot hang or outlive a run, whatever it does; a stand-in misbehaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.bridge import helper as module
from analyzer.frontends.puppet.bridge.calls import RubyCalls
from analyzer.frontends.puppet.bridge.helper import Helper, helper_of
from analyzer.frontends.puppet.bridge.process import Clock, HelperError, Process
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.node.classifier import classify
from analyzer.frontends.puppet.node.guarded import Guarded
from analyzer.model.values import Unknown
from analyzer.reading import ONE_COMMAND
from tests.oracle.harness import HOW_TO_INSTALL, ROOT, installed

INPUTS = CompileInputs("node.example.com", {})
STAND_IN = str(Path(__file__).with_name("stand_in.py"))
# What a call may take where it is to take too long, and where it is not.
SECONDS, LONG = 1, 60


@pytest.fixture
def helper() -> Iterator[Helper]:
    with Helper([(sys.executable, STAND_IN)], seconds=LONG) as found:
        yield found


@pytest.fixture
def hasty() -> Iterator[Helper]:
    """A helper that is soon given up."""
    with Helper([(sys.executable, STAND_IN)], seconds=SECONDS) as found:
        yield found


def rendered(helper: Helper, *texts: str) -> list[Any]:
    """What becomes of inline templates, one after the other, in one compile."""
    known = DefinitionTable()
    calls = "".join(f"$v{n} = inline_template('{text}')\n" for n, text in enumerate(texts))
    known.add_program(f"$known = 'k'\n{calls}", "site.pp")
    compiler = Compiler(known, INPUTS, ruby=partial(RubyCalls, helper)).compile()
    return [compiler.top.own(f"v{n}") for n in range(len(texts))]


def gone(pid: int, seconds: float = LONG) -> bool:
    """Whether a process ends in time; one that is dead and not waited for counts as gone."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2]
        except OSError:
            return True
        if state.split()[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def test_nothing_starts_before_it_is_needed(helper: Helper) -> None:
    known = DefinitionTable()
    known.add_program("notice('x')", "site.pp")
    Compiler(known, INPUTS, ruby=partial(RubyCalls, helper)).compile()
    assert helper.started == 0


def test_one_process_for_a_run(helper: Helper) -> None:
    first, second = rendered(helper, "pid", "pid")
    (third,) = rendered(helper, "pid")
    assert first == second == third
    assert helper.started == 1
    helper.close()
    assert gone(int(first))


HASTE = f"no answer within {SECONDS} seconds"


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("hang", HASTE),
        ("busy", HASTE),
        ("silent", HASTE),
        ("garbage", "the helper does not speak as it should"),
        ("huge", "the helper does not speak as it should"),
        ("nonsense", "it makes no sense"),
        ("die", "the helper ended"),
        ("killed", "the helper ended"),
    ],
)
def test_what_goes_wrong_is_unknown(request: Any, deed: str, reason: str) -> None:
    helper = request.getfixturevalue("hasty" if reason == HASTE else "helper")
    pid, bad, after = rendered(helper, "pid", deed, "say on")
    assert bad == Unknown(f"the template at site.pp:3 in Ruby: {reason}", is_text=True)
    assert after == "on"
    assert helper.started == 2
    assert gone(int(pid))


def test_a_template_that_hung_is_not_asked_again(hasty: Helper) -> None:
    known = DefinitionTable()
    known.add_program("[1, 2, 3].each |$x| { $y = inline_template('hang') }", "site.pp")
    compiler = Compiler(known, INPUTS, ruby=partial(RubyCalls, hasty)).compile()
    assert hasty.started == 1
    assert len(hasty.ended) == 1
    assert len(compiler.warnings) == 1


def test_a_run_ends_though_all_hangs(hasty: Helper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENDED", 2)
    values = rendered(hasty, "hang", "die", "say no more", "say no more")
    assert [type(value) for value in values] == [Unknown] * 4
    assert hasty.started == 2
    assert "was ended 2 times" in values[-1].reason


def test_what_it_prints_does_no_harm(helper: Helper) -> None:
    assert rendered(helper, "flood", "say on") == ["flooded", "on"]
    assert helper.started == 1


def test_it_need_not_listen(hasty: Helper) -> None:
    first, second = rendered(hasty, "say deaf", "say " + "x" * 300_000)
    assert first == "deaf"
    assert isinstance(second, Unknown)


def test_questions(helper: Helper) -> None:
    known, unknown = rendered(helper, "variable known", "variable nix")
    assert (known, unknown) == ("k", "None")


def test_questions_within_questions(helper: Helper) -> None:
    assert rendered(helper, "nest 20 say deep") == ["(" * 21 + "deep" + ")" * 21]


def test_an_end_within_questions(helper: Helper) -> None:
    outer, after = rendered(helper, "nest 3 die", "say on")
    assert isinstance(outer, Unknown)
    assert after == "on"


def test_the_time_of_a_call_is_not_that_of_its_answers(hasty: Helper) -> None:
    known = DefinitionTable()
    known.add_program("$x = inline_template('variable slow')", "site.pp")
    compiler = Compiler(known, INPUTS, ruby=partial(RubyCalls, hasty))

    class Slow(dict[str, Any]):
        def __contains__(self, name: object) -> bool:
            if name == "slow":
                time.sleep(2 * SECONDS)
            return super().__contains__(name)

    compiler.compilation.top.frames[0] = Slow(slow="there")
    assert compiler.compile().top.own("x") == "there"


def test_without_puppet() -> None:
    both = [(sys.executable, STAND_IN, "without"), ("/nix/ruby",)]
    with (
        Helper(both) as helper,
        pytest.raises(InputError, match="has no Puppet, /nix/ruby: cannot be run: No such file"),
    ):
        rendered(helper, "say x")


def test_a_start_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "START_SECONDS", 0.3)
    with (
        Helper([(sys.executable, STAND_IN, "mute")]) as helper,
        pytest.raises(InputError, match="no answer within"),
    ):
        rendered(helper, "say x")


def test_the_second_may_have_it() -> None:
    both = [(sys.executable, STAND_IN, "without"), (sys.executable, STAND_IN)]
    with Helper(both) as helper:
        assert rendered(helper, "say x") == ["x"]


@pytest.fixture
def one_command(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that ends with its command; each Ruby is the stand-in."""
    shared: dict[tuple[int, str], Helper] = {}
    monkeypatch.setattr(module, "_SHARED", shared)
    monkeypatch.setattr(module.Helper, "of", lambda _: Helper([(sys.executable, STAND_IN)]))
    before = ONE_COMMAND.set(True)
    yield
    ONE_COMMAND.reset(before)
    for one in shared.values():
        one.close()


@pytest.mark.usefixtures("one_command")
def test_a_helper_serves_all_runs_of_a_command() -> None:
    for _ in range(3):
        with helper_of("auto") as helper:
            assert rendered(helper, "say x") == ["x"]
    assert helper.started == 1
    with helper_of("other") as other:
        assert other is not helper


@pytest.mark.usefixtures("one_command")
def test_another_run_has_no_types_of_other_modules() -> None:
    with helper_of("auto") as helper:
        assert helper.start(["one"]) == 1
        assert helper.start(["two"]) == 1, "several environments in one run"
    with helper_of("auto") as helper:
        assert helper.start(["two"]) == 1
    with helper_of("auto") as helper:
        assert helper.start(["three"]) == 2


def test_a_helper_ends_with_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.Helper, "of", lambda _: Helper([(sys.executable, STAND_IN)]))
    with helper_of("auto") as helper:
        assert rendered(helper, "say x") == ["x"]
    with helper_of("auto") as other:
        assert other is not helper


def test_no_process_and_no_pipe_is_left() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        process = Process((sys.executable, STAND_IN))
        assert b"hello" in process.receive(Clock(10))
        process.kill()
        process.kill()
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(HelperError):
        Process(("/nix/ruby",))
    assert len(os.listdir("/proc/self/fd")) == before


# Forks, leaves its session, forks again, and prints the number of what goes on.
DAEMON = """
import os, sys, time
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(w, b"%d" % os.getpid())
        os.execvp("sleep", ["sleep", "600"])
    os._exit(0)
print(os.read(r, 20).decode(), flush=True)
if "stay" in sys.argv:
    time.sleep(600)
"""


def test_what_leaves_its_session_ends_with_the_program() -> None:
    program = Guarded([sys.executable, "-c", DAEMON])
    pid = int(program.pipes[0].read())
    assert program.wait(LONG)
    assert program.code == 0
    assert gone(pid)
    program.end()
    program = Guarded([sys.executable, "-c", DAEMON, "stay"])
    pid = int(os.read(program.pipes[0].fileno(), 20))
    assert not gone(pid, 0.1)
    program.end()
    assert gone(pid, 5)


def test_a_daemon_of_a_classifier_ends(tmp_path: Path) -> None:
    script = tmp_path / "enc"
    code = DAEMON.replace("print(", "print('environment: p', ")
    script.write_text(f"#!{sys.executable}\n{code}")
    script.chmod(0o755)
    environment = classify(str(script), "n").environment or ""
    assert gone(int(environment.split()[1]))


# A shell that starts the tests in the background has SIGINT ignored, and children inherit that.
RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from functools import partial
from analyzer.frontends.puppet.bridge.helper import Helper, helper_of
from analyzer.frontends.puppet.bridge.calls import RubyCalls
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.calls import dispatch
pid, busy = sys.argv[1:3]
dispatch.CATALOG_FUNCTIONS["notice"] = lambda site, value: print(value, flush=True)
known = DefinitionTable()
known.add_program(f"notice(inline_template('{pid}')) $b = inline_template('{busy}')", "site.pp")
with Helper([sys.argv[3:]], seconds=60) as helper:
    Compiler(known, CompileInputs("n", {}), ruby=partial(RubyCalls, helper)).compile()
"""
RUBY = installed()
SCRIPT = (RUBY[0] if RUBY else "", module.SCRIPT)
HELPERS = {
    "stand-in": ("pid", "busy", sys.executable, STAND_IN),
    "ruby": ("<%= Process.pid %>", "<% loop {} %>", *SCRIPT),
    "sessions": (
        "<%= r, w = IO.pipe; fork { Process.setsid; fork { w.puts Process.pid; w.close;"
        " exec(%q(sleep), %q(600)) } }; Integer(r.gets) %>",
        "<% loop {} %>",
        *SCRIPT,
    ),
    "children": ("<%= spawn(%q(sleep 600)) %>", "<% loop {} %>", *SCRIPT),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("stand-in", signal.SIGTERM),
        ("sessions", signal.SIGKILL),
        *(
            pytest.param(name, number, marks=pytest.mark.slow)
            for name, number in (
                ("stand-in", signal.SIGKILL),
                ("stand-in", signal.SIGINT),
                ("ruby", signal.SIGKILL),
                ("children", signal.SIGKILL),
                ("sessions", signal.SIGTERM),
            )
        ),
    ],
)
def test_it_goes_with_its_parent_though_it_is_busy(name: str, number: signal.Signals) -> None:
    if name != "stand-in" and RUBY is None:
        pytest.skip(HOW_TO_INSTALL)
    command = [sys.executable, "-c", RUN, *HELPERS[name]]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.1)
        parent.send_signal(number)
        parent.wait(LONG)
    assert gone(pid)
