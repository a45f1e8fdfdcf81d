"""Files that folders bring, with their order and relationships, as Puppet has them (7.23)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.apply.served import with_served
from analyzer.graph.recursed import OWN
from analyzer.graph.relationship_graph import RelationshipGraph

from .cases import cases, plant, recorded

RECORDED = recorded()
BUILT_IN = ("Schedule[", "Filebucket[")
Edges = dict[str, list[str]]


def graph_of(modules: Path, code: str) -> RelationshipGraph:
    catalog = analyzer.compile(code=code, modulepath=[str(modules)], facts={})
    return analyzer.relate(with_served(catalog))


@pytest.mark.parametrize(("name", "files", "code"), [*cases()], ids=[c[0] for c in cases()])
def test_what_puppet_generates(name: str, files: list[str], code: str, tmp_path: Path) -> None:
    said = RECORDED[name]
    if "Could not find" in said.get("error", ""):
        with pytest.raises(analyzer.CompileError, match=r"Could not find resource"):
            graph_of(plant(tmp_path, files), code)
        return
    graph = graph_of(plant(tmp_path, files), code)
    made = {str(one): one for one in graph.resources if one.generator is not None}
    if "error" in said:
        assert graph.has_cycle
        assert not made
        return
    assert sorted(made) == sorted(said["generated"])
    for ref, one in made.items():
        ours = {name: text(value) for name, value in one.parameters.items()}
        theirs = {
            n: text(v) for n, v in said["generated"][ref].items() if n in ours or n not in OWN
        }
        assert ours == theirs
    order = [ref for ref in map(str, graph.order()) if not ref.startswith(BUILT_IN)]
    assert order == [ref for ref in said["order"] if not ref.startswith(("Admitted", "Completed"))]
    compare_ways(graph, said, set(order))


def compare_ways(graph: RelationshipGraph, said: dict[str, Any], refs: Collection[str]) -> None:
    """What comes after each resource, and what hears of it, is what Puppet's edges say."""
    edges = [line.replace("~>", "->").split(" -> ") for line in said["edges"]]
    heard = [line.split(" ~> ") for line in said["edges"] if " ~> " in line]
    for ref in refs:
        end = f"Completed[{ref}]"
        theirs = reached(table(edges), ref, refs)
        assert {*map(str, graph.downstream(ref))} & {*refs} == theirs
        events = table([e for e in heard if passes(e[0]) or e[0] == ref])
        found = reached(events, ref, refs) | reached(events, end, refs)
        impact = graph.impact(ref)
        ours = {str(r) for r in impact.refreshed + impact.ignored}
        assert ours == {one for one in found if one != ref and not comes_with(graph, one)}


def comes_with(graph: RelationshipGraph, ref: str) -> bool:
    """Whether a folder brings a resource: it hears nothing from that folder, and can do nothing."""
    found = graph.find(ref)
    return any(r.ref == found and r.generator is not None for r in graph.resources)


def passes(ref: str) -> bool:
    """Whether events pass what an edge begins at."""
    return ref.startswith(("Admitted", "Completed", "Exec"))


def table(edges: list[list[str]]) -> Edges:
    found: Edges = {}
    for source, target in edges:
        found.setdefault(source, []).append(target)
    return found


def reached(edges: Edges, start: str, refs: Collection[str]) -> set[str]:
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        for target in edges.get(ahead.pop(), ()):
            if target not in seen:
                seen.add(target)
                ahead.append(target)
    return seen & {*refs}


def text(value: object) -> object:
    """A value as Puppet's text; one of several is the value."""
    if isinstance(value, list):
        return text(value[0]) if len(value) == 1 else [text(one) for one in value]
    return str(value).lower() if isinstance(value, bool) else str(value)
