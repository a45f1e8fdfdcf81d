"""Branches of the code itself that no node takes: their cycles are found with their condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_other_worlds import CYCLE, found

BOTH = pytest.mark.parametrize("command", ["lint", "cycles"])


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files; return their folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def site(folder: Path, node: str, **code: str) -> Path:
    """Write a site of one node and a module `app`; return its folder."""
    files = {f"modules/app/manifests/{name}.pp": text for name, text in code.items()}
    main = {"manifests/site.pp": f"node 'a' {{ {node} }}\n"}
    return write(folder, {"environment.conf": "modulepath = modules\n", **main, **files})


@BOTH
@pytest.mark.parametrize(
    ("node", "code"),
    [
        ("app::d { 'x': ensure => present }", "define app::d ($ensure)"),
        ("app::d { 'x': }", "define app::d (String $ensure = 'present')"),
        ("class { 'app::d': ensure => present }", "class app::d ($ensure)"),
    ],
)
def test_a_branch_that_the_values_of_a_node_leave_out(
    command: str, node: str, code: str, run: Run, tmp_path: Path
) -> None:
    body = f"{code} {{ case $ensure {{ 'absent': {{ {CYCLE} }} default: {{ }} }} }}\n"
    (row,) = found(run, command, site(tmp_path, node, d=body))
    assert row["condition"] == [{"input": "app::d::ensure", "op": "is", "value": "absent"}]


@BOTH
def test_a_defined_type_that_no_node_has(command: str, run: Run, tmp_path: Path) -> None:
    body = f"define app::d ($ensure) {{ if $ensure == 'absent' {{ {CYCLE} }} }}\n"
    (row,) = found(run, command, site(tmp_path, "", d=body))
    assert row["condition"] == [{"input": "app::d::ensure", "op": "is", "value": "absent"}]


@BOTH
@pytest.mark.parametrize("none", ["undef", "''"])
def test_what_only_two_values_together_allow(
    command: str, none: str, run: Run, tmp_path: Path
) -> None:
    code = (
        f"class app::c ($a = {none}, $b = {none}, $more = true) {{\n"
        f"  if $a == {none} or $b == {none} {{ fail('give both') }}\n"
        f"  if $more {{ {CYCLE} }}\n}}\n"
    )
    rows = found(run, command, site(tmp_path, "", c=code))
    assert [rows[-1].get("code", "CG301"), rows[-1].get("size", 2)] == ["CG301", 2]
    assert {"input": "app::c::more", "op": "is not", "value": False} in rows[-1]["condition"]


@BOTH
def test_only_cycles_of_what_a_node_gives_its_values(
    command: str, run: Run, tmp_path: Path
) -> None:
    body = "define app::d ($x) { if $x == 'b' { notify { 'c': require => File['/missing'] } } }\n"
    assert found(run, command, site(tmp_path, "app::d { 'x': x => 'a' }", d=body)) == []


@BOTH
def test_nodes_beside_a_folder_of_modules(command: str, run: Run, tmp_path: Path) -> None:
    nodes = f"node 'a' {{ {CYCLE} include app }}\n"
    path = write(tmp_path, {"dist/app/manifests/init.pp": "class app { }\n", "site/site.pp": nodes})
    done = run(command, path)
    assert done.code == 1
    assert "site/site.pp" in done.out


# A cycle stands at CYCLE.
UNUSUAL = {
    "a title": "define app::d { case $name { 'b': { CYCLE } default: { } } }",
    "a pattern of a title": "define app::d { if $title =~ /^b/ { CYCLE } }",
    "what others declare": "class app::d { if defined(File['/a']) { CYCLE } }",
    "data": "class app::d { lookup('l', Array, 'unique', []).each |$x| { if $x == 1 { CYCLE } } }",
    "an element of data": "class app::d { $h = hiera_hash('l', {}) if $h['x'] { CYCLE } }",
    "a variable of a loop": (
        "define app::d (Hash $h = {}) { $h.each |$k, $v| {\n"
        "  if $v['a'] { $b = $v['a'] } else { $b = 1 } if $v['c'] { CYCLE } } }"
    ),
    "a lambda": "class app::d { if $facts['a'].then |$x| { $x > 3 } { } else { CYCLE } }",
    "a variable of another test": (
        "class app::d { case $facts['net']['a'] { /^1/: { $b = 1 } default: { $b = 2 } }\n"
        "  if $b == 1 { CYCLE } }"
    ),
    "beside what refuses": (
        "class app::d { if $facts['a']['b'] =~ /x/ { fail('no') }\n"
        "  if $facts['c']['d'] =~ /y/ { CYCLE } }"
    ),
}


@BOTH
@pytest.mark.parametrize("code", UNUSUAL.values(), ids=UNUSUAL)
def test_an_arm_that_is_hard_to_reach(command: str, code: str, run: Run, tmp_path: Path) -> None:
    done = run(command, site(tmp_path, "", d=code.replace("CYCLE", CYCLE)))
    assert done.code == 1
    assert "manifests/d.pp" in done.out


@BOTH
def test_no_cycle_of_arms_that_stand_apart(command: str, run: Run, tmp_path: Path) -> None:
    code = (
        "class app::d {\n"
        "  if $facts['a']['b'] =~ /x/ { File['/a'] -> File['/b'] }\n"
        "  if $facts['a']['b'] =~ /y/ { File['/b'] -> File['/a'] }\n"
        "  file { ['/a', '/b']: }\n}\n"
    )
    done = run(command, site(tmp_path, "", d=code))
    assert done.code != 1


@BOTH
def test_a_class_of_nodes_for_which_no_budget_is_left(
    command: str, run: Run, tmp_path: Path
) -> None:
    nodes = "".join(f"node 'n{n}' {{ include app::big include app::d }}\n" for n in range(4))
    files = {
        "environment.conf": "modulepath = modules\n",
        "manifests/site.pp": f"{nodes}node 'last' {{ include app::big include app::late }}\n",
        "modules/app/manifests/d.pp": "class app::d { }\n",
    }
    big = (
        'class app::big { range(1, 900).each |$n| {\nif $facts["a$n"] =~ /x/ { notify { $n: } } }}'
    )
    late = f"class app::late {{ if $facts['a'] =~ /x/ {{ {CYCLE} }} }}"
    classes = {
        f"modules/app/manifests/{name}.pp": text for name, text in (("big", big), ("late", late))
    }
    done = run(command, write(tmp_path, files | classes), "--worlds", "2")
    assert done.code == 1
    assert "late.pp:1" in done.out


@BOTH
def test_a_manifest_that_is_no_program_leaves_the_others(
    command: str, run: Run, tmp_path: Path
) -> None:
    path = site(tmp_path, "include app", init=f"class app {{ if $facts['a'] {{ {CYCLE} }} }}\n")
    write(path, {"manifests/other.pp": "class bad-name { }\n"})
    done = run(command, path)
    assert "app/manifests/init.pp:1" in done.out
    assert "dependency cycle" in done.out
