"""DOT, JSON, GraphML and Mermaid: form, escaping, read back by their own tools."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import pydot
import pytest

from analyzer import load_catalog, relate
from analyzer.export.graph import dot, graphml, json_doc, mermaid, svg
from analyzer.export.graph.transform import fold_classes, reduce
from analyzer.export.graph.view import VIEWS, GraphView, build_view
from analyzer.graph.relationship_graph import RelationshipGraph
from tests.export.graphs import graph_of, loop, nasty, resource, web


def empty() -> RelationshipGraph:
    """The graph of a catalog without resources."""
    return graph_of([])


GRAPHS: dict[str, Callable[[], RelationshipGraph]] = {
    "web": web,
    "loop": loop,
    "nasty": nasty,
    "empty": empty,
}
RENDERERS: dict[str, Callable[[GraphView], str]] = {
    "dot": dot.render, "json": json_doc.render, "graphml": graphml.render,
    "mermaid": mermaid.render,
}  # fmt: skip
needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


@pytest.mark.parametrize("form", RENDERERS)
@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("name", GRAPHS)
def test_every_format_takes_every_view_and_is_deterministic(
    name: str, kind: str, form: str
) -> None:
    texts = {RENDERERS[form](build_view(GRAPHS[name](), kind)) for _ in range(2)}
    (text,) = texts
    assert text.endswith("\n")
    text.encode()


# DOT


def parsed(view: GraphView) -> pydot.Dot:
    graphs = pydot.graph_from_dot_data(dot.render(view))
    assert graphs is not None
    return graphs[0]


def all_nodes(graph: pydot.Graph) -> list[pydot.Node]:
    inner = [node for sub in graph.get_subgraphs() for node in all_nodes(sub)]
    return [n for n in graph.get_nodes() if n.get_name() not in ("node", "edge")] + inner


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("name", ["web", "loop", "nasty"])
def test_dot_is_read_back_by_pydot(name: str, kind: str) -> None:
    view = build_view(GRAPHS[name](), kind).drawn()
    graph = parsed(view)
    assert {n.get_name() for n in all_nodes(graph)} == {dot.quoted(n.ref) for n in view.nodes}
    assert len(graph.get_edges()) == len(view.edges)


def test_dot_shows_kind_origin_and_cycle() -> None:
    edges = {
        (e.get_source(), e.get_destination()): e.get_attributes()
        for e in parsed(build_view(web())).get_edges()
    }
    refresh = edges['"File[/etc/nginx/x]"', '"Service[nginx]"']
    assert refresh["arrowhead"] == "normalnormal"
    automatic = edges['"File[/etc/nginx]"', '"File[/etc/nginx/x]"']
    assert automatic["style"] == "dashed"
    assert automatic["tooltip"].startswith('"autorequire of File[/etc/nginx/x]')
    red = [n for n in all_nodes(parsed(build_view(loop()))) if n.get("color") == dot.RED]
    assert len(red) == 3


def test_dot_draws_contents_in_the_box_of_their_container() -> None:
    graph = parsed(build_view(web()))
    boxes = {
        frozenset(n.get_name().strip('"') for n in sub.get_nodes()): sub
        for sub in graph.get_subgraphs()
    }
    app = frozenset({"Class[App]"})
    assert app in boxes
    inner = boxes[app].get_subgraphs()[0]
    assert {n.get_name() for n in inner.get_nodes()} == {'"App::Site[a]"', '"Exec[deploy]"'}


@needs_dot
@pytest.mark.parametrize("kind", VIEWS)
def test_graphviz_accepts_every_title(kind: str) -> None:
    view = build_view(nasty(), kind).drawn()
    root = ElementTree.fromstring(svg.render(dot.render(view), "svg"))
    space = "{http://www.w3.org/2000/svg}"
    groups = [g.get("class") for g in root.iter(f"{space}g")]
    assert groups.count("node") == len(view.nodes)
    assert groups.count("edge") == len(view.edges)
    shown = {text.text for text in root.iter(f"{space}text")}
    assert r"Notify[\N \G \l]" in shown
    assert 'Notify[with "quotes"]' in shown


@needs_dot
def test_png_is_drawn() -> None:
    assert svg.render(dot.render(build_view(loop())), "png").startswith(b"\x89PNG")


def test_without_graphviz_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(svg.NoGraphvizError, match="apt-get install graphviz"):
        svg.render("digraph {}", "svg")


@needs_dot
def test_what_dot_complains_about_is_passed_on() -> None:
    with pytest.raises(svg.NoGraphvizError, match="dot failed"):
        svg.render("digraph {", "svg")


# JSON


def test_json_has_the_documented_form() -> None:
    document = json.loads(json_doc.render(build_view(web())))
    assert list(document) == ["nodes", "edges"]
    node = next(n for n in document["nodes"] if n["ref"] == "Service[nginx]")
    assert node == {
        "ref": "Service[nginx]", "type": "Service", "title": "nginx",
        "file": "/code/site.pp", "line": 5,
    }  # fmt: skip
    edge = next(e for e in document["edges"] if e["kind"] == "notify")
    assert edge == {
        "source": "File[/etc/nginx/x]", "target": "Service[nginx]", "kind": "notify",
        "event": True, "auto": None,
        "origin": {
            "form": "subscribe", "declared_by": "Service[nginx]", "position": 0, "rule": None,
            "file": "/code/site.pp", "line": 5,
        },
    }  # fmt: skip
    automatic = next(e for e in document["edges"] if e["auto"])
    assert automatic["auto"] == "autorequire"
    assert automatic["origin"]["rule"]


def test_json_has_nulls_where_nothing_is_known() -> None:
    document = json.loads(json_doc.render(build_view(graph_of([resource("Notify[x]")]))))
    assert document["nodes"][0]["file"] is None
    assert {n["ref"] for n in document["nodes"]} >= {"Schedule[puppet]", "Filebucket[puppet]"}


def test_json_counts_only_what_was_folded() -> None:
    graph = web()
    folded = json.loads(json_doc.render(fold_classes(graph, build_view(graph))))
    assert {"folded"} < set(folded["nodes"][0])
    assert folded["edges"][0]["count"] == 2
    plain = json.loads(json_doc.render(build_view(graph)))
    assert not any("count" in edge for edge in plain["edges"])


def test_json_keeps_every_title() -> None:
    graph = nasty()
    document = json.loads(json_doc.render(build_view(graph)))
    assert [n["ref"] for n in document["nodes"]][:5] == [str(r) for r in graph.resources[:5]]


def test_json_of_an_improper_title_is_escaped() -> None:
    text = json_doc.render(build_view(graph_of([resource("Notify[\ud800]")])))
    text.encode()
    assert json.loads(text)["nodes"][0]["title"] == "\ud800"


# GraphML


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("name", ["web", "loop", "nasty"])
def test_graphml_is_read_back_by_networkx(name: str, kind: str) -> None:
    view = build_view(GRAPHS[name](), kind)
    graph = nx.read_graphml(BytesIO(graphml.render(view).encode()), force_multigraph=True)
    refs = [graphml.cleaned(node.ref) for node in view.nodes]
    assert set(graph) == {ref.replace(graphml.LINE_END, "\n") for ref in refs}
    assert graph.number_of_edges() == len(view.edges)


def test_graphml_carries_the_origin() -> None:
    graph = nx.read_graphml(
        BytesIO(graphml.render(build_view(web())).encode()), force_multigraph=True
    )
    data = graph.get_edge_data("File[/etc/nginx/x]", "Service[nginx]")
    (row,) = data.values()
    assert (row["kind"], row["form"], row["line"], row["event"]) == ("notify", "subscribe", 5, True)
    assert graph.nodes["Service[nginx]"]["container"] == "Class[Web]"


# Mermaid

MERMAID_LINE = re.compile(
    r"flowchart TD|  classDef .*|  linkStyle [\d,]+ .*"
    r'|  n\d+[\[(/\\]*"[^"`;]*(?:#\d+;[^"`;]*)*"[\])/\\]*(:::\w+)?'
    r"|  n\d+ (-->|==>|---|-\.->|-\. notifies \.->)(\|\d+\|)? n\d+"
)


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("name", ["web", "loop", "nasty"])
def test_mermaid_has_safe_ids_and_labels(name: str, kind: str) -> None:
    for line in mermaid.render(build_view(GRAPHS[name](), kind)).splitlines():
        assert MERMAID_LINE.fullmatch(line), line


def test_mermaid_draws_kinds_and_cycles() -> None:
    text = mermaid.render(reduce(build_view(web())))
    assert re.search(r"n\d+ ==> n\d+", text)
    assert re.search(r"n\d+ -\.-> n\d+", text)
    assert "linkStyle" not in text
    assert "linkStyle 0,1 stroke" in mermaid.render(build_view(loop()))


# Recorded


def test_samples_are_exported(sample: Callable[[str], Path]) -> None:
    graph: RelationshipGraph = relate(load_catalog(sample("require_loop") / "catalog.json"))
    view = build_view(graph)
    for render in RENDERERS.values():
        assert "File[/etc/app/app.conf]" in render(view)
