"""`catgraph check`: the gate fails for what the baseline does not accept, and for nothing else."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Put, Run

BASELINE = ".catgraph-baseline.json"

CYCLE = """
  notify { 'one': require => Notify['two'] }
  notify { 'two': require => Notify['one'] }
"""

SITE = """
node 'web1.example.com' { include a }
node 'web2.example.com' { include b }
"""
# A condition on a fact that is not given, and a template that is not there.
A = """
class a {
  if $facts['site']['x'] { notify { 'n': } }
  file { '/tmp/x': content => template('a/x.erb') }
}
"""
B = """
class b {
  notify { 'b': }
}
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a control repo, which is the working folder."""
    for name, text in {
        "manifests/site.pp": SITE,
        "modules/a/manifests/init.pp": A,
        "modules/b/manifests/init.pp": B,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(repo: Path, name: str, old: str, new: str) -> None:
    """Replace text in a manifest of a module."""
    path = repo / f"modules/{name}/manifests/init.pp"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_green_after_the_baseline(repo: Path, run: Run) -> None:
    assert run("check", ".").code == 3
    assert run("check", "--write-baseline").code == 0
    done = run("check")
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("2 nodes: 1 complete, 1 not compiled (")
    assert "2 of 2 classes of this code compiled" in done.out


@pytest.mark.parametrize("name", ["a", "b"])
def test_red_for_a_new_cycle(repo: Path, run: Run, name: str) -> None:
    run("check", "--write-baseline")
    edit(repo, name, "\n}\n", CYCLE + "}\n")
    done = run("check")
    # The node of `a` did not compile before either.
    assert done.code == 1
    assert "CG301" in done.out
    assert f"modules/{name}/manifests/init.pp" in done.out
    assert "CG200" not in done.out


def test_entries_survive_moved_lines_and_folders(repo: Path, run: Run, tmp_path: Path) -> None:
    run("check", "--write-baseline")
    edit(repo, "a", "class a {", "# A comment.\n\nclass a {")
    assert run("check", str(repo)).code == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("manifests", "modules", BASELINE):
        (repo / name).rename(elsewhere / name)
    assert run("check", "elsewhere").code == 0


def test_a_new_gap_is_unknown_at_its_line(repo: Path, run: Run) -> None:
    run("check", "--write-baseline")
    edit(repo, "b", "notify { 'b': }", "if $facts['site']['y'] { notify { 'b': } }")
    done = run("check")
    assert done.code == 3
    assert "modules/b/manifests/init.pp:3:6" in done.out


def test_a_node_that_was_complete(repo: Path, run: Run) -> None:
    """The gap itself is accepted for another node."""
    edit(repo, "a", "  file { '/tmp/x': content => template('a/x.erb') }\n", "")
    run("check", "--write-baseline")
    site = repo / "manifests/site.pp"
    site.write_text(site.read_text().replace("include b }", "include b\n include a }"))
    done = run("check")
    assert done.code == 3
    assert "web2.example.com: complete in the baseline, partly known now: condition" in done.err
    assert "modules/a/manifests/init.pp:3:6" in done.err


def test_stale_entries_are_reported_and_removed(repo: Path, run: Run) -> None:
    run("check", "--write-baseline")
    edit(repo, "a", "template('a/x.erb')", "'x'")
    done = run("check")
    assert done.code == 0
    assert "CG200 is in the baseline but no longer found" in done.err
    run("check", "--write-baseline")
    assert run("check").err == ""


def test_the_baseline_of_a_branch_is_not_obeyed(repo: Path, run: Run) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
        subprocess.run(["git", *who, *words], check=True, capture_output=True)

    git("init", "-b", "main")
    run("check", "--write-baseline")
    git("add", ".")
    git("commit", "-m", "one")
    edit(repo, "b", "\n}\n", CYCLE + "}\n")
    run("check", "--write-baseline")
    assert run("check").code == 0
    done = run("check", "--baseline-from", "main")
    assert done.code == 1
    assert "CG301" in done.out
    assert "1 entry not in main, and not used" in done.err
    assert run("check", "--baseline-from", "nosuch").code == 2


def test_lint_obeys_the_same_baseline(repo: Path, run: Run) -> None:
    run("check", "--write-baseline")
    assert run("lint", ".", "--baseline", BASELINE).code == 0
    edit(repo, "b", "\n}\n", CYCLE + "}\n")
    assert run("lint", ".", "--baseline", BASELINE).code == 1


@pytest.mark.parametrize("form", ["text", "json"])
def test_cycles_obeys_the_same_baseline(repo: Path, run: Run, form: str) -> None:
    words = "cycles", ".", "--baseline", BASELINE, "-f", form
    edit(repo, "a", "\n}\n", CYCLE + "}\n")
    run("check", "--write-baseline")
    assert run("cycles", ".").code == 1
    done = run(*words)
    assert done.code == 0
    assert form == "json" or "in the baseline: 1 finding and 2 gaps" in done.out
    (repo / "catgraph.toml").write_text(f"baseline = '{BASELINE}'\n")
    assert run("cycles", ".").code == 0
    edit(repo, "b", "\n}\n", CYCLE.replace("one", "three") + "}\n")
    done = run(*words)
    assert done.code == 1
    assert "Notify[one]" not in done.out
    assert "modules/b/manifests/init.pp" in done.out


def test_cycles_reports_what_is_newly_unknown(repo: Path, run: Run) -> None:
    run("check", "--write-baseline")
    words = "cycles", ".", "--baseline", BASELINE
    assert run(*words).code == 0
    edit(repo, "b", "notify { 'b': }", "if $facts['x'] { notify { 'b': } }")
    done = run(*words)
    assert done.code == 3
    assert "modules/b/manifests/init.pp:3:6" in done.out
    edit(repo, "b", "if $facts['x'] { notify { 'b': } }", "nosuch()")
    done = run(*words)
    assert done.code == 3
    assert "Unknown function: 'nosuch'" in done.err


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version": 3}', '{"version": 2, "findings": [], "gaps": 1, "nodes": {}}',
     '{"version": 2, "findings": [{"code": 1}], "gaps": [], "nodes": {}}',
     '{"version": 2, "findings": [], "gaps": [], "nodes": {"a": "b"}}', "[" * 100_000],
)  # fmt: skip
def test_no_baseline(repo: Path, run: Run, text: str) -> None:
    (repo / BASELINE).write_text(text)
    done = run("check")
    assert done.code == 2
    assert "not a baseline" in done.err


def test_json_has_the_coverage(repo: Path, run: Run) -> None:
    (repo / "modules/b/manifests/more.pp").write_text("define b::more() { }\n")
    (repo / "modules/b/manifests/misplaced.pp").write_text("class b::elsewhere { ] }\n")
    found = json.loads(run("check", "--format", "json").out)["coverage"]
    assert found["nodes"] == {"complete": 1, "partly known": 0, "not compiled": 1}
    assert found["definitions"]["define"] == {
        "total": 1,
        "without_node": ["b::more"],
        "not_compiled": [],
    }
    assert found["definitions"]["class"]["not_compiled"] == ["b::elsewhere"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("modules/b/manifests/alone.pp", "class b::alone(String $name_of_it) {%s}\n"),
        ("modules/b/manifests/kind.pp", "define b::kind(Integer $port) {%s}\n"),
        ("modules/profile/manifests/x.pp", "class profile::x {\n  include missing::module\n%s}\n"),
        # Where Puppet does not look: in a file of another name, and in another class.
        ("archive/old.pp", "class old::web {%s}\n"),
        ("modules/b/manifests/outer.pp", "class b::outer {\n  class inner {%s  }\n}\n"),
        ("modules/b/manifests/outer.pp", "class b::outer { class inner {%s } }\n"),
        ("archive/two.pp", "class old::one { } class old::two {%s }\n"),
        ("archive/two.pp", "class old::one { }\n/* */ class /* of old */ old::two # more\n{%s }\n"),
        # Puppet refuses the file, and its code is clear all the same.
        ("modules/old-one/manifests/init.pp", "class old-one {%s}\n"),
        ("modules/old-one/manifests/more.pp", "class old-one::more {%s}\n"),
        ("modules/b/manifests/wrong.pp", "class b::elsewhere {%s}\n"),
        ("modules/b/manifests/hyphen.pp", "class b::with-hyphen {%s}\n"),
        ("modules/b/manifests/init.pp", "class b { }\ndefine made() { }\nclass b::more {%s}\n"),
        # Node blocks in a manifest that Puppet does not read.
        ("manifest/site.pp", "node 'web5.example.com' { include nosuch\n%s}\n"),
        ("old.pp", "node default {%s}\n"),
        # Of two node blocks of one name Puppet refuses the second.
        ("manifests/again.pp", "node 'web1.example.com' {%s}\n"),
        ("manifests/again.pp", "node default { }\nnode default {%s}\n"),
        # A defined type where Puppet does not look, in a module whose first file is refused.
        ("modules/old/manifests/defines/x.pp", "define old::x ($ip = false) {%s}\n"),
        # A syntax error beside it hides no other definition of the file.
        ("modules/b/manifests/both.pp", "class b::both { ] }\nclass b::beside {%s}\n"),
        ("manifests/site.pp", "node 'web4' { file { '/x' } }\nnode 'web3.example.com' {%s}\n"),
        ("modules/b/manifests/top.pp", "include b\nclass b::top {%s}\n"),
        ("manifests/site.pp", "node base { }\nnode 'web3.example.com' inherits base {%s}\n"),
        # Of two classes of one name Puppet has the first.
        ("archive/b.pp", "class b {%s}\n"),
    ],
)
def test_code_that_no_node_has(repo: Path, run: Run, file: str, text: str) -> None:
    path = repo / file
    path.parent.mkdir(parents=True, exist_ok=True)
    if "defines/" in file:
        (path.parents[1] / "init.pp").write_text('import "defines/*.pp"\nclass old { }\n')
    path.write_text(text % "")
    run("check", "--write-baseline")
    assert run("check").code == 0
    path.write_text(text % CYCLE)
    done = run("check")
    assert done.code == 1
    assert "CG301" in done.out
    assert file in done.out


def test_assumptions_do_not_fail_unless_they_are_refused(repo: Path, run: Run) -> None:
    """Only certificates have trusted extensions: a level of theirs holds nothing here."""
    levels = "[{name: role, path: '%{trusted.extensions.pp_role}.yaml'}, {name: all, path: a.yaml}]"
    (repo / "hiera.yaml").write_text(f"version: 5\nhierarchy: {levels}\n")
    (repo / "data").mkdir()
    (repo / "data/a.yaml").write_text("greeting: hello\n")
    edit(repo, "a", "template('a/x.erb')", "'x'")
    edit(repo, "a", "if $facts['site']['x'] { notify { 'n': } }", "notify { lookup('greeting'): }")
    done = run("check")
    assert done.code == 0
    assert "2 nodes: 2 complete" in done.out
    assert "under 1 assumption (--explain lists them, --assume none refuses them)" in done.out
    assert (
        "assumed: Hiera's level 'role' was assumed to have no value"
        in run("check", "--explain").out
    )
    assert run("check", "--assume", "none").code == 3


def test_code_that_puppet_does_not_find_is_a_gap(repo: Path, run: Run) -> None:
    run("check", "--write-baseline")
    assert run("check").code == 0
    # Puppet looks for `b::elsewhere` in elsewhere.pp.
    (repo / "modules/b/manifests/misplaced.txt").write_text("class b::elsewhere { ] }\n")
    assert run("check").code == 0
    (repo / "modules/b/manifests/misplaced.txt").rename(repo / "modules/b/manifests/misplaced.pp")
    done = run("check", "--ignore", "CG200")
    assert done.code == 3
    place = "class b::elsewhere at modules/b/manifests/misplaced.pp:1"
    assert f"incomplete: {place} is in no catalog: Puppet does not find it" in done.out


def test_a_class_in_a_stage_that_is_missing_is_compiled(repo: Path, run: Run) -> None:
    edit(repo, "b", "notify { 'b': }", "class { 'b::staged': stage => 'setup' }")
    staged = repo / "modules/b/manifests/staged.pp"
    staged.write_text("class b::staged { }\n")
    run("check", "--write-baseline")
    assert run("check").code == 0
    staged.write_text(f"class b::staged {{ {CYCLE} }}\n")
    done = run("check")
    assert done.code == 1
    assert "modules/b/manifests/staged.pp" in done.out


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("/etc/nosuch/manifests/", "/etc/nosuch/manifests: its real path is outside"),
        # Real Puppet compiles without manifests then.
        ("site.pp", "site.pp: no such file, so that Puppet reads none"),
    ],
)
def test_manifests_that_are_not_in_the_checkout(
    repo: Path, run: Run, place: str, said: str
) -> None:
    """The code of the modules is checked all the same, and nothing is called clean."""
    (repo / "manifests/site.pp").unlink()
    (repo / "environment.conf").write_text(f"manifest = {place}\n")
    done = run("check", "--ignore", "CG200")
    assert done.code == 3
    assert f"incomplete: manifest {said}" in done.out
    assert "2 of 2 classes of this code compiled" in done.out
    run("check", "--write-baseline")
    assert run("check").code == 0
    edit(repo, "b", "\n}\n", CYCLE + "}\n")
    assert run("check").code == 1
    assert run("cycles", ".").code == 1


def test_hidden_files_are_no_manifests(run: Run, put: Put) -> None:
    """Puppet 7.23 reads no `._x.pp` of a folder of manifests."""
    put({"manifests/site.pp": "notify { 'a': }", "manifests/._site.pp": "class {"})
    put({"modules/web/manifests/init.pp": "class web { }", "modules/web/manifests/._a.pp": "\x00"})
    assert run("check").code == 0
