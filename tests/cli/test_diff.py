"""`catgraph diff` of catalogs, manifests, revisions and policies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.frontends.cfengine.runs import RUNS

from .conftest import Put, Run

SAMPLES = ROOT / "sample_catalogs"
WEB = SAMPLES / "healthy_web_stack" / "catalog.json"

OLD = r"""
class x { file { '/a': ensure => file } file { '/b': mode => '0644' } }
class y {
  file { '/c': }
  file { '/d': content => "a\nb\nc\n" } ~> service { 's': }
}
include x
include y
notify { 'n': require => Class['y'] }
exec { '/bin/m': }
"""
NEW = r"""
class x { file { '/a': ensure => file, content => Sensitive('hunter2') } }
class y {
  file { '/b': mode => '0600' }
  file { '/c': owner => 'u' }
  user { 'u': password => 'tr0ub4' }
  file { '/d': content => "a\nc\n" } ~> exec { '/bin/m': refreshonly => true } ~> service { 's': }
}
include x
include y
Class['x'] -> Class['y']
notify { 'n': require => Class['y'] }
"""

REPORT = """\
A: catalog of node.example.com: 7 resources, 2 relationships
B: catalog of node.example.com: 8 resources, 5 relationships

added: 1 resource
  User[u]  new.pp:6
    2 resources wait for it

changed: 5 resources
  File[/a]      new.pp:2
    content: [redacted] (new)
    7 resources wait for it
  File[/b]      new.pp:4
    mode: 0644 -> 0600
    now in Class[Y], no longer in Class[X]
    tags: +y -x
    1 resource waits for it
  File[/c]      new.pp:5
    owner: u (new)
    1 resource waits for it
  File[/d]      new.pp:7
    refreshes Exec[/bin/m], Service[s]
    3 resources wait for it
    content:
      @@ -1,3 +1,2 @@
       a
      -b
       c
  Exec[/bin/m]  new.pp:7
    refreshonly: true (new)
    now in Class[Y], no longer in Class[Main]
    tags: +y
    refreshes Service[s]
    2 resources wait for it

orderings gained: 10 pairs of resources, implied by
  File[/b] before Notify[n]           new.pp:4     contains  Class[Y] contains File[/b]
  File[/d] before Exec[/bin/m]        new.pp:7:38  ~>
  Exec[/bin/m] before Service[s]      new.pp:7:80  ~>
  Class[X] before Class[Y], File[/b]  new.pp:11:12  ->

relationships gained: 4
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two manifests in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.pp").write_text(OLD)
    (tmp_path / "new.pp").write_text(NEW)
    return tmp_path


def test_text(run: Run, site: Path) -> None:
    done = run("diff", "old.pp", "new.pp")
    assert (done.code, done.err) == (1, "")
    squeezed = [" ".join(line.split()) for line in done.out.splitlines()]
    for line in REPORT.splitlines():
        assert " ".join(line.split()) in squeezed
    assert done.out.startswith(REPORT[: REPORT.index("orderings gained")])
    assert "  User[u] => File[/c]         new.pp:5      autorequire  file autorequires user\n" in (
        done.out
    )
    assert "  Exec[/bin/m]  now after File[/d]\n\ncaused by\n" in done.out
    assert "hunter2" not in done.out
    assert "tr0ub4" not in done.out


def test_no_difference(run: Run, site: Path) -> None:
    done = run("diff", "old.pp", "old.pp")
    assert (done.code, done.out.splitlines()[3]) == (0, "no difference")
    (document,) = json.loads(run("diff", WEB, WEB, "--format", "json").out)
    assert document["changed"] == document["moved"] == document["effects"] == []
    assert document["gained"]["order"] == {"count": 0, "pairs": []}
    assert run("diff", WEB, WEB, "--format", "markdown").out.endswith("No difference.\n")


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in SAMPLES.glob("*/catalog.json"))
)
def test_a_sample_is_what_puppet_makes_of_it(run: Run, name: str) -> None:
    """Puppet's own catalogs of the samples' manifests differ in nothing from ours."""
    folder = SAMPLES / name
    facts = ["--facts", folder / "facts.json"] if (folder / "facts.json").exists() else []
    done = run("diff", folder, folder / "catalog.json", *facts)
    assert (done.code, done.out.splitlines()[3]) == (0, "no difference")


