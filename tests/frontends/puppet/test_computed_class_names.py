"""Classes whose names are computed are tried; real Puppet has each cycle under its condition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.oracle.worlds.travel import run

CYCLE = "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }"
TWO = f"class app::one {{ notify {{ 'fine': }} }} class app::two {{ {CYCLE} }}"
ONE = "Enum['one', 'two'] $m = 'one'"
IS_TWO = "$app::m is 'two'"
MANY = "".join(f"class app::c{number} {{ }} " for number in range(20))

# Parameters of the class, its code, definitions beside it, and the condition of the cycle.
CASES = {
    "include": (ONE, 'include "app::${m}"', TWO, IS_TWO),
    "contain": (ONE, 'contain "app::${m}"', TWO, IS_TWO),
    "require": (ONE, 'require "::app::${m}"', TWO, IS_TWO),
    "a resource": (ONE, 'class { "app::${m}": }', TWO, IS_TWO),
    "a list": (ONE, 'class { ["app::${m}"]: }', TWO, IS_TWO),
    "a reference": (ONE, 'include Class["app::${m}"]', TWO, IS_TWO),
    "a method": (ONE, '"app::${m}".include', TWO, IS_TWO),
    "the whole name": (
        "Enum['app::one', 'app::two'] $m = 'app::one'", "include $m", TWO, "$app::m is 'app::two'",
    ),
    "a variable": (ONE, '$n = "app::${m}" include $n', TWO, IS_TWO),
    "a boolean": (
        "Boolean $m = false", 'include "app::x${m}"',
        f"class app::xfalse {{ }} class app::xtrue {{ {CYCLE} }}", "$app::m is true",
    ),
    "none": (
        "Optional[Enum['one', 'two']] $m = undef", 'if $m { include "app::${m}" }', TWO, IS_TWO,
    ),
    "any text": ("String $m = 'one'", 'include "app::${m}"', TWO, IS_TWO),
    "no type": ("$m = 'one'", 'include "app::${m}"', TWO, IS_TWO),
    "no default": ("String $m", 'include "app::${m}"', TWO, IS_TWO),
    "a pattern": ("Pattern[/^[a-z]+$/] $m = 'one'", 'include "app::${m}"', TWO, IS_TWO),
    "a loop": (
        "Array[String] $m = ['one']", '$m.each |$c| { include "app::${c}" }', TWO,
        "$app::m is ['two']",
    ),
    "a loop over nothing": (
        "Array[String] $m = []", '$m.each |$c| { include "app::${c}" }', TWO, "$app::m is ['two']",
    ),
    "names of a list": (
        "Array[String] $m = ['one']", 'include $m.map |$c| { "app::${c}" }', TWO,
        "$app::m is ['two']",
    ),
    "a selector": (
        "Boolean $m = false", "$n = $m ? { true => 'two', default => 'one' } include \"app::${n}\"",
        TWO, "$app::m is true",
    ),
    "a parameter of a resource": (
        ONE, "app::d { 'x': c => $m }", f'{TWO} define app::d($c) {{ include "app::${{c}}" }}',
        IS_TWO,
    ),
    "a hash": (ONE, '$h = { "k" => $m } include "app::${h["k"]}"', TWO, IS_TWO),
    "an element": (
        "Hash $h = { 'k' => 'one' }", 'include "app::${h["k"]}"', TWO, "$app::h is {'k' => 'two'}",
    ),
    "a default": (f'{ONE}, $n = "app::${{m}}"', "include $n", TWO, IS_TWO),
    "a fact": ("$x = 1", 'include "app::${facts["mine"]}"', TWO, "facts.mine is 'two'"),
    "two parameters": (
        "Enum['x', 'y'] $m = 'x', Enum['x', 'y'] $n = 'x'", 'include "app::${m}${n}"',
        f"class app::xx {{ }} class app::xy {{ }} class app::yx {{ }} class app::yy {{ {CYCLE} }}",
        "$app::m is 'y' and $app::n is 'y'",
    ),
}  # fmt: skip


def exploration(
    folder: Path, given: str, code: str, more: str
) -> dict[str, list[dict[str, object]]]:
    """Return the findings of a class, and the branches that were not taken."""
    manifest = folder / "app.pp"
    manifest.write_text(f"class app ({given}) {{ {code} }}\n{more}\n")
    options = ("--no-cache", "--jobs", "1", "--class", "app", "--format", "json")
    _, out, _ = run("explore", str(manifest), *options)
    found = json.loads(out)
    findings = [one for node in found["nodes"] for one in node["findings"]]
    return {"findings": findings, "never": found["decisions"]["never"]}


@pytest.mark.parametrize("name", CASES)
def test_condition(name: str, tmp_path: Path) -> None:
    *parts, condition = CASES[name]
    rows = exploration(tmp_path, *parts)["findings"]
    assert [(one["kind"], one["if"]) for one in rows] == [("cycle", f"if {condition}")]


UNKNOWN = "not explored: the classes that it may name are unknown or more than 8; it depends on {}"
OPEN = {
    "any class": ("String $m = 'app::one'", "include $m", TWO, "$app::m"),
    "a list of any classes": ("Array[String] $m = ['app::one']", "include $m", TWO, "$app::m"),
    "many classes": ("String $m = 'c1'", 'include "app::${m}"', MANY, "$app::m"),
    "many values in a name": (
        "String $m = ''", f'include "app::{"${m}" * 400}one"', TWO, "$app::m",
    ),
    "keys": (
        "Hash $h = { 'one' => 1 }", '$h.each |$k, $v| { include "app::${k}" }', TWO, "$app::h",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OPEN)
def test_what_is_not_tried_is_told(name: str, tmp_path: Path) -> None:
    *parts, given = OPEN[name]
    found = exploration(tmp_path, *parts)
    assert found["findings"] == []
    assert [one["reason"] for one in found["never"]] == [UNKNOWN.format(given)]


@pytest.mark.parametrize(
    ("given", "code"),
    [("$x = 1", "include 'app::one'"), ("$x = 1", '$m = "app" include "${m}::one"')],
)
def test_a_name_without_inputs_is_no_decision(given: str, code: str, tmp_path: Path) -> None:
    assert exploration(tmp_path, given, code, TWO) == {"findings": [], "never": []}


@pytest.mark.parametrize("command", ["cycles", "lint", "check"])
@pytest.mark.parametrize(
    ("given", "name", "code", "words"),
    [
        ("Enum['one', 'two'] $m = 'one'", '"app::${m}"', 1, "if $app::m is 'two'"),
        ("String $m = 'app::one'", "$m", 0, "not explored: 1 computed class name: "),
    ],
)
def test_a_class_of_a_node(
    command: str, given: str, name: str, code: int, words: str, tmp_path: Path
) -> None:
    base = f"notify {{ 'base': require => Class[{name}] }}"
    two = "class app::two { notify { 'a': require => Notify['base'] } }"
    for file, text in {
        "manifests/site.pp": "node 'n' { include app }\n",
        "modules/app/manifests/init.pp": f"class app ({given}) {{ include {name} {base} }}\n",
        "modules/app/manifests/one.pp": "class app::one { notify { 'fine': } }\n",
        "modules/app/manifests/two.pp": f"{two}\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    done, out, _ = run(command, str(tmp_path), "--no-cache", "--jobs", "1")
    assert done == code
    assert words in out
