"""Set words of queries against networkx on the expanded graph, and the laws of sets."""

from __future__ import annotations

import json

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from analyzer.graph.query.relations import RELATIONS
from analyzer.graph.relationship_graph import RelationshipGraph
from tests.graph.random_catalogs import Document, documents, expanded, graph_from

Ends = tuple[str, str]


def ends_of(graph: RelationshipGraph) -> dict[str, Ends]:
    """The first and the last node of each of the catalog's own resources."""
    kernel, name = graph.kernel, graph.provenance.name
    own = range(len(graph.catalog.resources))
    return {str(graph.provenance.refs[i]): (name(i), name(kernel.completed[i])) for i in own}


def is_before(whole: nx.DiGraph[str], first: Ends, second: Ends) -> bool:
    """Whether all of the first comes before all of the second: a walk of one edge or more."""
    return any(nx.has_path(whole, t, second[0]) for t in whole.successors(first[1]))


def found(graph: RelationshipGraph, text: str) -> set[str]:
    answer = graph.query(text)
    assert not answer.undecided
    return set(map(str, answer.resources))


def quoted(ref: str) -> str:
    return ref.replace("[", '["').replace("]", '"]')


@given(documents(), st.data())
def test_before_and_after(document: Document, data: st.DataObject) -> None:
    graph = graph_from(document)
    whole, ends = expanded(graph), ends_of(graph)
    some = data.draw(st.lists(st.sampled_from(sorted(ends)), min_size=1, max_size=3))
    text = " or ".join(map(quoted, some))
    ahead = {r for r in ends if any(is_before(whole, ends[r], ends[x]) for x in some)}
    behind = {r for r in ends if any(is_before(whole, ends[x], ends[r]) for x in some)}
    assert found(graph, f"before ({text})") == ahead
    assert found(graph, f"downstream ({text})") == behind
    for x in some:
        plain = {str(ref) for ref in graph.upstream(x)} & set(ends)
        assert found(graph, f"before {quoted(x)} and not container") == plain


@given(documents(), st.data())
def test_paths(document: Document, data: st.DataObject) -> None:
    graph = graph_from(document)
    whole, ends = expanded(graph), ends_of(graph)
    a, b = (data.draw(st.sampled_from(sorted(ends))) for _ in range(2))
    between = {
        r for r in ends if is_before(whole, ends[a], ends[r]) and is_before(whole, ends[r], ends[b])
    }
    if is_before(whole, ends[a], ends[b]):
        between |= {a, b}
    assert found(graph, f"path({quoted(a)}, {quoted(b)})") == between


@given(documents(), st.data())
def test_steps(document: Document, data: st.DataObject) -> None:
    """Steps count resources: what costs nothing is an edge to an end of a container."""
    graph = graph_from(document)
    whole, ends = expanded(graph), ends_of(graph)
    plain = {first for first, last in ends.values() if first == last}
    plain |= {n for n in whole if not n.startswith(("Admitted[", "Completed["))}
    for s, t in whole.edges:
        whole.edges[s, t]["cost"] = int(t in plain)
    x = data.draw(st.sampled_from(sorted(ends)))
    steps = data.draw(st.integers(0, 3))
    expected = set()
    for r, (first, _) in ends.items():
        costs = [
            whole.edges[ends[x][1], t]["cost"]
            + nx.dijkstra_path_length(whole, t, first, weight="cost")
            for t in whole.successors(ends[x][1])
            if nx.has_path(whole, t, first)
        ]
        # An end is as far off as a resource in its place.
        if costs and min(costs) + (first not in plain) <= steps:
            expected.add(r)
    assert found(graph, f"after({quoted(x)}, {steps})") == expected
    assert found(graph, f"after({quoted(x)}, 99)") == found(graph, f"after {quoted(x)}")


@given(documents())
def test_ends_of_the_order(document: Document) -> None:
    graph = graph_from(document)
    whole, ends = expanded(graph), ends_of(graph)
    plain = {r for r, (first, last) in ends.items() if first == last}
    pairs = [(s, t) for s in plain for t in plain if is_before(whole, ends[s], ends[t])]
    waiting, awaited = {t for _, t in pairs}, {s for s, _ in pairs}
    assert found(graph, "ready") == plain - waiting
    assert found(graph, "last") == plain - awaited
    assert found(graph, "isolated") == plain - waiting - awaited
    members = {str(ref) for cycle in graph.cycles() for ref in cycle.members}
    assert found(graph, "cyclic") == members & set(ends)


