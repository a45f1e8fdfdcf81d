"""Every screen says that a catalog is incomplete; the screens are read from their table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.dsl import script
from tests.tui.opened import project_of
from tui.present.pieces import plain
from tui.present.status import top_line
from tui.project.project import OpenRequest
from tui.run.controller import Controller
from tui.screens.base import TITLES

ROWS = [
    {"type": "Class", "title": "A", "kind": "class"},
    {"type": "Notify", "title": "in a"},
    {"type": "Notify", "title": "out"},
]
EDGES = [{"source": "Class[A]", "target": f"Notify[{title}]"} for title in ("in a", "out")]


@pytest.fixture(params=[True, False], ids=["complete", "incomplete"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[bool, Controller]:
    """A catalog with or without its edges."""
    path = tmp_path / "n.json"
    path.write_text(json.dumps({"resources": ROWS, "edges": EDGES if request.param else []}))
    controller = Controller(lambda message: None)
    controller.open(project_of(OpenRequest(str(path))))
    return request.param, controller


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("screen", TITLES)
def test_the_top_line(opened: tuple[bool, Controller], screen: str, width: int) -> None:
    complete, controller = opened
    left, right, _ = top_line(controller, TITLES, screen, width)
    assert ("incomplete" in plain(right)) is not complete
    assert len(plain(left)) + len(plain(right)) <= width


def test_the_screens(tmp_path: Path) -> None:
    (tmp_path / "n.json").write_text(json.dumps({"resources": ROWS, "edges": []}))
    here = [name for name in TITLES if name not in ("nodes", "against")]
    lines = ["open n.json"]
    for name in here:
        lines += [f"do {name}-screen", "expect text  incomplete "]
    lines += ["do report-screen", "expect text incomplete: container of Notify[in a]"]
    script("\n".join(lines), tmp_path)


def test_the_report_counts_the_resources_of_puppet_apart(tmp_path: Path) -> None:
    (tmp_path / "n.json").write_text(json.dumps({"resources": ROWS, "edges": EDGES}))
    steps = ["open n.json", "do report-screen", "expect text (2 resources and 7 of"]
    script("\n".join(steps), tmp_path)
