"""A control repo as a source, and what a branch does to each of its nodes."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli import main
from analyzer.fleet.questions.diff import Diff
from analyzer.fleet.sources import changes
from analyzer.fleet.sources.repo import LastSite, Repo, SharedSite
from analyzer.fleet.work import Task, work
from analyzer.frontends.puppet.node.environment import Settings

SITE = """\
node default { include app }
node /^db/ { notify { "db of ${facts['networking']['fqdn']}": } }
"""
APP = """\
class app {
  package { 'app': ensure => installed }
  file { "/etc/${facts['networking']['fqdn']}.conf":
    ensure  => file,
    mode    => '0644',
    require => Package['app'],
  }
  service { 'app': ensure => running }
}
"""


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.email=a@example.com", "-c", "user.name=a")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repo"
    (folder / "modules/app/manifests").mkdir(parents=True)
    (folder / "manifests").mkdir()
    (folder / "environment.conf").touch()
    (folder / "manifests/site.pp").write_text(SITE)
    (folder / "modules/app/manifests/init.pp").write_text(APP)
    facts = tmp_path / "facts"
    facts.mkdir()
    for name in ("web1", "web2", "web10", "db1"):
        values = {"networking": {"fqdn": f"{name}.example.com", "hostname": name}}
        body = {"name": f"{name}.example.com", "values": values}
        (facts / f"{name}.example.com.json").write_text(json.dumps(body))
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    monkeypatch.chdir(folder)
    return folder


def change(repo: Path, old: str, new: str) -> None:
    git(repo, "checkout", "-qb", "next")
    path = repo / "modules/app/manifests/init.pp"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    git(repo, "commit", "-qam", "two")


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    options = ("--facts-dir", "../facts", "--store", "../fleet.sqlite", "--workers", "1")
    # As the workers of a new run.
    LastSite.known.clear()
    code = main(["fleet", *words, *options, "-f", "json"])
    return code, json.loads(capsys.readouterr().out)


WEB = ["web1.example.com", "web10.example.com", "web2.example.com"]


def test_nodes_with_the_same_change_are_together(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(repo, "'0644',", "'0600',\n    notify  => Service['app'],")
    code, found = answer(capsys, "diff", ".", "--rev", "main...next")
    assert (code, found["nodes"], found["failed"]) == (1, 4, [])
    value, order = found["causes"]
    assert value["nodes"] == order["nodes"] == WEB
    texts = [
        "File[/etc/<node>.conf]: mode 0644 -> 0600",
        "event: the change of File[/etc/<node>.conf] refreshes Service[app]",
        "relationship gained: File[/etc/<node>.conf] notifies Service[app]",
        "order gained: File[/etc/<node>.conf] before Service[app]",
    ]
    assert [one["text"] for one in value["statements"]] == texts[:1]
    assert [one["text"] for one in order["statements"]] == texts[1:]
    assert value["statements"][0]["file"] == "modules/app/manifests/init.pp"
    assert value["lines"] == [
        {"place": "modules/app/manifests/init.pp:5", "text": "mode    => '0600',"}
    ]
    assert order["lines"] == [
        {"place": "modules/app/manifests/init.pp:6", "text": "notify  => Service['app'],"}
    ]
    _, found = answer(capsys, "diff", ".", "--rev", "main...next", "--no-causes")
    (cause,) = found["causes"]
    assert [one["text"] for one in cause["statements"]] == texts
    assert cause["lines"] == []


def test_a_cycle_that_a_branch_brings_is_an_error(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(repo, "ensure => installed", "ensure => installed, require => Service['app']")
    change_again = (repo / "modules/app/manifests/init.pp").read_text()
    looped = change_again.replace("ensure => running", "ensure => running, require => Package[app]")
    (repo / "modules/app/manifests/init.pp").write_text(looped)
    code, found = answer(capsys, "diff", ".", "--rev", "main")
    assert code == 1
    first = found["causes"][0]
    assert (first["code"], first["nodes"]) == ("CG301", WEB)


LOOP = """\
class app {
  package { 'app': ensure => installed }
  service { 'app': ensure => running }
  file { '/etc/app.conf': }
  Package['app'] -> File['/etc/app.conf']
  File['/etc/app.conf'] -> Service['app'] -> Package['app']
}
"""


def stored(repo: Path, capsys: pytest.CaptureFixture[str], *names: str) -> None:
    """Write the catalogs of nodes to a folder."""
    folder = repo.parent / "stored"
    folder.mkdir()
    for name in names:
        node = f"{name}.example.com"
        assert main(["compile", ".", "--node", node, "--facts", f"../facts/{node}.json"]) == 0
        (folder / f"{node}.json").write_text(capsys.readouterr().out)


def test_an_old_cycle_is_not_new_wherever_its_statements_stand(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = repo / "modules/app/manifests/init.pp"
    path.write_text(LOOP)
    git(repo, "commit", "-qam", "a cycle")
    stored(repo, capsys, "web1")
    assert answer(capsys, "diff", "../stored", ".")[0] == 0
    path.write_text(f"# A line above.\n{LOOP}")
    assert answer(capsys, "diff", ".", "--rev", "main")[0] == 0
    assert answer(capsys, "diff", "../stored", ".")[0] == 0
    path.write_text(LOOP.replace(" -> Package['app']", ""))
    code, found = answer(capsys, "diff", "../stored", ".")
    assert code == 1
    texts = {one["text"] for cause in found["causes"] for one in cause["statements"]}
    assert "the dependency cycle of File[/etc/app.conf] is gone" in texts
    assert all(cause["code"] == "diff" for cause in found["causes"])


def test_stored_catalogs_are_compared_with_a_fresh_compile(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(repo, capsys, "web1", "db1")
    assert answer(capsys, "diff", "../stored", ".")[0] == 0
    change(repo, "'0644'", "'0640'")
    code, found = answer(capsys, "diff", "../stored", ".")
    assert code == 1
    (cause,) = found["causes"]
    assert cause["nodes"] == ["web1.example.com"]


def test_a_node_that_does_not_compile_is_not_clean(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repo / "modules/app/manifests/init.pp").write_text("class app { fail('no') }")
    code, found = answer(capsys, "cycles", ".")
    assert (code, found["causes"]) == (3, [])
    assert [one["node"] for one in found["failed"]] == WEB


def test_only_nodes_with_other_facts_are_compiled_again(repo: Path, tmp_path: Path) -> None:
    source = Repo(".", Settings(facts_dir="../facts"))
    first = {node.key: node.hash for node in source.index()}
    facts = tmp_path / "facts/web2.example.com.json"
    facts.write_text(facts.read_text().replace("web2", "web3"))
    second = {node.key: node.hash for node in source.index()}
    assert {name for name in first if first[name] != second[name]} == {"web2.example.com"}


def test_only_nodes_that_a_change_can_reach_are_compiled_twice(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = repo.parent / "old"
    shutil.copytree(repo, other)
    (repo / "modules/app/manifests/init.pp").write_text(APP.replace("0644", "0600"))
    (repo / "README.md").touch()
    assert compiled(other, repo, monkeypatch) == (WEB, WEB)
    # Every node is compiled as a proof, and none differs that could not notice.
    monkeypatch.setattr(changes, "SAMPLE", 1)
    assert compiled(other, repo, monkeypatch) == (sorted([*WEB, "db1.example.com"]), WEB)


def test_a_manifest_that_was_looked_for_in_vain_counts(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = "node default { if defined(Class['app::more']) or defined('app::more') { include app } }"
    (repo / "manifests/site.pp").write_text(site)
    other = repo.parent / "old"
    shutil.copytree(repo, other)
    (repo / "modules/app/manifests/more.pp").write_text("class app::more { }")
    everybody = sorted([*WEB, "db1.example.com"])
    assert compiled(other, repo, monkeypatch) == (everybody, everybody)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("manifests/site.pp", SITE + "\n"),
        ("data/common.yaml", "a: 1"),
        ("modules/new/manifests/init.pp", "class new { }"),
        ("modules/app/templates/x.md", "x"),
        ("catgraph.toml", ""),
    ],
)
def test_what_any_node_may_notice(repo: Path, path: str, text: str) -> None:
    other = repo.parent / "old"
    shutil.copytree(repo, other)
    (repo / path).parent.mkdir(parents=True, exist_ok=True)
    (repo / path).write_text(text)
    settings = Settings(facts_dir="../facts")
    assert (
        changes.changed_manifests(*(SharedSite(Repo(str(p), settings)) for p in (other, repo)))
        is None
    )


def compiled(old: Path, new: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """Return the nodes that were compiled on the old side, and those that differ."""
    LastSite.known.clear()
    before, after = (Repo(str(path), Settings(facts_dir="../facts")) for path in (old, new))
    changed = changes.changed_manifests(SharedSite(before), SharedSite(after))
    assert changed
    seen: list[str] = []
    compile_one = SharedSite.compiled

    def noted(site: SharedSite, name: str, helper: Any) -> Any:
        if site.repo.path == str(old):
            seen.append(name)
        return compile_one(site, name, helper)

    monkeypatch.setattr(SharedSite, "compiled", noted)
    question = Diff(before, own=after, changed=changed)
    results = work(Task(after, question, tuple(after.index())))
    monkeypatch.setattr(SharedSite, "compiled", compile_one)
    assert not [one for one in results if one.failed]
    return sorted(seen), sorted(one.name for one in results if one.occurrences)


EXPORTS = """\
node 'db1.example.com' { @@notify { 'from db': require => Notify['here'] } notify { 'here': } }
node default { Notify <<| |>> notify { 'here': require => Notify['from db'] } }
"""


@pytest.mark.slow
def test_what_nodes_export_to_each_other(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "manifests/site.pp").write_text(EXPORTS)
    seen = compiles(monkeypatch)
    # The first compile of three nodes fails: they lack what they collect.
    code, found = answer(capsys, "cycles", ".")
    assert (code, found["causes"][0]["nodes"], found["failed"]) == (1, WEB, [])
    seen.clear()
    arrow = "node default { Notify <<| |>> -> Notify['here'] notify { 'here': } }"
    site = EXPORTS.splitlines()[0] + arrow
    (repo / "manifests/site.pp").write_text(site)
    for count in (11, 0):
        code, found = answer(capsys, "cycles", ".")
        assert (code, found["failed"]) == (1, [])
        (cause,) = found["causes"]
        assert cause["nodes"] == WEB
        # Each node for what it exports, three of them with what db1 does, and then all; not again.
        assert len(seen) == count
        seen.clear()
    # The branch changes what the others collect.
    (repo / "manifests/site.pp").write_text(site.replace(": require => Notify['here']", ":"))
    git(repo, "commit", "-qam", "without")
    (repo / "manifests/site.pp").write_text(site)
    # The exports of what is here are known; those of HEAD, and then both sides.
    for count in (4 + 3 + 8, 0):
        seen.clear()
        code, found = answer(capsys, "diff", ".", "--rev", "HEAD")
        assert (code, found["causes"][0]["code"], found["causes"][0]["nodes"]) == (1, "CG301", WEB)
        assert len(seen) == count


def test_what_is_collected_may_be_exported_again(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = """\
node 'db1.example.com' { @@notify { 'one': } }
node 'web1.example.com' {
  Notify <<| |>>
  if defined(Notify['nothing']) { @@file { '/two': } } else { @@file { '/three': } }
}
node 'web2.example.com' { File <<| |>> Notify <<| |>> }
node default { }
"""
    (repo / "manifests/site.pp").write_text(site)
    code, found = answer(capsys, "query", "type = File or type = Notify", ".")
    assert (code, found["failed"]) == (0, [])
    nodes = {cause["statements"][0]["text"]: cause["nodes"] for cause in found["causes"]}
    assert nodes == {
        "File[/three]": ["web2.example.com"],
        "Notify[one]": ["web1.example.com", "web2.example.com"],
    }


def compiles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that the name of each node is added to when it is compiled."""
    seen: list[str] = []
    compile_one = SharedSite.compiled

    def noted(site: SharedSite, name: str, helper: Any) -> Any:
        seen.append(name)
        return compile_one(site, name, helper)

    monkeypatch.setattr(SharedSite, "compiled", noted)
    return seen


