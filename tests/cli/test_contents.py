"""Folders that hold no manifests are right for all that; modules find those beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

Write = Callable[[str, str], None]

PLAN = "plan m(TargetSpec $targets) { run_task('m::t', $targets) }\n"
HELD = [
    ("templates/a.erb", "1 template"),
    ("templates/deep/a.epp", "1 template"),
    ("plans/init.pp", "1 Bolt plan"),
    ("tasks/t.sh", "1 Bolt task"),
    ("lib/facter/x.rb", "1 Ruby file"),
]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file below the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return write


@pytest.mark.parametrize(("file", "said"), HELD)
def test_module_without_manifests(run: Run, write: Write, file: str, said: str) -> None:
    write(f"m/{file}", PLAN if file.endswith(".pp") else "")
    write("m/tasks/t.json", "{}")
    line = f"m: no manifests (.pp) in this folder, but {said}\n"
    done = run("lint", "m")
    assert (done.code, done.out) == (0, f"{line}nothing was checked\n")
    done = run("cycles", "m")
    assert (done.code, done.out, done.err) == (0, "", line)


def test_parse_of_a_module_without_manifests(run: Run, write: Write) -> None:
    write("m/templates/a.erb", "")
    done = run("parse", "m")
    assert (done.code, done.out) == (0, "nothing was checked\n")
    assert done.err == "m: no manifests (.pp) in this folder, but 1 template\n"


def test_plan(run: Run, write: Write) -> None:
    write("m/plans/init.pp", PLAN)
    write("m/manifests/init.pp", "class m { }\n")
    assert run("parse", "m").out == "2 files: no errors\n"
    for command in ("cycles", "lint"):
        done = run(command, "m/plans/init.pp")
        assert done.code == 0
        assert "m/plans/init.pp: this is a Bolt plan" in done.out + done.err
    write("m/plans/wrong.pp", "plan m::wrong( { }\n")
    assert run("parse", "m").code == 1


def test_what_only_lies_in_such_a_folder_is_no_plan(run: Run, write: Write) -> None:
    write("plans/site.pp", "notify { 'a': }\n")
    assert run("cycles", "plans/site.pp").out.startswith("plans/site.pp: no dependency cycle")


def test_empty_folder_is_an_error(run: Run, write: Write) -> None:
    write("m/.gitkeep", "")
    for command in ("cycles", "lint", "parse"):
        assert run(command, "m").code == 2


@pytest.mark.parametrize("inside", [False, True])
def test_modules_of_the_checkout_are_found(run: Run, write: Write, inside: bool) -> None:
    write("repo/.git/HEAD", "")
    write("repo/code/modules/lib/manifests/init.pp", "class lib { }\n")
    write("repo/code/site-modules/role/manifests/init.pp", "class role { include lib }\n")
    write("repo/code/site-modules/role/metadata.json", '{"name": "me-role"}')
    if inside:
        write("repo/environment.conf", "modulepath = code/site-modules:code/modules\n")
    done = run("lint", "repo/code/site-modules/role")
    assert done.out.endswith("in 1 manifest and 1 catalog\n")
