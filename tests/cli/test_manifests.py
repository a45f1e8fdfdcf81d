"""From manifests straight to explained cycles: arrows, nodes, facts, and what is unknown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

LOOP = """file { '/a': }
file { '/b': }
File['/a']
  -> File['/b'] # -> not here
  ~> File['/a']
"""


@pytest.fixture
def manifest(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "site.pp"
        path.write_text(text)
        return path

    return write


def test_each_arrow_of_a_chain_has_its_own_place(run: Run, manifest: Callable[[str], Path]) -> None:
    path = manifest(LOOP)
    done = run("cycles", path)
    assert done.code == 1
    assert f"{path}:4:3  ->" in done.out
    assert f"{path}:5:3  ~>" in done.out


def test_an_arrow_is_one_statement_however_many_edges_it_makes(
    run: Run, manifest: Callable[[str], Path]
) -> None:
    path = manifest(
        "file { ['/a', '/b', '/c']: tag => x }\nnotify { 'n': before => File['/a'] }\n"
        "File <| tag == x |> -> Notify['n']\nNotify['n'] -> File['/b']\n"
    )
    done = run("cycles", path)
    assert done.code == 1
    assert "remove 1 statement:" in done.out
    assert f"{path}:3:21: File[/a] -> Notify[n] (and 1 similar)" in done.out


def test_every_node_block_and_every_set_of_facts(
    run: Run, manifest: Callable[[str], Path], tmp_path: Path
) -> None:
    path = manifest(
        "node 'good' { notify { 'a': } }\n"
        "node 'bad' { if $facts['loop'] { notify { 'a': require => Notify['a'] } } }\n"
    )
    sets = {"with.json": '{"loop": true}', "without.yaml": "---\nloop: false\n"}
    for name, text in sets.items():
        (tmp_path / name).write_text(text)
    options = [word for name in sets for word in ("--facts", tmp_path / name)]
    done = run("cycles", path, *options)
    assert done.code == 1
    assert "4 catalogs: 3 clean, 1 with cycles" in done.out
    assert done.out.count("Notify[a] => Notify[a]") == 2
    assert run("cycles", path, "--node", "good", *options).code == 0


def test_without_facts_what_they_decide_is_told(run: Run, manifest: Callable[[str], Path]) -> None:
    path = manifest("if $facts['a'] == 1 { notify { 'a': } }\nnotify { $::b: }\n")
    done = run("cycles", path)
    assert done.code == 3
    assert done.out.splitlines() == [
        f"{path}: incomplete; no cycle in the known part (0 resources, 0 relationships)",
        f"incomplete: 1 condition and 1 title unknown (first at {path}:1:16): no facts "
        "are given; try --facts FILE",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("file { '/a': }\nfile { '/a': }", ":2:1: error: Duplicate declaration: File[/a]"),
        ("include nothing", ":1:1: error: Could not find class ::nothing for node.example.com"),
        ("notify { 'a' }", ":1:14: error: Syntax error at '}'"),
        ("function f() { f() }\nf()", "calls itself without end"),
        ("fail('no')", ":1:1: error: no"),
    ],
)
def test_what_cannot_be_compiled(
    run: Run, manifest: Callable[[str], Path], text: str, message: str
) -> None:
    done = run("cycles", manifest(text))
    assert done.code == 3
    assert not done.out or "incomplete; no cycle in the known part" in done.out
    assert message in done.err
    assert "Traceback" not in done.err


def test_an_error_in_a_define_leaves_the_rest(run: Run, manifest: Callable[[str], Path]) -> None:
    path = manifest("define d() { d { $title: } }\nd { 'x': }")
    done = run("cycles", path)
    assert done.code == 3
    assert "Duplicate declaration: D[x]" in done.err
    assert "incomplete; no cycle in the known part" in done.out
    assert run("cycles", path, "--strict").out == ""


def test_control_repo(run: Run, tmp_path: Path) -> None:
    environment = tmp_path / "environments" / "test"
    manifests = {
        "manifests/site.pp": "include base",
        "site/base/manifests/init.pp": "class base(String $text) { notify { $text: } }",
        "environment.conf": "modulepath = site:$basemodulepath\n",
        "hiera.yaml": "version: 5\nhierarchy: [{name: all, path: common.yaml}]\n",
        "data/common.yaml": "base::text: from data\n",
    }
    for name, text in manifests.items():
        path = environment / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = run("order", tmp_path)
    assert done.code == 0
    assert "Notify[from data]" in done.out


def test_compile_prints_puppets_json(run: Run, manifest: Callable[[str], Path]) -> None:
    import json

    done = run(
        "compile", manifest("class a { notify { 'x': message => Sensitive('s') } }\ninclude a")
    )
    catalog = json.loads(done.out)
    assert catalog["classes"] == ["settings", "a"]
    assert catalog["resources"][-1]["sensitive_parameters"] == ["message"]
    assert catalog["edges"][-1] == {"source": "Class[A]", "target": "Notify[x]"}


def enc(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_classes_and_parameters_of_a_classifier(
    run: Run, manifest: Callable[[str], Path], tmp_path: Path
) -> None:
    path = manifest("class a($x) { notify { \"a${x}${::tier}\": } }\nclass b { notify { 'b': } }")
    script = enc(
        tmp_path / "enc",
        """printf 'classes: {b: , a: {x: 1}}\\nparameters: {tier: "%s"}\\n' "$1" """,
    )
    done = run("order", path, "--enc", script, "--node", "web1")
    assert done.code == 0
    assert done.out.splitlines()[:2] == ["Notify[a1web1]", "Notify[b]"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exit 3", "the classifier failed for node.example.com, exit code 3: it says nothing"),
        ("echo '- a'", "did not print a map"),
        ("echo '{'", "did not print YAML"),
        ("echo 'classes: 5'", "classes are not a list or map"),
    ],
)
def test_bad_classifier(
    run: Run, manifest: Callable[[str], Path], tmp_path: Path, text: str, message: str
) -> None:
    done = run("order", manifest("notify { 'a': }"), "--enc", enc(tmp_path / "enc", text))
    assert (done.code, done.out) == (2, "")
    assert message in done.err


NODES = """node 'a.example.com' { include nothing }
node 'b.example.com' { include nothing notify { $nope: } }
node 'c.example.com' { notify { 'c': require => Notify['c'] } }
"""


def test_nodes_that_cannot_be_compiled(run: Run, manifest: Callable[[str], Path]) -> None:
    path = manifest(NODES)
    done = run("cycles", path, "--facts", facts_beside(path))
    assert done.code == 1
    assert done.err == (
        f"{path}:1:24: error: Could not find class ::nothing for a.example.com (cannot-compile)\n"
        "  node 'a.example.com' { include nothing }\n"
        "                         ^\n"
        "  for a.example.com\n"
        f"{path}:2:24: error: Could not find class ::nothing for b.example.com (cannot-compile)\n"
        "  node 'b.example.com' { include nothing notify { $nope: } }\n"
        "                         ^\n"
        "  for b.example.com\n"
        f"{path}:2:49: error: Unknown variable: 'nope'. (cannot-compile)\n"
        "  node 'b.example.com' { include nothing notify { $nope: } }\n"
        "                                                  ^\n"
        "  for b.example.com\n"
    )
    assert "Notify[c] => Notify[c]" in done.out
    assert run("compile", path, "--node", "c.example.com").code == 0


def test_an_error_of_several_nodes_is_told_once(run: Run, manifest: Callable[[str], Path]) -> None:
    path = manifest("include nothing\nnode a { }\nnode b { }\nnode default { }\n")
    facts = facts_beside(path)
    done = run("cycles", path, "--facts", facts, "--facts", facts)
    assert done.code == 3
    assert done.out.count("Could not find class ::nothing") == 1
    assert done.err.count("error:") == 1
    nodes = [f"{name}, {facts}" for name in ("a", "b", "default", "a", "b")]
    assert f"  for {'; '.join(nodes)} and 1 more\n" in done.err


def test_all_files_that_are_no_program(run: Run, tmp_path: Path) -> None:
    for name, text in (("a.pp", "notify { 'a' }\n"), ("b.pp", "$0 = 1\n$a::b = 2\n")):
        (tmp_path / name).write_text(text)
    done = run("cycles", tmp_path)
    assert done.code == 3
    places = [line.partition(": error")[0] for line in done.err.splitlines() if "error" in line]
    assert places == [f"{tmp_path}/a.pp:1:14", f"{tmp_path}/b.pp:1:1", f"{tmp_path}/b.pp:2:1"]
    assert done.err.count("^") == 3


def facts_beside(path: Path) -> Path:
    """Facts that say nothing."""
    facts = path.with_name("facts.json")
    facts.write_text("{}")
    return facts


def test_a_resource_is_found_by_its_text(run: Run, tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text(
        "file { '/foo': }\nnotify { 'x': require => stdlib::str2resource('File[/foo]') }\n"
    )
    assert "require" in run("why", manifest, "File[/foo]", "Notify[x]").out
    manifest.write_text("stdlib::str2resource('File[/foo]')\n")
    done = run("compile", manifest)
    assert done.code == 3
    assert "could not find File[/foo], this is parse order dependent" in done.err


# The limit may be noticed in a callback of the garbage collector, which cannot raise.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_range_without_end_is_an_error(run: Run, tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("Integer[1, 100000000000].each |$i| { }\n")
    done = run("cycles", manifest)
    assert done.code == 3
    assert (
        "the iteration over 100,000,000,000 values is stopped after 1,000,000, the most that"
        in done.err
    )
    assert "no option raises this limit" in done.err
    manifest.write_text("$x = range('1', '100000000000')\n")
    assert (
        "range(): it has more than 1,000,000 elements, the most that" in run("cycles", manifest).err
    )
    # Who leaves it early may have one.
    manifest.write_text("Integer[1, 100000000000].each |$i| { if $i == 3 { break() } }\n")
    assert run("cycles", manifest).code == 0


def test_equal_reports_are_printed_once_with_the_catalogs_they_are_about(
    run: Run, manifest: Callable[[str], Path], tmp_path: Path
) -> None:
    path = manifest(
        "notify { ['a', 'b']: }\n"
        "if $facts['f'] < 3 { Notify['a'] -> Notify['b'] -> Notify['a'] }\n"
        "if $facts['f'] == 3 { Notify['b'] -> Notify['b'] }\n"
    )
    words: list[object] = ["cycles", path]
    for number in range(1, 5):
        facts = tmp_path / f"{number}.json"
        facts.write_text(f'{{"f": {number}}}')
        words += ["--facts", facts]
    done = run(*words)
    name = f"{path} (node.example.com, {tmp_path}"
    assert done.out.count("dependency cycle, 2 members") == 1
    assert f"\n  in 2 catalogs:\n    {name}/1.json)\n    {name}/2.json)\n" in done.out
    assert f"\n  in {name}/3.json)\n" in done.out
    assert f"{name}/4.json): no dependency cycle" in done.out
    assert done.out.endswith("4 catalogs: 1 clean, 3 with cycles\n")


def test_what_is_virtual_is_not_looked_for_elsewhere(
    run: Run, manifest: Callable[[str], Path]
) -> None:
    path = manifest("@notify { 'v': }\nnotify { 'w': require => Notify['v'] }\n")
    hint = "Notify[v] is virtual and nothing realizes it"
    assert run("cycles", path).out.splitlines()[1] == f"  {hint}"
    assert hint in run("cycles", path, "--format", "sarif").out
    path = manifest("notify { 'w': require => Notify['v'] }\n")
    assert "did you mean" not in run("cycles", path).out


def test_statements_on_one_line_are_told_apart_by_their_columns(
    run: Run, manifest: Callable[[str], Path]
) -> None:
    path = manifest(
        "notify { 'a': before => Notify['b'] } notify { 'b': before => Notify['a'] }\n"
        "notify { ['x', 'y']: before => Notify['z'] } notify { 'z': before => Notify['x', 'y'] }\n"
    )
    done = run("cycles", path)
    assert (
        f"\n    {path}:1:15: before => Notify[b] in Notify[a]\n  ordering lost: 1 pair" in done.out
    )
    assert f"\n    {path}:2:22: before => Notify[z] in Notify[x] (and 1 similar)\n" in done.out
