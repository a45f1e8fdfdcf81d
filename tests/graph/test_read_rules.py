"""Automatic relationships that are read in the Ruby files of types, as real Puppet made them.

`read/cases.txt` is recorded with `python -m tests.graph.rule_cases`, where `PUPPET_MODULES` is
`tests/graph/read`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import analyzer
from analyzer.export.catalog_json import to_json
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.automatic import TypeRelation
from tests.graph.rule_cases import RuleCase, edges_of, manifest, read_cases

READ = Path(__file__).parent / "read"


def compiled(tmp_path: Path, text: str) -> RelationshipGraph:
    site = tmp_path / "site.pp"
    site.write_text(text)
    return analyzer.relate(analyzer.compile(site, modulepath=[str(READ)]))


@pytest.mark.parametrize("case", read_cases(READ / "cases.txt"), ids=lambda case: case.name)
def test_edges_are_puppets(case: RuleCase, tmp_path: Path) -> None:
    graph = compiled(tmp_path, manifest(case))
    assert edges_of(graph) == case.edges
    assert not graph.gaps


def test_what_cannot_be_read_is_a_gap(tmp_path: Path) -> None:
    graph = compiled(
        tmp_path, "file { '/x': } notify { 'read': } own_computed { 'o': path => 'a' }"
    )
    assert edges_of(graph) == ("Notify[read] -> Own_computed[o] : autorequire",)
    assert [(gap.kind, gap.name, gap.reason) for gap in graph.gaps] == [
        ("resource type", "Own_computed", "what it generates is unknown: it is computed in Ruby"),
        (
            "resource type",
            "Own_computed",
            "its automatic relationships are unknown: autorequire(:file) computes what it names",
        ),
    ]
    # There is no user that a computed name could mean.
    assert not graph.is_complete


def test_a_value_that_is_not_known_is_a_gap(tmp_path: Path) -> None:
    graph = compiled(tmp_path, "file { '/x': } own_block { 'o': path => $facts['x'] }")
    assert {gap.name for gap in graph.gaps if gap.kind == "resource type"} == {"Own_block"}


def test_the_catalog_in_json_keeps_them(tmp_path: Path) -> None:
    graph = compiled(tmp_path, "file { '/srv': } own_block { 'o': path => '/srv' }")
    again = analyzer.relate(analyzer.load_catalog(json.loads(to_json(graph.catalog))))
    assert edges_of(again) == ("File[/srv] -> Own_block[o] : autorequire",) == edges_of(graph)


def test_a_table_of_ours_counts_before_what_is_read() -> None:
    declared = analyzer.load_catalog(
        {"resources": [{"type": "Archive", "title": "/srv/a"}, {"type": "File", "title": "/srv"}]}
    )
    titles = {"Archive[/srv/a]": ("/elsewhere",)}
    declared.relations = (TypeRelation("Archive", "autorequire", "File", titles, "unknown"),)
    graph = analyzer.relate(declared)
    assert edges_of(graph) == ("File[/srv] -> Archive[/srv/a] : autorequire",)
    assert not graph.gaps


FIREWALL = """
Puppet::Type.newtype(:firewall) do
  newparam(:name) { isnamevar }
  autorequire(:package) { %w{iptables iptables-persistent} }
  autorequire(:mount) { ['/run'] }
end
"""


def test_a_version_of_a_module_has_the_blocks_of_its_file(tmp_path: Path) -> None:
    """Firewall 1.3.0 neither requires services nor is before files, as newer versions do."""
    folder = tmp_path / "modules/firewall/lib/puppet/type"
    folder.mkdir(parents=True)
    (folder / "firewall.rb").write_text(FIREWALL)
    site = tmp_path / "site.pp"
    site.write_text(
        "firewall { 'a': } package { 'iptables': } service { 'iptables': } mount { '/run': }"
        " file { '/etc/sysconfig/iptables': }"
    )
    graph = analyzer.relate(analyzer.compile(site, modulepath=[str(tmp_path / "modules")]))
    expected = (
        "Package[iptables] -> Firewall[a] : autorequire",
        "Mount[/run] -> Firewall[a] : autorequire",
    )
    assert edges_of(graph) == expected
    again = analyzer.relate(analyzer.load_catalog(json.loads(to_json(graph.catalog))))
    assert edges_of(again) == expected
