"""What is missing or fails takes nothing else with it: a cycle is reported beside the error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

CYCLE = """
  notify { 'one': require => Notify['two'] }
  notify { 'two': require => Notify['one'] }
"""

# What a node holds beside a class with a cycle, definitions, and the error of the node.
PROGRAMS = {
    "a class": ("include nosuch", "", "Could not find class ::nosuch for n"),
    "a declared class": ("class { 'nosuch': }", "", "Could not find declared class nosuch"),
    "a parent": (
        "include child",
        "class child inherits nosuch { }",
        "Could not find parent resource type '::nosuch' of type hostclass in production",
    ),
    "a type": ("nosuch { 'x': a => 1 }", "", "Unknown resource type: 'nosuch'"),
    "a function": ("$x = nosuch('y')", "", "Unknown function: 'nosuch'."),
    "a template": (
        "file { '/x': content => template('m/x.erb') }",
        "",
        "Could not find template 'm/x.erb'",
    ),
    "a key of data": (
        "notify { lookup('nosuch'): }",
        "",
        "Function lookup() did not find a value for the name 'nosuch'",
    ),
    "a parameter": (
        "include needs",
        "class needs($x) { }",
        "Class[Needs]: expects a value for parameter 'x'",
    ),
    "a type mismatch": (
        "class { 'needs': x => 'y' }",
        "class needs(Integer $x) { }",
        "Class[Needs]: parameter 'x' expects an Integer value, got String",
    ),
    "a variable": ("notify { $nosuch: }", "", "Unknown variable: 'nosuch'."),
    "a value": ("$x = 1 + 'a'", "", "The value 'a' cannot be converted to Numeric."),
    "fail": ("fail('no')", "", "no"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_cycle_beside_an_error(run: Run, tmp_path: Path, name: str) -> None:
    inside, definitions, message = PROGRAMS[name]
    path = tmp_path / "site.pp"
    path.write_text(f"class a {{{CYCLE}}}\n{definitions}\nnode 'n' {{ include a {inside} }}\n")
    done = run("cycles", path, "--facts", facts_in(tmp_path))
    assert f"error: {message} (cannot-compile)" in done.err
    assert done.err.count("error:") == 1
    assert "Notify[one] => Notify[two] => Notify[one]" in done.out
    assert done.code == 1
    done = run("lint", path, "--facts", facts_in(tmp_path))
    assert "Notify[one] => Notify[two] => Notify[one]" in done.out
    assert done.code == 3


@pytest.mark.parametrize(
    "inside",
    [
        "include nosuch\nNotify['m'] -> Class['nosuch'] -> Notify['m']\nnotify { 'm': }",
        "nosuch { 'x': a => 1, require => Nosuch['y'] }\nnosuch { 'y': require => Nosuch['x'] }",
        "m::no { 'x': a => 1, require => M::No['y'] }\nm::no { 'y': require => M::No['x'] }",
        "file { '/x': content => nosuch(), require => Exec['y'] }\n"
        "exec { 'y': path => '/', require => File['/x'] }",
        "class { 'a': x => 'y' }\nclass a(Integer $x, $y) {\n"
        "  notify { 'x': require => Notify['y'] }\n  notify { 'y': require => Notify['x'] }\n}",
        "if true {\n  $x = 1 + 'a'\n  notify { 'x': require => Notify['y'] }\n"
        "  notify { 'y': message => $x, require => Notify['x'] }\n}",
        "nosuch() -> notify { 'x': require => Notify['y'] } -> notify { 'y': }",
    ],
)
def test_a_cycle_through_what_stands_in(run: Run, tmp_path: Path, inside: str) -> None:
    path = tmp_path / "site.pp"
    path.write_text(inside)
    done = run("cycles", path)
    assert "dependency cycle, 2 members" in done.out
    assert "error: " in done.err
    assert done.code == 1


def test_what_a_class_that_is_missing_would_order_is_no_finding(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text("include nosuch\nnotify { 'x': require => Notify['y'] }\n")
    done = run("cycles", path)
    assert done.code == 3
    assert "incomplete; no cycle in the known part" in done.out
    assert "Notify[y] is not declared in what is known" in done.out
    assert done.err.count("error:") == 1


def test_a_manifest_that_cannot_be_parsed(run: Run, tmp_path: Path) -> None:
    for name, text in {
        "manifests/site.pp": "node 'n' { include bad, a }\nnode default { include m::bad, a }\n",
        "manifests/bad.pp": "class bad { notify { 'x' } }\n",
        "modules/m/manifests/bad.pp": "class m::bad { notify { 'x' } }\n",
        "modules/a/manifests/init.pp": f"class a {{{CYCLE}}}\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    done = run("cycles", tmp_path)
    assert done.code == 1
    assert "(n)\n" in done.out
    assert "(default)\n" in done.out
    heads = [line for line in done.err.splitlines() if "error:" in line]
    assert [head.partition(": error: ")[2] for head in heads] == [
        "Syntax error at '}' (SYNTAX_ERROR)"
    ] * 2
    assert done.err.count("  for default") == 1


def facts_in(folder: Path) -> Path:
    """Return a file of facts."""
    path = folder / "facts.json"
    path.write_text("{}")
    return path


@pytest.mark.parametrize("count", [2, 200])
@pytest.mark.parametrize(
    "loop",
    [
        "each |$n| {",
        "map |$n| {",
        "reduce(0) |$memo, $n| {",
        "slice(1) |$part| { $n = $part[0]",
        "reverse_each |$n| {",
        "step(1) |$n| {",
    ],
)
def test_an_error_in_a_loop_ends_one_iteration(
    run: Run, tmp_path: Path, count: int, loop: str
) -> None:
    """Loops that run often are generated code, which begins again after the error."""
    path = tmp_path / "site.pp"
    path.write_text(
        f"Integer[1, {count}].{loop}\n  if $n in [1, {count - 1}] {{ $x = 1 + 'a' }}\n"
        f"  if $n == {count} {{{CYCLE}}}\n}}\n"
    )
    done = run("cycles", path, "--facts", facts_in(tmp_path))
    assert done.err.count("error:") == 1
    assert "Notify[one] => Notify[two] => Notify[one]" in done.out
    assert done.code == 1
