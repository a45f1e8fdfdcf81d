"""Small scripts for the terminal screens: what a person presses, and what is to be seen then.

open sample require_loop
press s
expect state Notify[a] changed
expect focus frontier
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from analyzer.graph.queries import locate
from tests.conftest import ROOT
from tui.app import CatgraphApp
from tui.opening import Request
from tui.present.pieces import plain
from tui.widgets.neighbourhood import Neighbourhood
from tui.widgets.rows import Rows

SIZE = (120, 40)
Verb = Callable[["Session", str], Awaitable[None]]


class Session:
    """An application under a script."""

    def __init__(self, app: CatgraphApp, pilot: Pilot[Any], folder: Path) -> None:
        self.app = app
        self.pilot = pilot
        self.folder = folder

    async def settle(self) -> None:
        """Wait until nothing is under way."""
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()
        await self.pilot.pause()

    def text(self) -> str:
        """Return what the screen shows."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)


async def do_open(session: Session, words: str) -> None:
    """`open sample NAME`, or a path below the test's folder."""
    kind, _, name = words.partition(" ")
    path = (
        ROOT / "sample_catalogs" / name / "catalog.json"
        if kind == "sample"
        else session.folder / words
    )
    session.app.open(Request(str(path)))


async def do_press(session: Session, words: str) -> None:
    """`press KEY...` in Textual's names."""
    for key in words.split():
        await session.pilot.press(key)
        await session.settle()


async def do_type(session: Session, words: str) -> None:
    """`type TEXT`."""
    await session.pilot.press(*("space" if c == " " else c for c in words))


async def do_wait(session: Session, words: str) -> None:
    """`wait SECONDS`: for what happens when a key has rested."""
    await session.pilot.pause(float(words))


async def do_expect(session: Session, words: str) -> None:
    """`expect WHAT ...`: one of EXPECT."""
    what, _, rest = words.partition(" ")
    EXPECT[what](session, rest)


def expect_state(session: Session, words: str) -> None:
    """`state REF FLAG...|waiting`: what became of a resource."""
    ref, _, flags = words.rpartition(" ")
    timeline = session.app.controller.timeline
    status = timeline.state.statuses[locate(timeline.graph.kernel, ref)]
    found = "waiting" if status is None else " ".join(status.flags) or "unchanged"
    assert flags in found.split() or flags == found, f"{ref} is {found}, not {flags}"


def expect_focus(session: Session, words: str) -> None:
    """`focus ID`."""
    focused = session.app.screen.focused
    assert focused is not None, "nothing has the focus"
    assert focused.id == words, f"the focus is on {focused}"


def expect_selection(session: Session, words: str) -> None:
    """`selection REF`."""
    assert str(session.app.controller.selection) == words


def expect_position(session: Session, words: str) -> None:
    """`position N`: the steps behind the cursor."""
    assert session.app.controller.timeline.position == int(words)


def expect_screen(session: Session, words: str) -> None:
    """`screen ID`."""
    shown = session.app.view.ID if session.app.view else ""
    assert shown == words, f"the screen is {shown}"


def expect_text(session: Session, words: str) -> None:
    """`text TEXT`: it is on the screen."""
    shown = session.text()
    assert words in shown, f"{words!r} is not on the screen:\n{shown}"


def expect_no(session: Session, words: str) -> None:
    """`no TEXT`: it is not on the screen."""
    assert words not in session.text()


def expect_cell(session: Session, words: str) -> None:
    """`cell REF`: the cursor of the graph is there."""
    view = session.app.screen.query_one(Neighbourhood)
    assert view.cell is not None, "the graph has no cursor"
    around = view.drawing.around if view.drawing else None
    assert around is not None, "nothing is drawn"
    found = " ".join(str(around.kernel.resources[v]) for v in view.cell.members[:1])
    assert found == words, f"the cursor is on {found}"


def expect_row(session: Session, words: str) -> None:
    """`row TEXT`: the line under the cursor of the focused list has it."""
    rows = session.app.screen.focused
    assert isinstance(rows, Rows), f"the focus is on {rows}"
    found = plain(rows.lines[rows.cursor])
    assert words in found, f"the cursor is on {found!r}"


def expect_told(session: Session, words: str) -> None:
    """`told TEXT`: a notification says it."""
    found = [one.message for one in session.app._notifications]
    assert any(words in text for text in found), found


def expect_clipboard(session: Session, words: str) -> None:
    """`clipboard TEXT`: it was copied."""
    assert words in session.app.clipboard, session.app.clipboard


VERBS: dict[str, Verb] = {
    "open": do_open,
    "press": do_press,
    "type": do_type,
    "wait": do_wait,
    "expect": do_expect,
}
EXPECT: dict[str, Callable[[Session, str], None]] = {
    "state": expect_state,
    "focus": expect_focus,
    "selection": expect_selection,
    "position": expect_position,
    "screen": expect_screen,
    "text": expect_text,
    "no": expect_no,
    "cell": expect_cell,
    "row": expect_row,
    "clipboard": expect_clipboard,
    "told": expect_told,
}


def script(text: str, folder: Path = ROOT, size: tuple[int, int] = SIZE) -> str:
    """Run a script, one verb a line; return what the screen shows then."""

    async def run() -> str:
        app = CatgraphApp()
        async with app.run_test(size=size) as pilot:
            session = Session(app, pilot, folder)
            await session.settle()
            for row in text.strip().splitlines():
                verb, _, words = row.strip().partition(" ")
                if not verb or verb.startswith("#"):
                    continue
                await VERBS[verb](session, words)
                await session.settle()
            return session.text()

    return asyncio.run(run())
