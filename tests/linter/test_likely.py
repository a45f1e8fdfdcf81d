"""Findings of other worlds count as what they are: of a machine that the site may have, or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.export.reports.lint_json import condition_row
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request
from analyzer.session.worlds.coincidences import alternatives

ON_SYSTEM = "if $facts['os']['family'] == {} {{ notify {{ 'b': }} }}\n"
TWICE = "if {} {{ notify {{ 'a': }} }}\nnotify {{ 'a': }}\n"


def told(folder: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    """Return the severities and codes of the findings about a site."""
    for name, text in {"environment.conf": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    codes = Choice(("CG200", "CG201", "CG202", "CG301"))
    found = check_inputs(Request((str(folder),), codes, worlds=16)).found
    return [(one.finding.severity, one.finding.code) for one in found]


@pytest.mark.parametrize(
    ("condition", "severity"),
    [
        ("$facts['os']['family'] == 'Debian'", "error"),
        ("$facts['os']['family'] != 'Debian'", "note"),
    ],
)
def test_a_system_that_the_code_names_is_one_of_the_site(
    condition: str, severity: str, tmp_path: Path
) -> None:
    found = told(tmp_path, {"manifests/site.pp": TWICE.format(condition)})
    assert found == [(severity, "CG202")]


def test_what_only_one_system_declares(tmp_path: Path) -> None:
    code = ON_SYSTEM.format("'RedHat'") + "notify { 'a': require => Notify['b'] }\n"
    assert told(tmp_path, {"manifests/site.pp": code}) == [("note", "CG201")]


def test_a_system_that_no_code_names_is_of_nobody_whatever_else_is_so(tmp_path: Path) -> None:
    system = "case $facts['os']['release']['full'] { '16.04': { notify { 'b': } } default: { } }\n"
    code = f"if $facts['site'] == 'x' {{ {system} notify {{ 'a': require => Notify['b'] }} }}\n"
    assert told(tmp_path, {"manifests/site.pp": code}) == [("note", "CG201")]


def test_an_invented_system_is_of_nobody(tmp_path: Path) -> None:
    code = "case $facts['os']['name'] { 'Debian': { } default: { notify { 'a': } } }\n"
    site = f"{code}{code}"
    assert told(tmp_path, {"manifests/site.pp": site}) == [("note", "CG202")]


def test_a_cycle_is_wrong_in_any_world(tmp_path: Path) -> None:
    code = "notify { 'a': require => Notify['a'] }"
    site = f"if $facts['os']['family'] != 'Debian' {{ {code} }}\n"
    assert told(tmp_path, {"manifests/site.pp": site}) == [("error", "CG301")]


@pytest.mark.parametrize(
    ("node", "condition", "severities"),
    [
        ("'media.example.com'", "== 'hp1'", []),
        ("/^media/", "== 'hp1'", []),
        ("'hp1.example.com'", "== 'hp1'", ["error"]),
        ("default", "== 'hp1'", ["error"]),
        ("'media.example.com'", "=~ /hp/", ["note"]),
        ("'hp1.example.com'", "=~ /hp/", ["error"]),
    ],
)
def test_a_node_has_no_other_name(
    node: str, condition: str, severities: list[str], tmp_path: Path
) -> None:
    code = TWICE.format(f"$facts['networking']['hostname'] {condition}")
    found = told(tmp_path, {"manifests/site.pp": f"node {node} {{ {code} }}\n"})
    assert found == [(severity, "CG202") for severity in severities]


def test_a_class_that_the_class_it_inherits_from_declares(tmp_path: Path) -> None:
    """It is never declared by itself; Puppet refuses that."""
    init = "class app($x = 1) {\n  class { 'app::install': }\n  case $facts['os']['family'] {\n"
    init += "    'RedHat': { }\n    default: { fail('no') }\n  }\n}\n"
    files = {
        "manifests/site.pp": "node a { notify { 'n': } }\n",
        "modules/app/manifests/init.pp": init,
        "modules/app/manifests/install.pp": "class app::install inherits app { notify { 'i': } }\n",
    }
    assert told(tmp_path, files) == []


def test_a_value_that_is_missing_is_null() -> None:
    assert condition_row("x", "is none of", (ABSENT, "a")) == {
        "input": "x",
        "op": "is none of",
        "value": [None, "a"],
    }
    assert condition_row("x", "is", ABSENT)["value"] is None


@pytest.mark.parametrize("call", ["hiera_array('x', [])", "lookup('x', Array, 'unique', [])"])
def test_a_value_that_stands_for_merged_data_is_a_list(
    call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 gives `['web']` for the data `x: web`."""
    (tmp_path / "a.pp").write_text(f"{call}.each |$g| {{ notify {{ $g: }} }}")
    assert main(["compile", str(tmp_path / "a.pp"), "--param", "lookup::x=tee"]) == 0
    assert '"title": "tee"' in capsys.readouterr().out


def test_a_loop_over_an_invented_text_is_a_coincidence() -> None:
    assert "x" in list(alternatives("app::names", {"app::names": "example"}, {}))
