"""The lint of policies: folders and inputs, comments, baselines, fixes, formats, assumptions."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.conftest import ROOT
from tests.linter.test_changed import commit, git

__all__ = ["run"]

Tree = dict[str, str]

# A note and an error in the first file, a warning in its input.
POLICY: Tree = {
    "policy/promises.cf": """\
body common control
{
  inputs => { "$(sys.libdir)/web.cf" };
  bundlesequence => { "main" };
}
bundle agent main
{
  methods:
    by_hand::
      "web";
  commands:
    "/bin/echo install"
      depends_on => { "dowload" };
    "/bin/echo download"
      handle => "download";
}
""",
    "policy/lib/web.cf": """\
bundle agent web
{
  reports:
    linux.!linux::
      "never";
}
""",
}
FOUND = [
    "policy/lib/web.cf:4 CG525",
    "policy/promises.cf:9 CG521",
    "policy/promises.cf:13 CG512",
]


def write(folder: Path, tree: Tree) -> None:
    for name, text in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The policy in the folder of the test, which is the current one."""
    write(tmp_path, POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


Found = Callable[..., list[str]]


@pytest.fixture
def found(run: Run) -> Found:
    """The files, lines and codes of what is found."""

    def call(*words: str) -> list[str]:
        done = run("lint", *words, "--format", "json")
        assert done.code in (0, 1, 3), done.err
        findings = json.loads(done.out)["findings"]
        return [f"{f['file']}:{f['line']} {f['code']}" for f in findings]

    return call


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    "paths",
    [["policy"], ["."], ["policy/promises.cf", "policy/lib/web.cf"], ["policy/lib", "policy"]],
    ids=" ".join,
)
def test_inputs_are_part_of_the_policy(site: Path, found: Found, paths: list[str]) -> None:
    assert found(*paths) == FOUND


def test_an_entry_names_its_whole_policy(site: Path, run: Run, found: Found) -> None:
    assert found("policy/promises.cf") == FOUND
    assert "1 error, 1 warning, 1 note in 2 policy files\n" in run("lint", "policy/promises.cf").out
    assert found("policy/lib/web.cf") == FOUND[:1]


def test_inputs_elsewhere_are_not_named(site: Path, run: Run, found: Found) -> None:
    change(site / "policy/promises.cf", "$(sys.libdir)/web.cf", "../shared/web.cf")
    (site / "shared").mkdir()
    (site / "policy/lib/web.cf").rename(site / "shared/web.cf")
    assert found("policy/promises.cf", "--allow-read", "shared") == FOUND[1:]
    done = run("lint", "policy/promises.cf", "--allow-read", "shared")
    assert "1 error, 1 note in 1 policy file\n" in done.out
    assert found("policy/promises.cf", "shared") == [*FOUND[1:], "shared/web.cf:4 CG525"]


def test_manifests_beside_policies(site: Path, found: Found) -> None:
    write(site, {"site.pp": "file { '/a': }\npackage { 'a': }\nFile['/a'] <- Package['a']\n"})
    assert found(".") == [*FOUND, "site.pp:3 CG101"]
    assert found("policy", "site.pp") == [*FOUND, "site.pp:3 CG101"]


def test_files_of_others_with_the_ending(site: Path, found: Found) -> None:
    write(site, {"policy/postfix/main.cf": "smtpd_banner = $myhostname\nbody = bundle agent\n"})
    assert found("policy") == FOUND
    assert found("policy/postfix/main.cf") == ["policy/postfix/main.cf:1 CG500"]


def test_a_refused_file(site: Path, run: Run, found: Found) -> None:
    change(site / "policy/lib/web.cf", '"never"', '"never" handel => "x"')
    assert found("policy") == ["policy/lib/web.cf:5 CG500"]
    assert run("lint", "policy").code == 3
    assert "1 error in 2 policy files" in run("lint", "policy").out


def test_a_file_that_is_not_there(site: Path, run: Run) -> None:
    done = run("lint", "none.cf", "policy")
    assert done.code == 2
    assert "none.cf: error: cannot be read: No such file or directory (unreadable)" in done.out
    assert "3 policy files" not in done.out


def test_a_file_that_is_no_utf_8(site: Path, found: Found) -> None:
    path = site / "policy/lib/web.cf"
    path.write_bytes(path.read_bytes().replace(b"never", b"nev\xe9r"))
    assert found("policy") == FOUND


@pytest.mark.parametrize("form", ["text", "sarif", "junit", "github", "gitlab", "markdown"])
def test_every_format_names_code_and_place(site: Path, run: Run, form: str) -> None:
    done = run("lint", "policy", "--format", form)
    assert done.code == 1
    for place in FOUND:
        file, _, code = place.partition(":")
        assert file in done.out
        assert code.split()[1] in done.out


def test_choice(site: Path, run: Run, found: Found) -> None:
    assert found("policy", "--select", "CG521") == FOUND[1:2]
    assert found("policy", "--ignore", "CG5") == []
    write(site, {"catgraph.toml": '[severity]\nCG512 = "note"\n[per_path]\n"lib" = ["CG5"]\n'})
    assert found("policy") == FOUND[1:]
    assert run("lint", "policy").code == 0


