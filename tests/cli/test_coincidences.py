"""Findings that only values of other worlds have, by chance or not, and their conditions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_other_worlds import found, module, site

PATTERN = "=~ /^puppet:\\/\\//"


@pytest.mark.parametrize(
    ("parameters", "test", "first", "second"),
    [
        # Both are examples of one pattern; so are the parts of them that are used.
        ("$ca = '', $key = ''", PATTERN, "split($ca, '/')[-1]", "split($key, '/')[-1]"),
        ("$ca = '', $key = ''", "=~ /^\\w+\\.pem$/", "$ca", "$key"),
        ("$ca = '', $key = ''", "=~ /^\\d+$/", "$ca", "$key"),
        # Any value that counts as true.
        ("$ca = undef, $key = undef", "", "$ca", "$key"),
        ("Optional[Pattern[/^\\w+$/]] $ca = undef, $key = undef", "", "$ca", "$key"),
    ],
)
def test_inputs_that_are_equal_by_chance(
    parameters: str, test: str, first: str, second: str, run: Run, tmp_path: Path
) -> None:
    """Puppet refuses equal values only, which the code does not ask for."""
    code = (
        f"class app({parameters}) {{\n"
        f'if $ca {test} {{ file {{ "/srv/${{{first.removeprefix("$")}}}": }} }}\n'
        f'if $key {test} {{ file {{ "/srv/${{{second.removeprefix("$")}}}": }} }}\n}}\n'
    )
    assert found(run, "lint", module(tmp_path, code)) == []


def test_inputs_that_the_code_wants_to_be_equal(run: Run, tmp_path: Path) -> None:
    code = (
        "class app($ca = undef, $key = undef) {\n"
        'if $ca == "x" { file { "/srv/${ca}": } }\nif $key == "x" { file { "/srv/${key}": } }\n}\n'
    )
    [row] = found(run, "lint", module(tmp_path, code))
    assert row["code"] == "CG202"
    assert [(one["input"], one["value"]) for one in row["condition"]] == [
        ("app::ca", "x"),
        ("app::key", "x"),
    ]


def test_a_title_of_a_table_is_no_chance(run: Run, tmp_path: Path) -> None:
    code = (
        "class app(Enum['nginx', 'apache'] $server = 'nginx', $both = false) {\n"
        "package { { 'nginx' => 'nginx', 'apache' => 'httpd' }[$server]: }\n"
        "if $both { package { 'httpd': } }\nif $server == 'apache' { notify { 'x': } }\n}\n"
    )
    assert [row["code"] for row in found(run, "lint", module(tmp_path, code))] == ["CG202"]


@pytest.mark.parametrize(("name", "count"), [("service_external", 0), ("service_off", 1)])
def test_a_service_that_others_declare(name: str, count: int, run: Run, tmp_path: Path) -> None:
    code = (
        f"class app(Boolean ${name} = false) {{\nif !${name} {{ service {{ 'app': }} }}\n"
        "file { '/etc/app': notify => Service['app'] }\n}\n"
    )
    assert len(found(run, "lint", module(tmp_path, code))) == count


def test_a_value_that_no_branch_is_for(run: Run, tmp_path: Path) -> None:
    code = (
        "case $facts['networking']['fqdn'] {\n/^web/: { package { 'x': } }\n"
        "/^db/: { package { 'x': } }\n}\nnotify { 'x': require => Package['x'] }\n"
    )
    (row,) = [row for row in found(run, "lint", site(tmp_path, code)) if row["condition"]]
    assert row["condition"] == [
        {"input": "facts.networking.fqdn", "op": "matches none of", "value": ["^web", "^db"]}
    ]
    assert "matches none of /^web/, /^db/" in row["message"]
