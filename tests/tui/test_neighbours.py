"""What stands around a resource agrees with what the graph says of it, in any catalog."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

from tests.amount import examples
from tests.graph.random_catalogs import Document, documents, graph_from
from tui.present.columns import picture
from tui.present.drawing import GUTTER, Drawing
from tui.present.fit import length
from tui.project.neighbours import Surroundings


def reached(around: Surroundings, start: int, *, after: bool) -> set[str]:
    """The resources on all ways from neighbour to neighbour, with what containers hold."""
    found: set[int] = set()
    todo = [start]
    while todo:
        for link in around.near(todo.pop(), after=after):
            inside = [link.vertex]
            while inside:
                at = inside.pop()
                if at not in found:
                    found.add(at)
                    inside += around.graph.contents.get(at, ())
                    todo.append(at)
    refs = around.graph.provenance.refs
    return {str(refs[v]) for v in found if not around.is_container(v)}


@given(documents(acyclic=True))
def test_neighbours_of_neighbours_are_all_that_the_graph_reaches(document: Document) -> None:
    graph = graph_from(document)
    assume(not graph.has_cycle)
    around = Surroundings(graph)
    for vertex, ref in enumerate(graph.provenance.refs):
        assert reached(around, vertex, after=True) == {str(r) for r in graph.downstream(ref)}
        assert reached(around, vertex, after=False) == {str(r) for r in graph.upstream(ref)}


@given(documents())
def test_a_neighbour_is_joined_by_what_makes_the_edge(document: Document) -> None:
    around = Surroundings(graph_from(document))
    for vertex in range(around.graph.vertices):
        for after in (False, True):
            for link in around.near(vertex, after=after):
                made = around.relationships(link)
                assert made, "an edge between resources has a statement or a rule"
                assert all(one.kind != "contains" for one in made)


@pytest.mark.parametrize(("depth", "room"), [(1, 76), (3, 196)])
@given(document=documents())
@settings(max_examples=examples(40))
def test_pictures_are_as_wide_as_the_room_and_cells_do_not_overlap(
    document: Document, depth: int, room: int
) -> None:
    around = Surroundings(graph_from(document))
    for vertex in range(around.graph.vertices):
        found = picture(around, vertex, depth, depth, many=4)
        places = [(cell.column, cell.row) for cell in found.cells()]
        assert len(places) == len(set(places))
        assert all(0 <= row < found.height for _, row in places)
        drawing = Drawing(found, around, room)
        used = sum(drawing.widths.values()) + GUTTER * (len(drawing.numbers) - 1)
        assert used <= room
        lengths = {length(drawing.line(row)) for row in range(found.height)}
        assert lengths == {drawing.left + used}


def test_everything_beside_a_resource_stands_in_its_picture_once() -> None:
    count = 400
    many = [{"type": "Notify", "title": f"n{n}", "parameters": {}} for n in range(count)]
    middle = {
        "type": "Exec",
        "title": "x",
        "parameters": {"before": [f"Notify[n{n}]" for n in range(count)]},
    }
    around = Surroundings(graph_from({"name": "n", "resources": [middle, *many], "edges": []}))
    folded = picture(around, 0)
    assert [len(cell.members) for cell in folded.columns[1]] == [count]
    key = folded.columns[1][0].key
    assert key is not None
    opened = picture(around, 0, opened=[key])
    assert [cell.vertex for cell in opened.columns[1]] == list(range(1, count + 1))
