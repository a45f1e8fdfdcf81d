"""A policy that CFEngine refuses exits with 3, whichever command reads it.

Each policy was refused by `cf-promises -c`, which cf-agent 3.21 asks before a run.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.frontends.cfengine import promises

__all__ = ["run"]

REFUSED = {
    "syntax": 'bundle agent main { reports: "x" handle => }\n',
    "attribute": 'bundle agent main { reports: "x" nosuch => "x"; }\n',
    "arguments": 'bundle agent main { methods: "m" usebundle => b("a"); }\nbundle agent b { }\n',
    "body": (
        'body common control { bundlesequence => { "main" }; }\n'
        'bundle agent main { files: "/tmp/x" perms => nosuch; }\n'
    ),
}
# `cf-promises` without `-c` accepts these, as it does files that are part of a larger policy.
REFUSED_RUNS = {
    "no bundle": (
        'body common control { bundlesequence => { "nosuch" }; }\n'
        'bundle agent main { reports: "x"; }\n'
    ),
    "no input": (
        'body common control { inputs => { "nosuch.cf" }; bundlesequence => { "main" }; }\n'
        'bundle agent main { reports: "x"; }\n'
    ),
    "no body": 'bundle agent main { files: "/tmp/x" perms => nosuch; }\n',
    "no body with arguments": 'bundle agent main { reports: "x" classes => nosuch("x"); }\n',
}
RUNS = (
    "cycles",
    "order",
    "why Files[x] Files[y]",
    "why Files[x]",
    "impact Files[x]",
    "query type=files",
    "graph",
    "graph --format json",
    "graph --format html",
    "diff policy.cf",
    "diff --rev HEAD",
    "apply",
    "apply --format json",
    "tui --plain",
)
CHECKS = (
    "parse",
    "parse --format json",
    "parse --format pn",
    "lint",
    "lint --fix",
    "lint --diff",
    "lint --format json",
    "lint --format sarif",
)


def asked(run: Run, folder: Path, command: str) -> int:
    """The exit code of a command about the policy of a folder."""
    name, *words = command.split()
    done = run(name, folder / "policy.cf", *(folder / w if ".cf" in w else w for w in words))
    assert "internal error" not in done.err
    return done.code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout, the working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commit(folder: Path) -> None:
    """Commit all that is there."""
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "x"],
    ):
        subprocess.run(["git", *words], check=True, capture_output=True, cwd=folder)


@pytest.mark.parametrize("command", [*RUNS, *CHECKS])
@pytest.mark.parametrize("kind", REFUSED)
def test_all_commands_exit_with_3(run: Run, folder: Path, kind: str, command: str) -> None:
    (folder / "policy.cf").write_text(REFUSED[kind])
    if "--rev" in command:
        commit(folder)
    assert asked(run, folder, command) == 3


@pytest.mark.parametrize("command", RUNS)
@pytest.mark.parametrize("kind", REFUSED_RUNS)
def test_what_the_agent_refuses_to_run_exits_with_3(
    run: Run, folder: Path, kind: str, command: str
) -> None:
    (folder / "policy.cf").write_text(REFUSED_RUNS[kind])
    if "--rev" in command:
        commit(folder)
    assert asked(run, folder, command) == 3


@pytest.mark.parametrize("kind", [*REFUSED, *REFUSED_RUNS])
def test_the_installed_cfengine_refuses_it(tmp_path: Path, kind: str) -> None:
    if not promises.installed():
        pytest.skip("CFEngine is not installed")
    path = tmp_path / "policy.cf"
    path.write_text({**REFUSED, **REFUSED_RUNS}[kind])
    path.chmod(0o600)
    words = ["cf-promises", "-c", "-w", str(tmp_path), "-f", str(path)]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 1


def test_a_second_input_that_is_refused(run: Run, folder: Path) -> None:
    (folder / "policy.cf").write_text('bundle agent main { reports: "x"; }\n')
    (folder / "other.cf").write_text(REFUSED["syntax"])
    for command in ("cycles", "order", "diff", "lint", "parse", "apply"):
        assert run(command, "policy.cf", "other.cf").code == 3, command


def test_a_patch_of_a_refused_policy_names_the_error(run: Run, folder: Path) -> None:
    (folder / "policy.cf").write_text(REFUSED["syntax"])
    assert "Invalid r-value type '}' (CG500)" in run("lint", "policy.cf", "--diff").err


def test_an_error_in_a_manifest_beside_a_policy(run: Run, folder: Path) -> None:
    (folder / "a.pp").write_text("notify { 'a': x => }\n")
    assert run("parse", "a.pp").code == 1
    (folder / "policy.cf").write_text('bundle agent main { reports: "x"; }\n')
    assert run("parse", "a.pp", "policy.cf").code == 1
    (folder / "policy.cf").write_text(REFUSED["syntax"])
    assert run("parse", "a.pp", "policy.cf").code == 3
    assert run("parse", "a.pp", "policy.cf", "none.cf").code == 2
