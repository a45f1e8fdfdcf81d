"""Values that reach a test changed are found; real Puppet has each cycle under its condition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.oracle.worlds.travel import BODIES, FIRST, HIERA, SECOND, run

CYCLE = BODIES["cycle"]

# Parameters of the class, its code, definitions beside it, data, and the condition of the cycle.
CASES = {
    "an array that has a text": (
        "Array[String] $l = ['a']", "if $l.any |$x| { $x == 'go' } { @@ }", "", "",
        "$app::l is ['go']",
    ),
    "the number of elements": (
        "Array[String] $l = ['a']", "if length($l) > 1 { @@ }", "", "",
        "$app::l is ['example', 'example']",
    ),
    "an element of data": (
        "Hash $h", "if $h['on'] { @@ }", "", "app::h: { 'on': false }\n",
        "$app::h is {'on' => true}",
    ),
    "an element of a hash that is added": (
        "Hash $h = {}", "$all = { 'on' => false } + $h if $all['on'] { @@ }", "", "",
        "$app::h is {'on' => true}",
    ),
    "a text around the value, as a title": (
        "String $t = 'x'", 'app::o { "t-${t}": }',
        "define app::o { app::i { $title: } } define app::i { if $title == 't-go' { @@ } }", "",
        "$app::t is 'go'",
    ),
    "a text around a number": (
        "Integer $n = 1", 'case "n${n}" { "n3": { @@ } default: { } }', "", "", "$app::n is 3",
    ),
    "a limit of a computed number": (
        "Integer[0, 100] $n = 1", "$d = $n * 2 if $d >= 100 { @@ }", "", "", "$app::n > 49",
    ),
    "a parameter of a resource": (
        "Boolean $m = false",
        "notify { 'p': withpath => $m } if Notify['p']['withpath'] { @@ }", "", "",
        "$app::m is true",
    ),
    "a parameter that getparam reads": (
        "Boolean $m = false",
        "notify { 'p': withpath => $m } if getparam(Notify['p'], 'withpath') { @@ }", "", "",
        "$app::m is true",
    ),
    "titles of which there are none": (
        "Array[String] $names = []", "app::x { $names: }", "define app::x { @@ }", "",
        "$app::names is not []",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_condition(name: str, tmp_path: Path) -> None:
    given, code, more, data, condition = CASES[name]
    base = f"notify {{ ['{FIRST}', '{SECOND}']: }}"
    text = f"class app ({given}) {{\n{base}\n{code}\n}}\n{more}\n".replace("@@", CYCLE)
    folder = tmp_path / "app"
    (folder / "manifests").mkdir(parents=True)
    (folder / "manifests" / "init.pp").write_text(text)
    if data:
        (folder / "data").mkdir()
        (folder / "hiera.yaml").write_text(HIERA)
        (folder / "data" / "common.yaml").write_text(data)
    options = ("--no-cache", "--jobs", "1", "--class", "app", "--format", "json")
    _, out, _ = run("explore", str(folder), *options)
    rows = [one for node in json.loads(out)["nodes"] for one in node["findings"]]
    assert [(one["kind"], one["if"]) for one in rows] == [("cycle", f"if {condition}")]


def test_titles_are_no_branch(tmp_path: Path) -> None:
    folder = tmp_path / "app" / "manifests"
    folder.mkdir(parents=True)
    text = "class app ($names = ['a']) {\n  if $names { file { $names: ensure => file } }\n}\n"
    (folder / "init.pp").write_text(text)
    options = ("--no-cache", "--jobs", "1", "--class", "app", "--format", "json")
    _, out, _ = run("explore", str(folder.parent), *options)
    found = json.loads(out)["decisions"]
    assert (found["taken"], found["reachable"], found["never"]) == (2, 2, [])


def test_a_test_depends_on_what_others_declare(tmp_path: Path) -> None:
    folder = tmp_path / "app" / "manifests"
    folder.mkdir(parents=True)
    (folder / "init.pp").write_text(
        "class app {\n  if !defined(File['/a']) { notice('none') }\n}\n"
    )
    _, out, _ = run("explore", str(folder.parent), "--no-cache", "--jobs", "1", "--class", "app")
    assert "leads there; it depends on what else is declared" in out
    assert "no fact or parameter" not in out
