"""Transitive reduction and reachability, against networkx."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from analyzer.graph.algorithms.reachability import Reachability
from analyzer.graph.algorithms.reduction import transitive_reduction
from tests.export.graphs import edge_lists

Edges = tuple[int, list[tuple[int, int]]]


def successors(edges: Edges) -> list[list[int]]:
    succ: list[list[int]] = [[] for _ in range(edges[0])]
    for s, t in edges[1]:
        succ[s].append(t)
    return succ


def digraph(succ: list[list[int]]) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(succ)))
    graph.add_edges_from((s, t) for s, targets in enumerate(succ) for t in targets)
    return graph


def reached(graph: nx.DiGraph[int]) -> set[tuple[int, int]]:
    return {(v, w) for v in graph for u in graph[v] for w in {u} | nx.descendants(graph, u)}


@given(edge_lists(acyclic=True), st.sampled_from([(99, 1), (0, 1), (0, 3), (0, 64)]))
def test_acyclic_graphs_reduce_as_networkx_does(edges: Edges, sizes: tuple[int, int]) -> None:
    succ = successors(edges)
    reduced = transitive_reduction(succ, *sizes)
    expected = nx.transitive_reduction(digraph(succ))
    assert set(digraph(reduced).edges) == set(expected.edges)
    assert all(len(set(targets)) == len(targets) for targets in reduced)


@given(edge_lists(), st.sampled_from([(99, 1), (0, 3)]))
def test_reduction_keeps_reachability_and_the_edges_of_cycles(
    edges: Edges, sizes: tuple[int, int]
) -> None:
    succ = successors(edges)
    before, after = digraph(succ), digraph(transitive_reduction(succ, *sizes))
    assert reached(after) == reached(before)
    member = {v: i for i, c in enumerate(nx.strongly_connected_components(before)) for v in c}
    inner = {(s, t) for s, t in before.edges if member[s] == member[t]}
    assert inner <= set(after.edges) <= set(before.edges)


@given(edge_lists())
def test_reachability_is_that_of_networkx(edges: Edges) -> None:
    succ = successors(edges)
    reach = Ways(succ)
    nodes = range(edges[0])
    found = {(s, t) for s in nodes for t in nodes if reach.reaches(s, t)}
    assert found == reached(digraph(succ))


def test_the_input_is_left_alone() -> None:
    succ = [[1, 2, 2], [2], []]
    assert transitive_reduction(succ) == [[1], [2], []]
    assert succ == [[1, 2, 2], [2], []]


def test_an_empty_graph_is_reduced() -> None:
    assert transitive_reduction([]) == []
