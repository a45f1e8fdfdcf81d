"""Each claim of SECURITY.md names tests that are there; those that have no other place are here."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.oracle.harness import HOW_TO_INSTALL, installed

__all__ = ["run"]

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
CLAIMS = [
    claim.replace("\n  ", " ") for claim in re.findall(r"^- (.*?)(?=\n- |\n\n)", PAGE, re.M | re.S)
]
NAMED = re.compile(r"\((`test_\w+`(?:, `test_\w+`)*)\)$")

SITE = "file { '/etc': ensure => directory }\nfile { '/etc/motd': content => 'new' }\n"

FUNCTION = "Puppet::Functions.create_function(:'m::f') do\nend\n"
TYPE = "Puppet::Type.newtype(:m_type) do\n  newparam(:name)\nend\n"


def test_each_claim_names_its_tests() -> None:
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    }
    assert len(CLAIMS) == PAGE.count("\n- ") > 15
    for claim in CLAIMS:
        found = NAMED.search(claim)
        assert found, f"no test is named for: {claim}"
        assert set(re.findall(r"test_\w+", found[1])) <= there, claim


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that code in Ruby makes, wherever a module may have Ruby."""
    monkeypatch.chdir(tmp_path)
    found = tmp_path / "mark"
    code = f"File.write('{found}', 'x')"
    for path, text in {
        "manifests/site.pp": "notify { template('m/t.erb'): } m::f() notify { inline_template('<%= "
        f"File.write(\"{found}\", \"x\") %>'): }} m_type {{ 'a': }}\n",
        "modules/m/templates/t.erb": f"<%= {code} %>",
        "modules/m/lib/puppet/functions/m/f.rb": f"{code}\n{FUNCTION}",
        "modules/m/lib/puppet/type/m_type.rb": f"{code}\n{TYPE}",
        "modules/m/lib/facter/f.rb": code,
    }.items():  # fmt: skip
        place = tmp_path / "env" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return found


def test_nothing_runs_without_ruby(run: Run, mark: Path) -> None:
    for command in ("compile", "lint", "cycles", "apply", "parse"):
        run(command, "env")
    assert not mark.exists()


@pytest.mark.slow
def test_ruby_runs_as_you_do(run: Run, mark: Path) -> None:
    if installed() is None:
        pytest.skip(HOW_TO_INSTALL)
    run("compile", "env", "--ruby", "auto")
    assert mark.exists()


def test_time_is_limited(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text("$a = Integer[1, 10000]\n$a.each |$x| { $a.each |$y| { $a.each |$z| { } } }\n")
    done = run("compile", path, "--time-limit", "1")
    assert (done.code, "(too-much)" in done.err) == (3, True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine."""
    found = tmp_path / "root"
    (found / "etc").mkdir(parents=True)
    (found / "etc/motd").write_text("old")
    (tmp_path / "site.pp").write_text(SITE)
    return found


def test_apply_changes_nothing_unless_it_is_real(run: Run, root: Path) -> None:
    assert run("apply", root.parent / "site.pp").code == 0
    assert (root / "etc/motd").read_text() == "old"


def test_a_look_at_the_host_changes_nothing(run: Run, root: Path) -> None:
    before = {path: os.lstat(path).st_mtime_ns for path in root.rglob("*")}
    assert run("apply", root.parent / "site.pp", "--from-host", "--root", root).code == 0
    assert {path: os.lstat(path).st_mtime_ns for path in root.rglob("*")} == before


def test_what_a_run_keeps_is_private(run: Run, root: Path, tmp_path: Path) -> None:
    state, report = tmp_path / "state", tmp_path / "report.yaml"
    report.write_text("")
    report.chmod(0o644)
    options = ["--real", "--yes", "--root", root, "--state-dir", state, "--report", report]
    run("apply", tmp_path / "site.pp", *options)
    assert (root / "etc/motd").read_text() == "new"
    kept = [report, *(path for path in state.rglob("*") if path.is_file())]
    assert {"contents", "paths"} <= {path.name for path in kept}
    assert [path for path in kept if path.stat().st_mode & 0o077] == []


def test_leftovers_of_a_killed_run_are_removed(run: Run, root: Path, tmp_path: Path) -> None:
    old, fresh, other = (tmp_path / f"r.json.{n}.tmp" for n in ("0123abcd", "ffffffff", "notmine0"))
    for path in (old, fresh, other):
        path.write_text("x")
    for path in (old, other):
        os.utime(path, (0, 0))
    assert run("apply", tmp_path / "site.pp", "--report", tmp_path / "r.json").code == 0
    assert (old.exists(), fresh.exists(), other.exists()) == (False, True, True)
