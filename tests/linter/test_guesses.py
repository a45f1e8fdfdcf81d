"""Findings about what catgraph itself chose: systems, values of worlds, data of a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.linter.strangers import errors_in

SYSTEM = {"catgraph.toml": 'facts = ["@debian-12"]\n'}


@pytest.mark.parametrize(
    "code",
    [
        "class a($names = []) { $names.each |String $n| { package { $n: } } }",
        "class a { $names = lookup('a::names', { default_value => [] })\n"
        "  $names.each |String $n| { package { $n: } } }",
        "class a($names = undef) { if $names { $names.each |$n| { package { $n: } } } }",
    ],
)
def test_a_loop_goes_through_no_characters_of_a_guess(code: str, tmp_path: Path) -> None:
    """Puppet goes through a text by its characters: `$names` may be a text, but is not meant so."""
    assert errors_in(tmp_path, {"modules/a/manifests/init.pp": code}) == []
    assert errors_in(tmp_path, {**SYSTEM, "modules/a/manifests/init.pp": code}) == []


def test_a_loop_over_something_may_declare_a_resource_again(tmp_path: Path) -> None:
    code = "class a($names = []) {\n  $names.each |$n| { notify { 'b': } }\n  notify { 'b': }\n}"
    found = errors_in(tmp_path, {**SYSTEM, "modules/a/manifests/init.pp": code})
    assert [one.partition(" is already")[0] for one in found] == [
        "Duplicate declaration: Notify[b]"
    ]


def test_a_variable_that_nobody_sets_may_be_of_a_classifier(tmp_path: Path) -> None:
    """A typical system has no facts of the site; a name like one beside it is misspelled."""
    code = "node default {\n  if ! $role { $role = 'base' }\n  notify { \"role ${role}\": }\n}\n"
    assert errors_in(tmp_path, {**SYSTEM, "manifests/site.pp": code}) == []
    code = "$services = ['a']\nnode default { notify { $service: } }\n"
    found = errors_in(tmp_path, {**SYSTEM, "manifests/site.pp": code})
    assert found == ["Unknown variable: 'service'."]


def test_data_are_on_the_server_where_the_code_has_no_configuration(tmp_path: Path) -> None:
    code = "$role = hiera('role')\nnotify { $role: }\n"
    assert errors_in(tmp_path, {"site.pp": code}) == []


def test_ruby_code_with_the_name_of_a_manifest_is_not_read(tmp_path: Path) -> None:
    files = {
        "modules/a/manifests/init.pp": "class a { }\n",
        "modules/a/lib/puppet/provider/package/a.pp": "Puppet::Type.type(:package).provide :a do\n",
    }
    assert errors_in(tmp_path, files) == []
