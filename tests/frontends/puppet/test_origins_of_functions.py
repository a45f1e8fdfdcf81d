"""The origins of what functions and operators return: parts of arguments keep their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.compiles.explaining import explain_path
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.origins.contributors import Contributor, reach
from analyzer.frontends.puppet.origins.inputs import inputs_of
from analyzer.reach import user_files

MODULES = ("/usr/share/puppet/modules",)
HEAD = """class app (
  $a = 'A', $b = 'B', $c = 'C', $n = undef, $key = 'x', $yes = true, $h = { x => { y => 1 } },
  $empty = {},
) {
  $hash = { x => $a, y => $b }
  $deep = { 'in' => { x => $a, y => $b } }
  $list = [$a, $b]
  $value = %s
  notify { 'n': message => "${value}" }
}
function f($x) { if $x { return('one') } 'two' }
include app
"""


def contributors(expression: str, tmp_path: Path) -> list[Contributor]:
    """Return the contributors of a value."""
    path = tmp_path / "site.pp"
    path.write_text(HEAD % expression)
    with user_files():
        (node,) = explain_path(str(path), Settings(facts=("@debian-12",)))
    assert node.error is None
    assert node.explanation is not None
    entry = node.explanation.find("Notify[n]")
    assert entry is not None
    trail = node.explanation.values[id(entry), "message"]
    return list(trail.everything())


def of(expression: str, tmp_path: Path) -> set[str]:
    """Return the parameters and facts that a value depends on."""
    several = contributors(expression, tmp_path)
    every = reach(several, {"class"})
    names = {one.name.rpartition(":")[2] for one in every if one.kind == "parameter"}
    facts = {one.name for one in reach(several) if one.kind == "fact"}
    return names | facts


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("$hash['x']", "a"),
        ("$hash[$key]", "a key"),
        ("$hash['none']", ""),
        ("$list[-1]", "b"),
        ("$hash.dig('x')", "a"),
        ("$deep.dig('in', 'y')", "b"),
        ("dig($deep, 'in', $key)", "a key"),
        ("$deep.get('in.y')", "b"),
        ("get($deep, 'in.none', $c)", "c"),
        ("getvar('a')", "a"),
        ("getvar('app::deep.in.x')", "a"),
        ("getvar('facts.os.family')", "facts.os.family"),
        ("$facts.dig('os', 'name')", "facts.os.name"),
        ("$facts.get('os.name')", "facts.os.name"),
        ("($hash + { x => $c })['x']", "c"),
        ("($hash + { x => $c })['y']", "b"),
        ("([$a] + [$b])[1]", "b"),
        ("($list + $c)[2]", "c"),
        ("$hash.keys.join(',')", ""),
        ("$list.length", ""),
        ("$hash.empty", ""),
        ("$a.length", "a"),
        ("'x' in $hash", ""),
        ("$a in $list", "a b"),
        ("$list.map |$x| { upcase($x) }[0]", "a"),
        ('$list.map |$i, $x| { "${i}${x}${c}" }[1]', "b c"),
        ("$list.filter |$x| { $x != $c }[0]", "a b c"),
        ("$hash.filter |$k, $v| { $k == $key }['x']", "a key"),
        ("$hash.map |$k, $v| { $v }[1]", "b"),
        ("$list.map |$x| { if $yes { next($c) } $x }[0]", "a b c yes"),
        ("f($yes)", "yes"),
        ("{ true => $a, 1 => $b }[true]", "a"),
        ("{ default => $a, undef => $b }[undef]", "b"),
        ('$list.reduce |$x, $y| { "${x}${y}" }', "a b"),
        ("$h['x']['y']", "h"),
        # Arrays and hashes are true, and are no text, whatever their elements are.
        ("if $list { 'one' } else { $c }", ""),
        ("!$hash", ""),
        ("$hash and $c", "c"),
        ("$yes and $list", "yes"),
        ("$list == 'A'", ""),
        ("$list == [$c, $b]", "a b c"),
        ("$n != $hash", "n"),
        ("$list =~ Array", ""),
        ("$hash !~ NotUndef", ""),
        ("$list =~ Array[Integer]", "a b"),
        ("case $list { [$c]: { 'one' } default: { 'two' } }", "a b c"),
    ],
)
def test_parameters(expression: str, expected: str, tmp_path: Path) -> None:
    assert of(expression, tmp_path) == set(expected.split())


def test_an_element_that_is_not_there_is_a_part_of_an_input(tmp_path: Path) -> None:
    inputs = list(inputs_of(contributors("$empty['m']", tmp_path)))
    assert ("app::empty", ("m",)) in inputs


def test_what_a_function_passes_on_keeps_its_elements(tmp_path: Path) -> None:
    assert of("$list.with |$x| { $x }[0]", tmp_path) == {"a"}
    assert of("assert_type(Array, $list)[1]", tmp_path) == {"b"}
