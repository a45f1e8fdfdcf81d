"""What holds for every graph: order, cycles, cuts, junctions, reachability; random catalogs."""

from __future__ import annotations

from itertools import pairwise, product
from unittest.mock import patch

import networkx as nx
import pytest
from hypothesis import assume, given, settings

from analyzer.graph import build
from analyzer.graph.algorithms.components import components
from analyzer.graph.cycles.puppet_text import ADVICE, sorted_components
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.order import traverse
from analyzer.graph.relationship_graph import NoOrderError, RelationshipGraph
from analyzer.graph.replay import expanded_tables
from analyzer.model.refs import ResourceRef
from tests.amount import examples
from tests.graph.random_catalogs import (
    Document,
    documents,
    expanded,
    graph_from,
    plain_edges,
    without,
)


def cyclic_components(graph: nx.DiGraph[str]) -> set[frozenset[str]]:
    return {
        frozenset(found)
        for found in nx.strongly_connected_components(graph)
        if len(found) > 1 or graph.has_edge(*(list(found) * 2))
    }


@given(documents())
def test_expanded_is_the_adjacency(document: Document) -> None:
    graph = graph_from(document)
    name = graph.provenance.name
    assert set(expanded(graph).edges) == {(name(s), name(t)) for s, t in plain_edges(graph.kernel)}


@given(documents(acyclic=True))
def test_order_is_topological(document: Document) -> None:
    graph = graph_from(document)
    assume(not graph.has_cycle)
    place = {node: number for number, node in enumerate(traverse(graph.kernel))}
    assert len(place) == graph.kernel.vertices + len(graph.kernel.owner)
    assert all(place[s] < place[t] for s, t in plain_edges(graph.kernel))
    for ordering in ("title-hash", "random"):
        order = graph.order(ordering)
        assert sorted(order) == sorted(graph.order())
        where = {str(ref): number for number, ref in enumerate(order)}
        for hop in graph.expanded():
            if hop.source_name in where and hop.target_name in where:
                assert where[hop.source_name] < where[hop.target_name]


@given(documents())
def test_cycles_exist_where_there_is_no_order(document: Document) -> None:
    graph = graph_from(document)
    if graph.has_cycle:
        assert graph.cycles()
        assert graph.puppet_text()
        with pytest.raises(NoOrderError):
            graph.order()
    else:
        assert not graph.cycles()
        assert not graph.puppet_text()
        assert len(graph.order()) + len(graph.kernel.owner) == graph.kernel.vertices


@given(documents())
def test_members_are_the_strong_components(document: Document) -> None:
    graph = graph_from(document)
    found = {frozenset(cycle.nodes) for cycle in graph.cycles()}
    assert found == cyclic_components(expanded(graph))


@given(documents())
def test_paths_are_closed_and_real(document: Document) -> None:
    graph = graph_from(document)
    edges = set(expanded(graph).edges)
    for cycle in graph.cycles():
        ends = [(hop.source_name, hop.target_name) for hop in cycle.hops]
        assert set(ends) <= edges
        assert ends[0][0] == ends[-1][1]
        assert all(first[1] == second[0] for first, second in pairwise(ends))
        assert {end for pair in ends for end in pair} <= set(cycle.nodes)
        assert cycle.path[0] == cycle.path[-1]
        assert set(cycle.path) <= set(cycle.members)
        assert_relationships_fit(cycle)


def assert_relationships_fit(cycle: Cycle) -> None:
    for hop in cycle.hops:
        ends = {hop.source_ref, hop.target_ref}
        assert hop.relationships or len(ends) == 1
        assert all({made.source, made.target} == ends for made in hop.relationships)


@given(documents())
def test_a_shortest_cycle_is_shortest(document: Document) -> None:
    graph = graph_from(document)
    whole = expanded(graph)
    for cycle in graph.cycles():
        part = whole.subgraph(cycle.nodes)
        shortest = min(
            1 + nx.shortest_path_length(part, t, s)
            for s, t in part.edges
            if nx.has_path(part, t, s)
        )
        assert cycle.shortest
        assert len(cycle.hops) == shortest


@settings(max_examples=examples(400))
@given(documents())
def test_cuts_leave_no_cycle(document: Document) -> None:
    graph = graph_from(document)
    statements = [s for cycle in graph.cycles() for s in cycle.cut.statements]
    assert all(s.example in s.relationships for s in statements)
    assert all(s.count == len(set(s.relationships)) for s in statements)
    left = without(document, {made for s in statements for made in s.relationships})
    assert graph_from(left).cycles() == []


@given(documents())
def test_exact_cuts_have_no_spare_statement(document: Document) -> None:
    for cycle in graph_from(document).cycles():
        for spared in cycle.cut.statements if cycle.cut.exact else ():
            taken = [s for s in cycle.cut.statements if s is not spared]
            left = without(document, {made for s in taken for made in s.relationships})
            found = {frozenset(one.members) for one in graph_from(left).cycles()}
            assert any(members <= set(cycle.members) for members in found)


