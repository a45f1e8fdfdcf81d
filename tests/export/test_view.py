"""Views of the graph: what they show, focus, folding, reduction."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

from analyzer import load_catalog, relate
from analyzer.export.graph.transform import class_map, focus, fold_classes, reduce
from analyzer.export.graph.view import VIEWS, GraphView, build_view
from analyzer.graph.relationship_graph import RelationshipGraph
from tests.export.graphs import graph_of, graphs, loop, resource, web


def refs(view: GraphView) -> set[str]:
    return {node.ref for node in view.nodes}


def pairs(view: GraphView) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in view.edges}


def test_relationships_are_as_declared_with_their_origin() -> None:
    view = build_view(web())
    edge = next(e for e in view.edges if e.target == "Exec[deploy]")
    assert (edge.source, edge.kind, edge.event, edge.auto) == (
        "Service[nginx]",
        "before",
        False,
        None,
    )
    assert (edge.origin.form, str(edge.origin.span)) == ("require", "/code/site.pp:22")
    assert ("Class[Web]", "Class[App]") in pairs(view)


def test_containment_is_a_forest_of_refs() -> None:
    view = build_view(web(), "containment")
    assert ("Class[App]", "App::Site[a]") in pairs(view)
    assert {e.kind for e in view.edges} == {"contains"}
    assert reduce(view) == view


def test_expanded_names_the_ends_of_containers() -> None:
    view = build_view(web(), "expanded")
    assert {"Admitted[Class[Web]]", "Completed[Class[Web]]"} <= refs(view)
    assert ("Completed[Class[Web]]", "Admitted[Class[App]]") in pairs(view)
    assert {n.role for n in view.nodes} == {"resource", "admitted", "completed"}


def test_the_ends_of_an_empty_container_are_joined() -> None:
    view = build_view(graph_of([resource("Class[Empty]", "class", 3)]), "expanded")
    edge = view.edges[0]
    assert (edge.source, edge.target) == ("Admitted[Class[Empty]]", "Completed[Class[Empty]]")
    assert (edge.kind, edge.event, str(edge.origin.declared_by)) == (
        "contains",
        False,
        "Class[Empty]",
    )


@pytest.mark.parametrize("stage_first", [True, False])
def test_of_several_containers_a_stage_counts_least(stage_first: bool) -> None:
    stage, outer, inner = resource("Stage[main]"), "Class[Outer]", "Class[Inner]"
    rows = [resource(outer, "class"), resource(inner, "class")]
    rows = [stage, *rows] if stage_first else [*rows, stage]
    edges = [{"source": x, "target": inner} for x in ("Stage[main]", outer)]
    document = {"catalog_format": 2, "resources": rows, "edges": edges}
    graph = relate(load_catalog(document))
    assert build_view(graph).by_ref()[inner].container == outer


def test_an_unknown_view_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown view 'tree'"):
        build_view(web(), "tree")


def test_cycle_members_and_edges_are_marked() -> None:
    view = build_view(loop())
    assert {n.ref for n in view.nodes if n.in_cycle} == {
        "Class[Java]", "Package[jre]", "Service[engine]",
    }  # fmt: skip
    assert [e.in_cycle for e in view.edges if e.target == "Notify[done]"] == [False]
    assert all(e.in_cycle for e in view.edges if e.target != "Notify[done]")


def test_junctions_are_never_visible() -> None:
    many = [f"Notify[{i}]" for i in range(9)]
    rows = [resource(ref) for ref in many]
    rows += [resource(f"Exec[{i}]", require=many) for i in range(9)]
    for kind in ("relationships", "expanded"):
        view = build_view(graph_of(rows), kind)
        assert len(view.edges) == 81
        assert not any("Junction" in node.ref for node in view.nodes)


def test_built_in_resources_are_listed_but_not_drawn() -> None:
    view = build_view(web())
    assert {"Schedule[puppet]", "Filebucket[puppet]"} <= refs(view)
    drawn = refs(view.drawn())
    assert "Schedule[puppet]" not in drawn
    assert "Notify[alone]" in drawn


def test_a_built_in_resource_with_an_edge_is_drawn() -> None:
    graph = graph_of([resource("Notify[x]", require="Schedule[daily]")])
    assert refs(build_view(graph).drawn()) == {"Notify[x]", "Schedule[daily]"}


def test_focus_shows_both_directions_up_to_a_depth() -> None:
    graph = web()
    near = focus(graph, build_view(graph), "Service[nginx]", 1)
    assert refs(near) == {"Service[nginx]", "File[/etc/nginx/x]", "Package[nginx]", "Exec[deploy]"}
    assert refs(focus(graph, build_view(graph), "Service[nginx]", 0)) == {"Service[nginx]"}


def test_focus_does_not_turn_round() -> None:
    both = ["Notify[a]", "Notify[b]"]
    graph = graph_of([resource(ref) for ref in both] + [resource("Notify[c]", require=both)])
    assert refs(focus(graph, build_view(graph), "Notify[a]", 3)) == {"Notify[a]", "Notify[c]"}


@pytest.mark.parametrize("spelling", ["Class[Web]", "class[web]", "Class[::web]"])
def test_focus_on_a_container_is_on_its_contents(spelling: str) -> None:
    graph = web()
    near = focus(graph, build_view(graph), spelling, 1)
    assert {"Class[Web]", "Package[nginx]", "Class[App]", "Exec[deploy]"} <= refs(near)
    assert "Notify[alone]" not in refs(near)


def test_focus_works_on_the_expanded_graph() -> None:
    graph = web()
    near = focus(graph, build_view(graph, "expanded"), "Class[App]", 1)
    assert {"Admitted[Class[App]]", "Completed[Class[App]]", "Completed[Class[Web]]"} <= refs(near)


def test_focus_on_a_folded_resource_is_on_its_class() -> None:
    graph = web()
    view = fold_classes(graph, build_view(graph))
    assert "Class[App]" in refs(focus(graph, view, "Exec[deploy]", 0))


def test_focus_on_what_is_not_there_names_what_comes_close() -> None:
    graph = web()
    with pytest.raises(KeyError, match=r"did you mean Service\[nginx\]"):
        focus(graph, build_view(graph), "Service[ngnix]")


def test_folding_merges_parallel_edges_and_drops_inner_ones() -> None:
    graph = web()
    view = fold_classes(graph, build_view(graph)).drawn()
    assert refs(view) == {"Class[Main]", "Class[Web]", "Class[App]", "Notify[alone]"}
    (edge,) = view.edges
    assert (edge.source, edge.target, edge.count, edge.kind) == (
        "Class[Web]",
        "Class[App]",
        2,
        "before",
    )
    assert {n.ref: n.folded for n in view.nodes}["Class[App]"] == 2


def test_a_define_without_class_stays_itself() -> None:
    graph = graph_of(
        [resource("Site[a]", "defined_type"), resource("Notify[x]")], {"Notify[x]": "Site[a]"}
    )
    assert class_map(graph)["Notify[x]"] == "Notify[x]"


def test_folding_the_expanded_graph_takes_both_ends() -> None:
    graph = web()
    view = fold_classes(graph, build_view(graph, "expanded"))
    assert {"Class[Web]", "Class[App]"} <= refs(view)
    assert not any(ref.startswith(("Admitted", "Completed")) for ref in refs(view))


def test_reduction_leaves_out_what_is_implied_but_keeps_refreshes() -> None:
    view = reduce(build_view(web()))
    assert ("Package[nginx]", "Service[nginx]") not in pairs(view)
    graph = graph_of(
        [
            resource("File[/a]", notify="Service[s]", before="Exec[b]"),
            resource("Exec[b]", before="Service[s]"),
            resource("Service[s]"),
        ]
    )
    assert ("File[/a]", "Service[s]") in pairs(reduce(build_view(graph)))


def closure(view: GraphView) -> set[tuple[str, str]]:
    graph: nx.DiGraph[str] = nx.DiGraph(list(pairs(view)))
    return {(v, w) for v in graph for u in graph[v] for w in {u} | nx.descendants(graph, u)}


@given(graphs())
def test_views_are_consistent(graph: RelationshipGraph) -> None:
    for kind in VIEWS:
        view = build_view(graph, kind)
        assert len(refs(view)) == len(view.nodes)
        assert {end for pair in pairs(view) for end in pair} <= refs(view)
        assert closure(reduce(view)) == closure(view)
        folded = fold_classes(graph, view)
        assert {end for pair in pairs(folded) for end in pair} <= refs(folded)
        assert len(pairs(folded)) == len(folded.edges)
        assert not any(edge.source == edge.target for edge in folded.edges)
        inner = len(view.edges) - sum(edge.count for edge in folded.edges)
        assert inner >= 0


@given(graphs())
def test_the_edges_of_cycles_are_those_between_members_that_reach_each_other(
    graph: RelationshipGraph,
) -> None:
    view = build_view(graph, "expanded")
    reach = closure(view)
    for edge in view.edges:
        assert edge.in_cycle == ((edge.target, edge.source) in reach or edge.source == edge.target)
