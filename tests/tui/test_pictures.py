"""Neighbourhoods and cycles as they are drawn: one small file each, `key: value` lines, `---`,
what is to be seen.

What the pictures say follows from the manifests of the samples beside them.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from analyzer.frontends.source_texts import Texts
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.session.inputs import load_catalog
from tests.conftest import ROOT
from tui.present.columns import picture
from tui.present.cycle_walk import cut_lines, walk_rows, walks
from tui.present.drawing import Drawing
from tui.present.pieces import plain
from tui.project.neighbours import Surroundings

CASES = sorted((Path(__file__).parent / "pictures").glob("*.txt"))


@lru_cache
def graph_of(path: str) -> RelationshipGraph:
    return relate(load_catalog(ROOT / "sample_catalogs" / path))


def drawn(wanted: dict[str, str]) -> str:
    around = Surroundings(graph_of(wanted["input"]))
    focus = around.graph.id_of(wanted["focus"])
    assert focus is not None
    depth = int(wanted.get("depth", "1"))
    opened = [
        (around.graph.id_of(wanted["focus"]) or 0, int(column), kind)
        for column, kind in (word.split(":") for word in wanted.get("opened", "").split())
    ]
    found = picture(around, focus, depth, depth, opened)
    drawing = Drawing(found, around, int(wanted.get("width", "80")))
    return "\n".join(plain(drawing.line(row)).rstrip() for row in range(found.height))


def walked(wanted: dict[str, str]) -> str:
    lines = []
    short = Texts(str(ROOT / "sample_catalogs" / wanted["input"])).short
    for walk in walks(graph_of(wanted["input"])):
        at = walk.next_cut(-1)
        assert at is not None, "a cut removes an edge of every cycle"
        lines.append(walk.title)
        lines += [plain(text).rstrip() for text, _ in walk_rows(walk, at, short)]
        lines += [plain(text).rstrip() for text in cut_lines(walk, short)]
    return "\n".join(lines)


DRAW: dict[str, Callable[[dict[str, str]], str]] = {"around": drawn, "cycles": walked}


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_picture(case: Path, update: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "sample_catalogs")
    head, _, expected = case.read_text(encoding="utf-8").partition("---\n")
    wanted = dict(row.split(": ", 1) for row in head.splitlines())
    found = DRAW[wanted["show"]](wanted) + "\n"
    if update:
        case.write_text(f"{head}---\n{found}", encoding="utf-8")
    assert found == expected