def test_what_is_not_known_is_told_by_its_reason(run: Run, site: Path) -> None:
    (site / "old.pp").write_text("file { ['/a', '/b']: content => $facts['x'] }")
    done = run("diff", "old.pp", "old.pp")
    assert done.code == 0
    assert done.out.splitlines()[3:] == [
        "no known difference",
        "",
        "may differ (unknown values): 2 parameters",
        "  File[/a] content and 1 more  no facts are given (--facts FILE)",
    ]


def test_json(run: Run, site: Path) -> None:
    done = run("diff", "old.pp", "new.pp", "--format", "json")
    (document,) = json.loads(done.out)
    assert done.code == 1
    assert document["gained"]["resources"] == [{"ref": "User[u]", "file": "new.pp", "line": 6}]
    first, *_ = document["gained"]["relationships"]
    assert (first["sources"], first["targets"], first["kind"]) == (
        ["Class[X]"],
        ["Class[Y]"],
        "before",
    )
    assert document["gained"]["order"]["count"] == 10
    assert {"first": ["File[/b]"], "second": ["Notify[n]"]} in document["gained"]["order"]["pairs"]
    changed = {row["ref"]: row for row in document["changed"]}
    assert changed["File[/a]"]["parameters"] == [
        {"name": "content", "old": None, "new": "Sensitive [value redacted]"}
    ]
    assert changed["File[/b]"]["containers"] == {"gained": ["Class[Y]"], "lost": ["Class[X]"]}
    effects = {row["ref"]: row for row in document["effects"]}
    assert effects["File[/d]"]["refreshed"] == ["Exec[/bin/m]", "Service[s]"]
    assert document["moved"] == [{"ref": "Exec[/bin/m]", "after": "File[/d]"}]
    assert "hunter2" not in done.out


def test_markdown(run: Run, site: Path) -> None:
    done = run("diff", "old.pp", "new.pp", "--format", "markdown")
    assert "### Added: 1 resource\n\n- `User[u]` `new.pp:6`\n" in done.out
    assert "    ```diff\n    @@ -1,3 +1,2 @@\n     a\n    -b\n     c\n    ```\n" in done.out
    assert "- `Class[X] before Class[Y], File[/b]` `new.pp:11:12` -\\>\n" in done.out


def test_values_that_would_break_a_page(run: Run, site: Path) -> None:
    (site / "old.pp").write_text('notify { "`|<b>": message => "```\\na\\n" }')
    (site / "new.pp").write_text('notify { "`|<b>": message => "```\\nb\\n\\u{1b}[2J" }')
    done = run("diff", "old.pp", "new.pp", "--format", "markdown")
    assert "- `` Notify[`|<b>] ``" in done.out
    assert "    ````diff\n" in done.out
    assert "\x1b" not in done.out
    assert "\x1b" not in run("diff", "old.pp", "new.pp").out


def test_long_lists_are_cut(run: Run, site: Path) -> None:
    (site / "old.pp").write_text("notify { 'a': }")
    titles = ", ".join(f"'n{number}'" for number in range(30))
    (site / "new.pp").write_text(f"notify {{ 'a': }}\nnotify {{ [{titles}]: }}")
    done = run("diff", "old.pp", "new.pp")
    assert "added: 30 resources\n" in done.out
    assert "  ... and 10 more (--all lists them)\n" in done.out
    assert "Notify[n29]" not in done.out
    assert "Notify[n29]" in run("diff", "old.pp", "new.pp", "--all").out


def test_nodes_are_compared_with_each_other(run: Run, site: Path) -> None:
    (site / "old.pp").write_text("node a { notify { 'x': } }\nnode b { }\n")
    (site / "new.pp").write_text("node a { notify { 'y': } }\nnode c { }\n")
    done = run("diff", "old.pp", "new.pp")
    assert done.code == 1
    assert "A: catalog of a: 1 resource, " in done.out
    assert "A: catalog of b: 0 resources, 0 relationships\nB: has no node b\n" in done.out
    assert "A: has no node c\n" in done.out
    rows = json.loads(run("diff", "old.pp", "new.pp", "--format", "json").out)
    assert [row["node"] for row in rows] == ["a", "b", "c"]
    assert rows[1]["second"] is None
    only = run("diff", "old.pp", "new.pp", "--node", "a", "--format", "json")
    assert [row["node"] for row in json.loads(only.out)] == ["a"]


