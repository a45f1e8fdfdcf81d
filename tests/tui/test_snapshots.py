"""What the screens show, as text, at five sizes; `--update` writes it anew.

A file has the picture at 80x24, and of the other sizes the bars, and the panes with their sizes.
"""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tui.app import CatgraphApp
from tui.screens.base import TITLES
from tui.widgets.rows import Rows

from .dsl import VERBS, Session, lines_of

HERE = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (60, 20), (100, 30), (120, 40), (200, 60))

SHOWN = {
    "run_at_the_beginning": "open sample healthy_web_stack",
    "run_with_a_failure": """
        open sample healthy_web_stack
        select Package[postgresql]
        do inject
        press enter
        do continue
        do run-back-to
        do break
        do step
        do next-tab
        do next-tab
    """,
    "run_that_cannot_begin": "open sample layered_20x7",
    "run_recorded": """
        with catalog tests/apply/report/recorded/catalog.json
        open tests/apply/report/recorded/second.yaml
        do continue
    """,
    "policy": """
        open tests/frontends/cfengine/runs/methods_late.cf
        do step
        do step
        do step
        do step
        select Reports[main:after]
    """,
    "why": """
        open sample healthy_web_stack
        select Service[nginx]
        do why
    """,
    "compare": """
        open sample healthy_web_stack
        do continue
        do restart
        select Service[postgresql]
        do inject
        press enter
        do compare
    """,
    "nodes": """
        open sample_catalogs/control_repos/roles_in_site
        press n down down
    """,
    "welcome": "",
    "tour": "do tour",
    "help": """
        open sample healthy_web_stack
        do help
    """,
    "breakpoint": """
        open sample healthy_web_stack
        do breakpoints
        press enter
    """,
    "graph": """
        open sample healthy_web_stack
        select Service[nginx]
        press 2
    """,
    "cycle": """
        open sample layered_20x7
        press 2 c
    """,
    "findings": """
        open sample_catalogs/require_loop
        press 3
        rest 0.5
    """,
    "source": """
        open sample healthy_web_stack
        select Service[nginx]
        press 4
    """,
    "report": """
        open sample healthy_web_stack
        select Package[postgresql]
        do inject
        press enter
        do continue
        press 5
    """,
    "against": """
        option against sample_catalogs/stages/catalog.json
        open sample healthy_web_stack
        press 6
    """,
}


def panes(session: Session) -> Iterator[str]:
    """Yield each pane that is seen, with its size and title."""
    for pane in session.app.screen.query("*"):
        if pane.id and pane.can_focus and pane.region.area:
            yield f"{pane.id} {pane.region.width}x{pane.region.height}"


def check_laws(session: Session) -> None:
    """Check what holds at every size: the help and the tabs are there, and what is selected."""
    top, *_, hints = session.text().split("\n")
    view = session.app.view
    assert view is not None
    if session.app.screen is view:
        assert "?" in hints
        assert all(f"{number} " in top for number in range(1, 6)) or view.ID == "welcome"
        words = re.findall(r"\b\d ([A-Z][a-z]+)", top)
        known = [word for word in words if any(t.startswith(word) for t in TITLES.values())]
        assert len(set(known)) == len(known) >= 5 or view.ID == "welcome"
    for rows in session.app.screen.query(Rows):
        height, first = rows.size.height, rows.scroll_offset.y
        assert rows.shift == 0, f"{rows} was scrolled sideways"
        if rows.lines and height and rows.region.area:
            assert first <= rows.cursor < first + height, f"{rows}: the cursor is not in view"


async def shown(text: str, folder: Path) -> str:
    """Run a script, and return what is shown at each size."""
    app = CatgraphApp()
    app.quiet = True
    found = []
    async with app.run_test(size=SIZES[0]) as pilot:
        session = Session(app, pilot, folder)
        await session.settle()
        for verb, words in lines_of(text):
            await VERBS[verb](session, words)
            await session.settle()
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            await session.rest()
            check_laws(session)
            rows = session.text().split("\n")
            if (width, height) != SIZES[0]:
                rows = [rows[0], rows[-1], *panes(session)]
            found += [f"== {width}x{height}", *rows]
    return "\n".join([*found, ""])


@pytest.mark.parametrize("name", SHOWN)
def test_screen(name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = asyncio.run(shown(SHOWN[name], tmp_path))
    path = HERE / f"{name}.txt"
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    asked = "look at the difference; if it is right: pytest tests/tui --update"
    assert found == path.read_text(encoding="utf-8"), asked