@given(documents())
def test_junctions_change_nothing(document: Document) -> None:
    graph = graph_from(document)
    with patch.object(build, "JUNCTION_LENGTH", 10**9):
        flat = graph_from(document)
    assert not flat.kernel.junctions
    assert [str(r) for r in graph.relationships()] == [str(r) for r in flat.relationships()]
    assert traverse(graph.kernel) == traverse(flat.kernel)
    assert plain_edges(graph.kernel) == plain_edges(flat.kernel)
    assert graph.puppet_text() == flat.puppet_text()
    summary = [(c.members, c.nodes, len(c.hops)) for c in graph.cycles()]
    assert summary == [(c.members, c.nodes, len(c.hops)) for c in flat.cycles()]
    for resource in graph.catalog.resources:
        assert graph.downstream(str(resource)) == flat.downstream(str(resource))


@pytest.mark.slow
def test_random_catalogs_have_junctions_and_cycles() -> None:
    seen = {"junction": 0, "cycle": 0, "clean": 0, "automatic": 0, "dropped": 0}

    @settings(max_examples=200)
    @given(documents())
    def count(document: Document) -> None:
        graph = graph_from(document)
        seen["junction"] += bool(graph.kernel.junctions)
        seen["cycle" if graph.has_cycle else "clean"] += 1
        seen["automatic"] += bool(graph.kernel.automatic)
        seen["dropped"] += bool(graph.kernel.dropped)

    count()
    assert min(seen.values()) >= 10, seen


def reached(graph: RelationshipGraph, whole: nx.DiGraph[str], start: str) -> list[ResourceRef]:
    """What networkx reaches from a node by at least one edge: resources, in catalog order."""
    names = set(nx.descendants(whole, start))
    if any(
        successor == start or start in nx.descendants(whole, successor)
        for successor in whole[start]
    ):
        names.add(start)
    return [ref for ref in graph.provenance.refs if str(ref) in names]


@given(documents(acyclic=True))
def test_upstream_and_downstream(document: Document) -> None:
    graph = graph_from(document)
    whole = expanded(graph)
    turned = whole.reverse()
    refs = [ref for ref in graph.provenance.refs if str(ref) in whole]
    below = {ref: graph.downstream(ref) for ref in refs}
    above = {ref: graph.upstream(ref) for ref in refs}
    for ref in refs:
        assert below[ref] == reached(graph, whole, str(ref))
        assert above[ref] == reached(graph, turned, str(ref))
        assert all(ref in above[other] for other in below[ref])
        assert all(ref in below[other] for other in above[ref])


@settings(max_examples=examples(50))
@given(documents(acyclic=True))
def test_why_goes_from_one_to_the_other(document: Document) -> None:
    graph = graph_from(document)
    whole = expanded(graph)
    refs = graph.provenance.refs[:6]
    for first, second in product(refs, refs):
        why = graph.why(first, second)
        assert (why.first, why.second) == (first, second)
        assert bool(why.hops) == (why.verdict != "unordered")
        assert all((hop.source_name, hop.target_name) in whole.edges for hop in why.hops)
        assert all(a.target_name == b.source_name for a, b in pairwise(why.hops))
        if why.verdict in ("before", "after", "cycle"):
            ends = (second, first) if why.verdict == "after" else (first, second)
            assert (why.hops[0].source_ref, why.hops[-1].target_ref) == ends
        if first != second and str(first) in whole and str(second) in whole:
            ahead, back = second in graph.downstream(first), first in graph.downstream(second)
            expected = {(True, True): "cycle", (True, False): "before", (False, True): "after"}
            assert why.verdict == expected.get((ahead, back), "unordered")
            if why.hops:
                assert len(why.hops) == nx.shortest_path_length(whole, *map(str, ends))


def puppets_search(graph: RelationshipGraph) -> str:
    """Puppet's report, literally (SimpleGraph#paths_in_cycle with a limit of one path)."""
    kernel = graph.kernel
    tables = expanded_tables(kernel).outgoing
    found = sorted_components(kernel, components(kernel.succ))
    text = f"Found {len(found)} dependency cycle{'s' if len(found) > 1 else ''}:\n"
    for members in found:
        inside = set(members)
        queue: list[tuple[int, list[int]]] = [(members[0], [])]
        walk: list[int] = []
        while not walk:
            vertex, path = queue.pop(0)
            if vertex in path:
                walk = [*path, vertex]
            else:
                queue += [(t, [*path, vertex]) for t in tables[vertex] if t in inside]
        names = [str(kernel.resources[kernel.end_of(v)[1]]) for v in walk]
        text += f"({' => '.join(names)})\\n"
    return text + ADVICE


@settings(max_examples=examples(200))
@given(documents())
def test_puppets_text_is_what_its_search_finds(document: Document) -> None:
    graph = graph_from(document)
    assume(graph.has_cycle)
    assert graph.puppet_text() == puppets_search(graph)