def test_two_nodes_have_their_names_as_tags(run: Run, tmp_path: Path) -> None:
    code = "class base { notify { 'b': } }\n"
    for node in ("web1.example.com", "web2.example.com"):
        (tmp_path / "site.pp").write_text(
            f"{code}node '{node}' {{ include base notify {{ 'a': }} }}"
        )
        (tmp_path / f"{node}.json").write_text(run("compile", tmp_path / "site.pp").out)
    files = sorted(tmp_path.glob("*.json"))
    (document,) = json.loads(run("diff", *files, "--format", "json").out)
    assert document["changed"] == []
    assert [row["ref"] for row in document["gained"]["resources"]] == ["Node[web2.example.com]"]


def test_a_folder_outside_of_git(run: Run, site: Path) -> None:
    done = run("diff", "--rev", "HEAD", "old.pp")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1


def test_what_puppetdb_does_not_keep_is_no_difference(run: Run, tmp_path: Path) -> None:
    document = json.loads(WEB.read_text())
    document["certname"] = document["name"]
    document["resources"].reverse()
    path = tmp_path / "puppetdb.json"
    path.write_text(json.dumps(document))
    assert run("diff", WEB, path).code == 0


def test_policies(run: Run, tmp_path: Path) -> None:
    first = RUNS / "chain_of_four_backwards.cf"
    second = tmp_path / "p.cf"
    second.write_text(first.read_text().replace("/bin/echo b", "/bin/echo z"))
    done = run("diff", first, second)
    assert done.code == 1
    assert "  Commands[main:/bin/echo z]" in done.out
    assert run("diff", first, first).code == 0


def test_a_run_and_a_catalog_are_not_compared(run: Run) -> None:
    report = ROOT / "tests" / "apply" / "report" / "recorded" / "first.yaml"
    done = run("diff", report, WEB)
    assert (done.code, f"{WEB} is not the report of a run" in done.err) == (2, True)
    assert run("diff", WEB, "missing.json").code == 2


def test_order_moves_of_runs(run: Run, tmp_path: Path) -> None:
    def outcome(name: str, order: list[str]) -> Path:
        path = tmp_path / name
        resources = {
            f"Sim[{title}]": {"flags": ["changed"], "failed_deps": [], "events": []}
            for title in order
        }
        document = {"status": "", "order": [*resources], "resources": resources, "log": []}
        path.write_text(json.dumps(document))
        return path

    first, second = outcome("a.json", [*"abcd"]), outcome("b.json", [*"bcad"])
    done = run("diff", first, second)
    assert done.code == 0
    assert done.out.splitlines()[-4:] == [
        "no resource ended differently",
        "",
        "applied at another position: 1 resource",
        "  Sim[a]  now after Sim[c]",
    ]
    document = json.loads(run("diff", first, second, "--format", "json").out)
    assert document["moved"] == [{"ref": "Sim[a]", "after": "Sim[c]"}]
    assert "| `Sim[a]` | after `Sim[c]` |" in run("diff", first, second, "--format", "markdown").out


def test_policies_are_run_as_they_are_told_to(run: Run) -> None:
    policy = RUNS / "else_guard.cf"
    assert "3 promises in 1 bundle" in run("diff", policy, policy).out
    assert "2 promises in 1 bundle" in run("diff", policy, policy, "--define", "x").out


def test_what_compiles_of_failing_nodes_is_compared(run: Run, put: Put) -> None:
    site = "node 'x' {{ notify {{ 'a': message => '{}' }} }}\nnode 'y' {{ include gone\n{} }}\n"
    put({"a/manifests/site.pp": site.format(1, ""), "b/manifests/site.pp": site.format(1, "")})
    done = run("diff", "a", "b")
    assert (done.code, done.out.count("no difference")) == (3, 2)
    assert "a/manifests/site.pp:2:12: error: Could not find class ::gone for y" in done.err
    put({"b/manifests/site.pp": site.format(2, "")})
    done = run("diff", "a", "b")
    assert (done.code, "message: 1 -> 2" in done.out) == (1, True)
    put({"b/manifests/site.pp": site.format(1, "notify { 'b': }")})
    done = run("diff", "a", "b")
    assert (done.code, "Notify[b]" in done.out) == (1, True)


def test_no_node_compiles(run: Run, put: Put) -> None:
    put({"a/manifests/site.pp": "node 'y' {", "b/manifests/site.pp": "node 'y' { }"})
    assert run("diff", "a", "b").code == 3
    assert run("diff", "b", "a").code == 3