def test_comments(site: Path, run: Run, found: Found) -> None:
    first = site / "policy/promises.cf"
    change(first, "    by_hand::", "    # catgraph:ignore[CG521] with --define\n    by_hand::")
    change(first, '"dowload" };', '"dowload" };  # catgraph:ignore[CG512]')
    change(site / "policy/lib/web.cf", '"never"', '"# catgraph:ignore[CG525]"')
    assert found("policy") == FOUND[:1]
    change(site / "policy/lib/web.cf", "linux.!linux::", "linux::  # catgraph:ignore[CG525]")
    assert found("policy") == ["policy/lib/web.cf:4 CG001"]
    lines = found("policy", "--select", "CG,CG002")
    unexplained = ["policy/lib/web.cf:4 CG002", "policy/promises.cf:14 CG002"]
    assert lines == [unexplained[0], "policy/lib/web.cf:4 CG001", unexplained[1]]


def test_baseline(site: Path, run: Run, found: Found) -> None:
    assert run("lint", "policy", "--write-baseline", "known.json").code == 0
    assert found("policy", "--baseline", "known.json") == []
    change(site / "policy/promises.cf", "bundle agent main", "\n\nbundle agent main")
    assert found("policy", "--baseline", "known.json") == []
    change(site / "policy/promises.cf", '"dowload"', '"download"')
    done = run("lint", "policy", "--baseline", "known.json", "--fail-stale")
    assert done.code == 1
    assert "CG512 is in the baseline but no longer found" in done.err


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_changed_since(site: Path, found: Found) -> None:
    git(site, "init", "-q", "-b", "main")
    commit(site)
    assert found("policy", "--changed-since", "main") == []
    # The promise is blamed for its attribute, whichever of its lines is changed.
    change(site / "policy/promises.cf", "/bin/echo install", "/bin/echo installing")
    assert found("policy", "--changed-since", "main") == FOUND[2:]


def test_defined_classes(site: Path, run: Run, found: Found) -> None:
    assert found("policy", "--define", "by_hand") == [FOUND[0], FOUND[2]]
    assert found("policy", "--define", "other,by_hand") == [FOUND[0], FOUND[2]]
    write(site, {"policy/def.json": '{"classes": {"by_hand": ["any"]}}'})
    assert found("policy") == [FOUND[0], FOUND[2]]


OUTCOMES = """\
body classes both(x)
{
  promise_kept => { "$(x)_kept" };
  promise_repaired => { "$(x)_repaired" };
}
bundle agent main
{
  commands:
    "/bin/true"
      classes => both("a");
  methods:
    a_kept::
      "one";
    !a_kept::
      "two";
}
bundle agent one { reports: "one"; }
bundle agent two { reports: "two"; }
"""


def test_given_outcomes(site: Path, run: Run, found: Found) -> None:
    """Whether both branches run hangs on what the command does."""
    write(site, {"else.cf": OUTCOMES})
    assert found("else.cf") == ["else.cf:14 CG524"]
    row = {"bundle": "main", "type": "commands", "line": 9, "outcome": "repaired"}
    write(site, {"told.json": json.dumps([row])})
    assert found("else.cf", "--outcome", "told.json") == []
    write(site, {"told.json": json.dumps([row | {"outcome": "kept"}])})
    assert found("else.cf", "--outcome", "told.json") == ["else.cf:14 CG524"]
    write(site, {"told.json": "[1]"})
    done = run("lint", "else.cf", "--outcome", "told.json")
    assert done.code == 2
    assert done.err.startswith("told.json: error: not valid outcomes")


def test_fixes_are_written(site: Path, run: Run, found: Found) -> None:
    run("lint", "policy", "--fix")
    assert found("policy") == FOUND, "a name that looks like another is a guess"
    done = run("lint", "policy", "--fix", "--unsafe-fixes")
    assert "CG512: replace 'dowload' with 'download' (ordering: unchanged)" in done.err
    assert 'depends_on => { "download" };' in (site / "policy/promises.cf").read_text()
    assert found("policy") == FOUND[:2]


BACKWARDS = """\
bundle agent main
{
  # What uses it.
  commands:
    "/bin/echo" args => "save /tmp/app.conf";

  # What makes it: a `reports:` in a comment is none.
  files:
    "/tmp/app.conf"
      create => "true";

  vars:
    "x" string => "a
  reports:
    b";
}
"""
FORWARDS = """\
bundle agent main
{
  vars:
    "x" string => "a
  reports:
    b";
  # What makes it: a `reports:` in a comment is none.
  files:
    "/tmp/app.conf"
      create => "true";

  # What uses it.
  commands:
    "/bin/echo" args => "save /tmp/app.conf";

}
"""


def test_sections_are_put_in_order(site: Path, run: Run, found: Found) -> None:
    write(site, {"back.cf": BACKWARDS})
    done = run("lint", "back.cf", "--fix")
    assert "(ordering: unchanged)" in done.err
    assert (site / "back.cf").read_text() == FORWARDS
    assert found("back.cf") == []


@pytest.mark.slow
def test_manifests_do_not_load_the_policies_front_end(site: Path) -> None:
    write(site, {"site.pp": "package { 'a': }\n"})
    code = (
        "import sys, analyzer.session.lint.results as s\n"
        "from analyzer.reach import user_files\n"
        "with user_files(): s.lint_inputs(s.Request(('site.pp',)))\n"
        "print([m for m in sys.modules if m.startswith('analyzer.frontends.cfengine')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
