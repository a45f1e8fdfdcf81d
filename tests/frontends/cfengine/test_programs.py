"""What cf-serverd and cf-monitord evaluate, in the order of their own logs (3.21, `-d`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.session.policies import simulate

POLICY = str(Path(__file__).parent / "programs" / "daemons.cf")

# The lines `P: BEGIN promise` of cf-serverd; its reports are begun, and nothing is printed.
SERVER = """
s2 meta m
s2 vars v
s2 vars l
s2 classes k1
s2 classes k2
s2 roles r.*
s2 access /tmp/a1
s2 access /tmp/a2
s2 access /tmp/x
s2 access /tmp/y
s2 access /tmp/if
s2 access /tmp/$(unk)
s2 reports srv report
c1 vars x
c1 reports c1 report
c1 reports cc report
s1 access /tmp/s1cc
s1 access /tmp/a1
s1 access /tmp/a1
b1 access /tmp/b1
c2 reports c2
"""
# What cf-monitord's log tells of its first cycle: sections as they are first written.
MONITOR = """
c1 vars x
mm measurements /bin/echo 1
mm measurements /bin/echo 3
mm measurements /bin/echo a
mm measurements /bin/echo b
mm vars mv
mm vars ml
mm classes mc
"""


def begun(program: str, *, reports: bool) -> list[str]:
    events, _ = simulate(POLICY, program=program)
    return [
        f"{event.bundle.name} {event.type} {event.promiser}"
        for event in events
        if event.begun or (reports and event.reason == "no_action")
    ]


def test_the_server_takes_its_bundles_in_load_order() -> None:
    assert begun("server", reports=True) == SERVER.strip().splitlines()


def test_the_monitor_takes_sections_as_written() -> None:
    assert begun("monitor", reports=False) == MONITOR.strip().splitlines()


def test_each_program_warns_of_what_it_passes_over() -> None:
    _, warnings = simulate(POLICY, program="server")
    assert warnings == ["bundle withparam takes arguments: cf-serverd passes it over"]


def test_the_agent_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["order", POLICY]) == 0
    assert capsys.readouterr().out.split()[:4] == ["1", "main", "reports", "agent"]
    assert main(["order", POLICY, "--agent", "monitor"]) == 0
    assert capsys.readouterr().out.split()[1] == "c1"


def test_a_policy_of_server_bundles_is_that_of_the_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.cf"
    path.write_text(
        'bundle server s\n{\n  access:\n    "/x" admit => { "1.2.3.4" };\n'
        '  roles:\n    "c" authorize => { "root" };\n}\n'
    )
    assert main(["order", str(path)]) == 0
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == ["roles", "access"]
    assert main(["order", str(path), "--normal-order", "documented"]) == 0
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == ["roles", "access"]