def test_what_a_change_cannot_reach_is_not_compiled(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "SAMPLE", 10**9)
    seen = compiles(monkeypatch)
    assert answer(capsys, "cycles", ".")[0] == 0
    assert sorted(seen) == sorted([*WEB, "db1.example.com"])
    # The compile of the stored state counts for both sides of what looks for no changed file.
    change(repo, "'0644'", "'0600'")
    seen.clear()
    code, found = answer(capsys, "diff", ".", "--rev", "main...next")
    assert (code, found["causes"][0]["nodes"], found["failed"]) == (1, WEB, [])
    assert sorted(seen) == sorted([*WEB, *WEB])
    # All of them as a proof.
    monkeypatch.setattr(changes, "SAMPLE", 1)
    git(repo, "commit", "-q", "--allow-empty", "-m", "three")
    (repo / "modules/app/manifests/init.pp").write_text(APP.replace("0644", "0611"))
    seen.clear()
    assert answer(capsys, "diff", ".", "--rev", "main")[0] == 1
    assert sorted(seen) == sorted([*WEB, "db1.example.com"] * 2)
    # Not what has other facts, and nothing where any node may notice.
    monkeypatch.setattr(changes, "SAMPLE", 10**9)
    facts = repo.parent / "facts/db1.example.com.json"
    facts.write_text(facts.read_text().replace('"db1"', '"db2"'))
    seen.clear()
    answer(capsys, "diff", ".", "--rev", "next")
    assert "db1.example.com" in seen
    (repo / "data.yaml").write_text("a: 1")
    seen.clear()
    answer(capsys, "diff", ".", "--rev", "next")
    assert sorted(seen) == sorted([*WEB, "db1.example.com"] * 2)


def test_what_other_nodes_export_comes_from_a_store(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repo / "manifests/site.pp").write_text(EXPORTS)
    given = ("--facts-dir", "../facts", "--node", "db1.example.com")
    assert main(["compile", ".", *given, "--store", "../exports.sqlite"]) == 0
    capsys.readouterr()
    code, found = answer(capsys, "cycles", ".", "--exports", "../exports.sqlite")
    assert (code, found["failed"]) == (1, [])
    (cause,) = found["causes"]
    assert cause["nodes"] == WEB


def test_sarif_has_the_paths_of_the_repository_that_holds_the_code(
    repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "modules/app/manifests/init.pp").write_text(LOOP)
    monkeypatch.chdir(repo.parent)
    LastSite.known.clear()
    words = ["fleet", "cycles", "repo", "--facts-dir", "facts", "--no-store", "-f", "sarif"]
    assert main(words) == 1
    (one,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    place = one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == "repo/modules/app/manifests/init.pp"
