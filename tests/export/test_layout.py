"""Laws of the drawing: edges go down, nothing overlaps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.export.graph.view import build_view
from analyzer.export.page.layout import NODE_HEIGHT, Layout, layout
from analyzer.export.page.scenes import SceneMaker, numbered
from analyzer.graph.relationship_graph import RelationshipGraph
from tests.export.graphs import edge_lists, graph_of, graphs, resource, web

Edges = tuple[int, list[tuple[int, int]]]


def overlaps(drawing: Layout, widths: list[float]) -> list[tuple[int, int]]:
    found = []
    for a in range(len(widths)):
        for b in range(a):
            beside = abs(drawing.x[a] - drawing.x[b]) >= (widths[a] + widths[b]) / 2 - 1e-6
            above = abs(drawing.y[a] - drawing.y[b]) >= NODE_HEIGHT
            if not beside and not above:
                found.append((a, b))
    return found


@given(edge_lists(acyclic=True))
def test_edges_of_an_acyclic_graph_go_downwards(edges: Edges) -> None:
    count, pairs = edges
    drawing = layout([100.0] * count, pairs)
    for s, t in pairs:
        points = [drawing.y[s], *(y for _, y in drawing.bends.get((s, t), ())), drawing.y[t]]
        assert points == sorted(set(points))


@given(edge_lists(), st.data())
def test_no_two_nodes_overlap_and_all_are_in_the_picture(edges: Edges, data: st.DataObject) -> None:
    count, pairs = edges
    width = st.floats(60, 260)
    widths = data.draw(st.lists(width, min_size=count, max_size=count))
    drawing = layout(widths, pairs)
    assert overlaps(drawing, widths) == []
    for x, y, wide in zip(drawing.x, drawing.y, widths, strict=True):
        assert wide / 2 - 1e-6 <= x <= drawing.width - wide / 2 + 1e-6
        assert NODE_HEIGHT / 2 <= y <= drawing.height - NODE_HEIGHT / 2


def test_a_rank_that_is_too_wide_takes_several_rows() -> None:
    count = 400
    drawing = layout([120.0] * count, [(0, v) for v in range(1, count)])
    assert drawing.width < 8_000
    assert overlaps(drawing, [120.0] * count) == []
    assert all(drawing.y[v] > drawing.y[0] for v in range(1, count))


def test_a_chain_is_straight() -> None:
    drawing = layout([100.0, 180.0, 80.0], [(0, 1), (1, 2)])
    assert max(drawing.x) - min(drawing.x) < 1


def test_of_a_cycle_one_edge_leads_back() -> None:
    drawing = layout([100.0] * 4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert drawing.y == sorted(drawing.y)
    assert len(drawing.bends[3, 0]) == 2


def test_nothing_is_drawn_of_nothing() -> None:
    assert layout([], []).width == 0


def test_the_layout_is_deterministic() -> None:
    pairs = [(i * 7 % 40, i * 11 % 40) for i in range(90)]
    assert layout([90.0] * 40, pairs) == layout([90.0] * 40, pairs)


@given(graphs())
def test_pictures_of_acyclic_graphs_go_downwards_also_through_containers(
    graph: RelationshipGraph,
) -> None:
    numbers = numbered(graph, build_view(graph).drawn())
    scene = SceneMaker(numbers).everything()
    assert overlaps(scene.drawing, numbers.widths) == []
    if graph.has_cycle:
        return
    y = scene.drawing.y
    assert all(y[s] < y[t] for s, t in numbers.pairs)
    assert all(y[x] < y[v] for v, x in enumerate(numbers.holder) if x >= 0)


@given(graphs())
def test_folded_pictures_hold_their_nodes_and_nothing_overlaps(graph: RelationshipGraph) -> None:
    numbers = numbered(graph, build_view(graph).drawn())
    maker = SceneMaker(numbers)
    for scene in [maker.classes(), *maker.inner()]:
        assert overlaps(scene.drawing, [numbers.widths[v] for v in scene.nodes]) == []
        assert {v for pair in scene.kept for v in pair} <= set(scene.nodes)


def test_after_a_class_means_below_all_of_it() -> None:
    numbers = numbered(web(), build_view(web()).drawn())
    y = SceneMaker(numbers).everything().drawing.y
    ids = numbers.ids
    assert y[ids["Class[App]"]] > y[ids["Service[nginx]"]]


def test_edges_that_a_container_implies_are_left_out_of_the_picture() -> None:
    graph = graph_of(
        [
            resource("Notify[first]", before=["Class[C]", "Notify[in]"]),
            resource("Class[C]", "class"),
            resource("Notify[in]"),
        ],
        {"Notify[in]": "Class[C]"},
    )
    scene = SceneMaker(numbered(graph, build_view(graph).drawn())).everything()
    assert scene.kept == [(0, 1)]
