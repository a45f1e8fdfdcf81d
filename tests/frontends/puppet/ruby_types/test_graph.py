"""The graph finds resources by the keys that a compile has read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import analyzer
from analyzer.export.catalog_json import to_json
from analyzer.session.inputs import graph_of
from analyzer.session.settings import config_for, rules_for

from .declared import MODULES

BY_KEY = """
own_keyed { 'a': path => '/x' }
notify { 'n': require => Own_keyed['/x'] }
"""
BY_COMMAND = """
own_ensured { 'a': command => 'x' }
notify { 'n': require => Own_ensured['a'] }
"""


def relationships(folder: Path, code: str) -> list[tuple[str, str]]:
    """The relationships of a manifest's graph."""
    manifest = folder / "site.pp"
    manifest.write_text(code)
    catalog = analyzer.compile(manifest, modulepath=[str(MODULES)])
    graph = graph_of(catalog, rules_for(catalog, config_for(str(manifest))))
    found = graph.relationships()
    return [(str(r.source), str(r.target)) for r in found if r.kind != "contains"]


@pytest.mark.parametrize("config", ["", "[types.another]\nnamevar = 'id'\n"])
def test_second_name(tmp_path: Path, config: str) -> None:
    (tmp_path / "catgraph.toml").write_text(config)
    assert relationships(tmp_path, BY_KEY) == [("Own_keyed[a]", "Notify[n]")]


def test_what_a_user_says_of_a_type_counts(tmp_path: Path) -> None:
    (tmp_path / "catgraph.toml").write_text("[types.own_keyed]\nnamevar = 'mode'\n")
    assert relationships(tmp_path, BY_KEY) == []


def test_no_second_name(tmp_path: Path) -> None:
    (tmp_path / "catgraph.toml").write_text("")
    assert relationships(tmp_path, BY_COMMAND) == [("Own_ensured[a]", "Notify[n]")]


BY_KEYS = """
own_composite { 'x': name => 'n', region => 'r', zone => 'z', size => 's' }
own_composite { 'a/b': }
notify { 'after': require => [Own_composite['a/b'], Own_composite['r/z:n']] }
"""
BY_KEYS_IN_AN_ARROW = """
own_composite { 'x': name => 'n', region => 'r', zone => undef, size => undef }
notify { 'q': }
Own_composite['r/n'] -> Notify['q']
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (BY_KEYS, [("Own_composite[a/b]", "Notify[after]"), ("Own_composite[x]", "Notify[after]")]),
        (BY_KEYS_IN_AN_ARROW, [("Own_composite[x]", "Notify[q]")]),
    ],
)
def test_several_keys(tmp_path: Path, code: str, expected: list[tuple[str, str]]) -> None:
    (tmp_path / "catgraph.toml").write_text("")
    assert sorted(relationships(tmp_path, code)) == expected


def test_refreshing(tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("own_ensured { 'a': }\nown_mixed { 'b': }\nown_keyed { 'c': }\n")
    catalog = analyzer.compile(manifest, modulepath=[str(MODULES)])
    assert catalog.refreshable == {"Own_ensured", "Own_mixed"}
    assert catalog.namevars == {"Own_ensured": "", "Own_mixed": "name", "Own_keyed": "path"}


FIREWALL = """
require 'puppet/resource_api'
Puppet::ResourceApi.register_type(
  name: 'firewall',
  attributes: {
    ensure: { type: 'Enum[present, absent]', default: 'present' },
    name: { type: 'String', behaviour: :namevar },
  },RULES
)
"""


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("", []),
        ("\n  autorequire: { file: '/x' },", [("File[/x]", "Firewall[a]")]),
    ],
)
def test_a_type_of_the_resource_api_has_the_relationships_of_its_file(
    rules: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    # Older releases of this type require packages; the table has their relationships.
    place = tmp_path / "modules" / "firewall" / "lib" / "puppet" / "type"
    place.mkdir(parents=True)
    (place / "firewall.rb").write_text(FIREWALL.replace("RULES", rules))
    code = "package { 'iptables': } file { '/x': } firewall { 'a': }"
    catalog = analyzer.compile(code=code, modulepath=[str(tmp_path / "modules")])
    for one in (catalog, analyzer.load_catalog(json.loads(to_json(catalog)))):
        found = analyzer.relate(one).relationships()
        made = [(str(r.source), str(r.target)) for r in found if r.kind != "contains"]
        assert made == expected
