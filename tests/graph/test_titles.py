"""Resources that Puppet gives another title than the catalog (sshkeys_core, type/sshkey.rb)."""

from __future__ import annotations

from typing import Any

import pytest

import analyzer
from analyzer.graph.relationship_graph import RelationshipGraph


@pytest.fixture
def graph() -> RelationshipGraph:
    """A class with a host key before a notify, as the compiler writes it."""
    key = {"type": "rsa", "key": "AAA", "before": "Notify[n]"}
    resources: list[dict[str, Any]] = [
        {"type": "Class", "title": "K", "kind": "unknown"},
        {"type": "Sshkey", "title": "web", "kind": "compilable_type", "parameters": key},
        {"type": "Notify", "title": "n", "kind": "compilable_type"},
    ]
    edges = [
        {"source": "Class[K]", "target": "Sshkey[web]"},
        {"source": "Class[K]", "target": "Notify[n]"},
    ]
    catalog = {"name": "test", "catalog_format": 2, "resources": resources, "edges": edges}
    return analyzer.relate(analyzer.load_catalog(catalog))


def test_relationships_have_the_new_title(graph: RelationshipGraph) -> None:
    (edge,) = graph.relationships()
    assert (str(edge.source), str(edge.target)) == ("Sshkey[web@ssh-rsa]", "Notify[n]")


def test_the_old_title_contains(graph: RelationshipGraph) -> None:
    assert [str(r.target) for r in graph.containment()] == ["Sshkey[web@ssh-rsa]", "Notify[n]"]
    assert not graph.kernel.warnings


def test_the_old_title_finds_nothing(graph: RelationshipGraph) -> None:
    assert graph.find("Sshkey[web]") is None
    assert str(graph.find("Sshkey[web@ssh-rsa]")) == "Sshkey[web@ssh-rsa]"


def test_the_order_has_the_new_title(graph: RelationshipGraph) -> None:
    assert [str(ref) for ref in graph.order()][:2] == ["Sshkey[web@ssh-rsa]", "Notify[n]"]