@given(documents(), st.data())
def test_relationships_as_declared(document: Document, data: st.DataObject) -> None:
    graph = graph_from(document)
    x = data.draw(st.sampled_from(sorted(ends_of(graph))))
    made = [(str(r.source), str(r.target), r.kind) for r in graph.relationships()]
    assert found(graph, f"requires {quoted(x)}") == {t for s, t, _ in made if s == x}
    assert found(graph, f"required by {quoted(x)}") == {s for s, t, _ in made if t == x}
    heard = {t for s, t, kind in made if s == x and kind == "notify"}
    assert found(graph, f"notified by {quoted(x)}") == heard
    sent = {s for s, t, kind in made if t == x and kind == "notify"}
    assert found(graph, f"notifies {quoted(x)}") == sent
    edges = graph.query(f"edges where from {quoted(x)} and kind != contains").relationships
    assert [str(e.target) for e in edges] == [t for s, t, _ in made if s == x]


@given(documents())
def test_refreshes_and_refreshed_by_are_each_other(document: Document) -> None:
    """Services in place of the users, so that something can be refreshed."""
    text = json.dumps(document).replace("User[", "Service[").replace('"User"', '"Service"')
    graph = graph_from(json.loads(text))
    refs = [r for r in ends_of(graph) if r.startswith(("Service", "Notify", "Class"))]
    forward = {(r, x) for r in refs for x in found(graph, f"refreshed by {quoted(r)}")}
    back = {(r, x) for x in refs for r in found(graph, f"refreshes {quoted(x)}") if r in refs}
    assert {(r, x) for r, x in forward if r != x} == {(r, x) for r, x in back if r != x}
    for r in refs:
        impact = {str(ref) for ref in graph.impact(r).refreshed}
        assert {x for s, x in forward if s == r and x != r} == {
            x for x in impact if x.startswith("Service")
        }


@given(documents(), st.data())
def test_containment(document: Document, data: st.DataObject) -> None:
    graph = graph_from(document)
    tree: nx.DiGraph[str] = nx.DiGraph()
    tree.add_nodes_from(ends_of(graph))
    tree.add_edges_from((str(e.source), str(e.target)) for e in graph.containment())
    x = data.draw(st.sampled_from(sorted(tree)))
    loop = {x} if any(x in cycle for cycle in nx.simple_cycles(tree)) else set()
    assert found(graph, f"in {quoted(x)}") == nx.descendants(tree, x) | loop
    assert found(graph, f"contains {quoted(x)}") == nx.ancestors(tree, x) | loop
    assert found(graph, f"in({quoted(x)}, 1)") == set(tree.successors(x))


@given(documents(), st.data())
def test_laws_of_sets(document: Document, data: st.DataObject) -> None:
    graph = graph_from(document)
    part = st.sampled_from(
        ["type = Notify", "type = Class", "isolated", "title ~ *1", "line < 2", "after type = File"]
    )
    a, b, c = (data.draw(part) for _ in range(3))
    assert found(graph, f"not ({a} and {b})") == found(graph, f"not ({a}) or not ({b})")
    assert found(graph, f"{a} and ({b} or {c})") == found(graph, f"{a} and {b} or {a} and {c}")
    assert found(graph, f"not not {a}") == found(graph, a)
    assert found(graph, f"{a} and not {a}") == set()
    assert found(graph, f"{a} or not {a}") == set(ends_of(graph))


@given(documents(), st.data())
def test_of_it_is_the_converse(document: Document, data: st.DataObject) -> None:
    """`R it: S` finds each resource for which the query `R` finds something of S."""
    graph = graph_from(document)
    some = data.draw(st.lists(st.sampled_from(sorted(ends_of(graph))), min_size=1, max_size=3))
    wanted = " or ".join(map(quoted, some))
    for word in RELATIONS:
        by_hand = {ref for ref in ends_of(graph) if found(graph, f"{word} {quoted(ref)}") & {*some}}
        assert found(graph, f"{word} it: {wanted}") == by_hand, word
