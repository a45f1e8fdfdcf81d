"""The HTML page from outside: self-contained, hostile titles inert, secrets left out."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analyzer.escape import safe
from analyzer.export.graph.transform import focus, fold_classes
from analyzer.export.graph.view import VIEWS, build_view
from analyzer.export.page.html_page import embedded, made_safe, render
from analyzer.export.redact import HIDDEN, shown_parameters
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.resource import Resource
from tests.export.graphs import NASTY, graph_of, graphs, loop, nasty, resource, web


class Page(HTMLParser):
    """The elements of a page, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and data.strip():
            self.texts.append((self.tags[-1][0], data))

    def scripts(self) -> list[str]:
        return [text for tag, text in self.texts if tag == "script"]

    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.scripts()[0])
        return found


def page_of(graph: RelationshipGraph, kind: str = "relationships") -> Page:
    return Page(render(graph, build_view(graph, kind)))


@pytest.mark.parametrize("kind", VIEWS)
@pytest.mark.parametrize("make", [web, loop, nasty, lambda: graph_of([])])
def test_a_page_has_two_scripts_whatever_the_titles(make: Any, kind: str) -> None:
    page = page_of(make(), kind)
    assert [attrs.get("type") for tag, attrs in page.tags if tag == "script"] == [
        "application/json",
        None,
    ]
    assert not any(tag == "img" for tag, _ in page.tags)


def test_a_page_needs_nothing_else() -> None:
    text = render(web(), build_view(web()))
    assert not re.search(r"(?:src|href)\s*=|@import|url\(|https?://(?!www\.w3\.org)", text)


def test_only_this_script_and_style_may_run() -> None:
    page = page_of(web())
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv"))
    assert policy is not None
    for tag, index in (("script", -1), ("style", 0)):
        text = [t for name, t in page.texts if name == tag][index]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_titles_come_through_with_what_is_unsafe_in_escapes() -> None:
    data = page_of(nasty()).data()
    assert [row[1] for row in data["nodes"]] == list(map(safe, NASTY))


def test_a_page_is_deterministic() -> None:
    assert render(loop(), build_view(loop())) == render(loop(), build_view(loop()))


def test_an_improper_title_is_replaced() -> None:
    graph = graph_of([resource("Notify[\ud800]")])
    render(graph, build_view(graph)).encode()


def test_a_cycle_is_explained() -> None:
    data = page_of(loop()).data()
    (cycle,) = data["cycles"]
    names = [data["nodes"][v][1] for v in cycle["path"]]
    assert sorted(names) == ["Java", "engine", "jre"]
    assert len(cycle["steps"]) == len(cycle["path"])
    assert len(cycle["cut"]) == 1
    scene = next(s for s in data["scenes"] if s["kind"] == "cycle")
    ends = {(data["edges"][e][0], data["edges"][e][1]) for e in scene["edges"]}
    ring = zip(cycle["path"], [*cycle["path"][1:], cycle["path"][0]], strict=True)
    assert set(ring) <= ends


def test_the_cycle_of_a_part_is_left_out() -> None:
    graph = loop()
    part = focus(graph, build_view(graph), "Notify[done]", 1)
    data = Page(render(graph, part)).data()
    assert data["cycles"] == []
    folded = fold_classes(graph, build_view(graph))
    assert Page(render(graph, folded)).data()["cycles"] == []


def test_a_catalog_with_classes_has_pictures_of_them() -> None:
    data = page_of(web()).data()
    kinds = [scene["kind"] for scene in data["scenes"]]
    assert kinds == ["all", "classes", "class", "class"]


@given(graphs())
def test_pictures_refer_to_nodes_and_edges_that_are_there(graph: RelationshipGraph) -> None:
    for kind in VIEWS:
        data = page_of(graph, kind).data()
        nodes, edges = range(len(data["nodes"])), range(len(data["edges"]))
        for scene in data["scenes"]:
            shown = scene["nodes"] if scene["kind"] != "all" else list(nodes)
            assert len(scene["x"]) == len(scene["y"]) == len(shown)
            assert set(shown) <= set(nodes)
            assert set(scene["edges"] or ()) <= set(edges)
            assert {v for bend in scene["bends"] for v in bend[:2]} <= set(shown)
        if kind != "containment":
            assert len(data["cycles"]) == len(graph.cycles())


def parameters(**values: Any) -> dict[str, str]:
    return dict(shown_parameters(Resource("Notify", "x", values)))


def test_secrets_are_redacted() -> None:
    shown = parameters(
        content={"__ptype": "Sensitive", "__pvalue": "s3cret"},
        env=["a", {"__ptype": "Sensitive", "__pvalue": "s3cret"}],
        password="s3cret",
        options={"auth": {"db_password": "s3cret", "user": "me"}},
        api_token="s3cret",
    )
    assert "s3cret" not in json.dumps(shown)
    assert shown["password"] == shown["content"] == HIDDEN
    assert "me" in shown["options"]


def test_parameters_are_texts_sorted_and_cut() -> None:
    shown = parameters(b=True, a=["x", 1], z="y" * 5_000, require="Notify[a]", d={
        "__ptype": "Deferred", "name": "vault", "arguments": ["path"],
    })  # fmt: skip
    assert list(shown) == ["a", "b", "d", "z"]
    assert (shown["a"], shown["b"], shown["d"]) == ('["x", 1]', "true", "Deferred(vault)")
    assert len(shown["z"]) < 700
    assert shown["z"].endswith("(5,000 characters)")


@given(st.lists(st.text()))
@example(["\x1b[2J", "\x7f", "\u202e", "\r", "\n", "\\u001b", "\\", '"'])
@example(["\x08"])
@example(["\x0c"])
@example(["\r"])
@example(["\n", "\t", "\\", '"', "é"])
def test_the_data_of_the_page_is_safe_text(texts: list[str]) -> None:
    assert json.loads(embedded({"texts": texts})) == made_safe({"texts": texts})
