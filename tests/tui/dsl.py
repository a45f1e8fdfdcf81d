"""Small scripts for the terminal screens: what a person does, and what is to be seen then.

    open sample require_loop
    do step
    press d d
    expect state Notify[a] changed
    expect focus frontier

`do ACTION` presses the action's key. A file of scripts has a title before each: `== a step`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from textual.pilot import Pilot
from textual.widgets import Input

from tests.conftest import ROOT
from tui.app import CatgraphApp
from tui.keys.keymap import SPOKEN
from tui.present.pieces import plain
from tui.project.project import OpenRequest
from tui.widgets.bars import Bar
from tui.widgets.neighbourhood import Neighbourhood
from tui.widgets.rows import Rows

SIZE = (120, 40)
Verb = Callable[["Session", str], Awaitable[None]]


class Script(NamedTuple):
    """A script of a file."""

    title: str
    text: str


class Session:
    """An application under a script; `options` are those of the next input."""

    def __init__(self, app: CatgraphApp, pilot: Pilot[Any], folder: Path) -> None:
        self.app = app
        self.pilot = pilot
        self.folder = folder
        self.options: dict[str, Any] = {}

    async def settle(self) -> None:
        """Wait until nothing is under way: a message may lead to others."""
        # A worker may start another: what was opened is explored.
        for _ in range(3):
            if self.app.workers:
                await self.app.workers.wait_for_complete()
        for _ in range(3):
            await self.pilot._wait_for_screen()

    async def press(self, key: str) -> None:
        """Press a key, and wait for what comes of it."""
        await self.pilot.press(SPOKEN.get(key, key))
        await self.settle()

    def text(self) -> str:
        """Return the text of the screen."""
        return shown(self.app)

    async def rest(self) -> None:
        """Wait until the screen is drawn: what was resized is arranged a moment later."""
        before = ""
        while before != (before := self.text()):
            await self.pilot.pause(0.05)


def shown(app: CatgraphApp) -> str:
    """Return the text of an application's screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def path_of(words: str, folder: Path) -> Path:
    """Return the path that is meant: `sample NAME`, or one below the repository or the test."""
    kind, _, name = words.partition(" ")
    if kind == "sample":
        return ROOT / "sample_catalogs" / name / "catalog.json"
    return folder / words if (folder / words).exists() else ROOT / words


async def do_file(session: Session, words: str) -> None:
    r"""`file NAME TEXT`: write a file below the test's folder, `\n` ends a line."""
    name, _, text = words.partition(" ")
    path = session.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace("\\n", "\n"), encoding="utf-8")


async def do_with(session: Session, words: str) -> None:
    """`with OPTION VALUE`: give an option to what is opened next."""
    name, _, value = words.partition(" ")
    path = path_of(value, session.folder)
    session.options[name] = str(path) if path.exists() else value


async def do_option(session: Session, words: str) -> None:
    """`option NAME TEXT`: give an option as it is written."""
    name, _, value = words.partition(" ")
    session.options[name] = value


async def do_open(session: Session, words: str) -> None:
    """`open sample NAME`, `open PATH`."""
    session.app.opening.open(OpenRequest(str(path_of(words, session.folder)), session.options))


async def do_action(session: Session, words: str) -> None:
    """`do ACTION`: press its key."""
    keys = session.app.context.keys[words]
    assert keys, f"{words} has no key"
    await session.press(keys[0])


async def do_press(session: Session, words: str) -> None:
    """`press KEY...`."""
    for key in words.split():
        await session.press(key)


async def do_type(session: Session, words: str) -> None:
    """`type TEXT`."""
    line = session.app.screen.focused
    assert isinstance(line, Input), f"{line} is no line to type in"
    line.insert_text_at_cursor(words)


async def do_command(session: Session, words: str) -> None:
    """`: COMMAND`."""
    await session.press("colon")
    await do_type(session, words)
    await session.press("enter")


async def do_select(session: Session, words: str) -> None:
    """`select REF`."""
    session.app.controller.select(words)


async def do_click(session: Session, words: str) -> None:
    """`click ID X Y`: in a widget."""
    name, x, y = words.split()
    await session.pilot.click(f"#{name}", offset=(int(x), int(y)))


async def do_double(session: Session, words: str) -> None:
    """`double ID X Y`: a double click in a widget."""
    name, x, y = words.split()
    await session.pilot.click(f"#{name}", offset=(int(x), int(y)), times=2)


async def do_resize(session: Session, words: str) -> None:
    """`resize WIDTH HEIGHT`."""
    width, height = map(int, words.split())
    await session.pilot.resize_terminal(width, height)


async def do_rest(session: Session, words: str) -> None:
    """`rest SECONDS`: leave the keys alone, for what waits for that."""
    await session.pilot.pause(float(words))


async def do_expect(session: Session, words: str) -> None:
    """`expect WHAT ...`: one of EXPECT."""
    what, _, rest = words.partition(" ")
    EXPECT[what](session, rest)


def expect_state(session: Session, words: str) -> None:
    """`state REF FLAG|waiting|unchanged`: what became of a resource."""
    ref, _, flags = words.rpartition(" ")
    timeline = session.app.controller.timeline
    status = timeline.state.statuses[timeline.graph.graph.locate(ref)]
    found = "waiting" if status is None else " ".join(status.flags) or "unchanged"
    assert flags in found.split(), f"{ref} is {found}, not {flags}"


def expect_focus(session: Session, words: str) -> None:
    """`focus ID`."""
    focused = session.app.screen.focused
    assert focused is not None, "nothing has the focus"
    assert focused.id == words, f"the focus is on {focused}"


def expect_selection(session: Session, words: str) -> None:
    """`selection REF`."""
    found = str(session.app.controller.selection)
    assert found == words, f"{found} is selected"


def expect_position(session: Session, words: str) -> None:
    """`position N`: the steps behind the cursor."""
    found = session.app.controller.timeline.position
    assert found == int(words), f"the cursor is at step {found}"


def expect_screen(session: Session, words: str) -> None:
    """`screen ID`."""
    found = session.app.view.ID if session.app.view else ""
    assert found == words, f"the screen is {found}"


def expect_text(session: Session, words: str) -> None:
    """`text TEXT`: it is on the screen."""
    found = session.text()
    assert words in found, f"{words!r} is not on the screen:\n{found}"


def expect_no(session: Session, words: str) -> None:
    """`no TEXT`: it is not on the screen."""
    found = session.text()
    assert words not in found, f"{words!r} is on the screen:\n{found}"


def expect_hint(session: Session, words: str) -> None:
    """`hint TEXT`: the line at the bottom teaches it."""
    assert session.app.view is not None
    found = plain(session.app.view.query_one("#hints", Bar).left)
    assert words in found, f"{words!r} is not among the hints: {found}"


def expect_told(session: Session, words: str) -> None:
    """`told TEXT`: a message says so."""
    found = [one.message for one in session.app._notifications]
    assert any(words in one for one in found), f"told was {found}"


def expect_copied(session: Session, words: str) -> None:
    """`copied TEXT`: the clipboard has it."""
    assert words in session.app.clipboard, session.app.clipboard


def expect_written(session: Session, words: str) -> None:
    """`written FILE TEXT`: a file below the test's folder has the text."""
    name, _, text = words.partition(" ")
    assert text in (session.folder / name).read_text(encoding="utf-8")


def expect_cell(session: Session, words: str) -> None:
    """`cell REF`: the cursor of the graph is there."""
    view = session.app.screen.query_one(Neighbourhood)
    assert view.cell is not None, "the graph has no cursor"
    assert view.drawing is not None, "nothing is drawn"
    found = str(view.drawing.around.graph.resources[view.cell.vertex])
    assert found == words, f"the cursor is on {found}"


def expect_row(session: Session, words: str) -> None:
    """`row TEXT`: the line under the cursor of the focused list has it."""
    rows = session.app.screen.focused
    assert isinstance(rows, Rows), f"the focus is on {rows}"
    found = plain(rows.lines[rows.cursor])
    assert words in found, f"the cursor is on {found!r}"


def expect_branches(session: Session, words: str) -> None:
    """`branches N`."""
    assert len(session.app.controller.branches) == int(words)


def expect_left(session: Session, words: str) -> None:
    """`left CODE`: the application was left."""
    assert session.app.return_code == int(words)


def expect_theme(session: Session, words: str) -> None:
    """`theme NAME`."""
    assert session.app.theme == words


VERBS: dict[str, Verb] = {
    "file": do_file,
    "with": do_with,
    "option": do_option,
    "open": do_open,
    "do": do_action,
    "press": do_press,
    "type": do_type,
    ":": do_command,
    "select": do_select,
    "click": do_click,
    "double": do_double,
    "resize": do_resize,
    "rest": do_rest,
    "expect": do_expect,
}
# Verbs after which nothing is under way any more.
SETTLED = ("expect", "press", "do", "with", "option", "file")
EXPECT: dict[str, Callable[[Session, str], None]] = {
    name.removeprefix("expect_"): check
    for name, check in list(globals().items())
    if name.startswith("expect_")
}


def scripts(path: Path) -> list[Script]:
    """Return the scripts of a file."""
    found = []
    for part in path.read_text(encoding="utf-8").split("\n== ")[1:]:
        title, _, text = part.partition("\n")
        found.append(Script(title.strip(), text))
    return found


def lines_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the verbs of a script with what is behind them."""
    for row in text.strip().splitlines():
        verb, _, words = row.strip().partition(" ")
        if verb and not verb.startswith("#"):
            yield verb, words.strip()


def snapshot(text: str, folder: Path, size: tuple[int, int]) -> str:
    """Run a script; return what is shown at its end, without messages that pass."""

    def take(session: Session) -> str:
        return session.text()

    return script(text, folder, size, take, messages=False, rests=True)


def script(
    text: str,
    folder: Path = ROOT,
    size: tuple[int, int] = SIZE,
    then: Callable[[Session], str] = lambda session: "",
    *,
    messages: bool = True,
    rests: bool = False,
    options: dict[str, Any] | None = None,
) -> str:
    """Run a script, one verb a line; return what is made of it at the end, after it `rests`.

    `options` are those of the command line. With `messages` those that pass are on the screen too.
    """

    async def run() -> str:
        app = CatgraphApp(None, options)
        app.quiet = not messages
        async with app.run_test(size=size, notifications=messages) as pilot:
            session = Session(app, pilot, folder)
            await session.settle()
            for verb, words in lines_of(text):
                try:
                    await VERBS[verb](session, words)
                    if verb not in SETTLED:
                        await session.settle()
                except AssertionError as error:
                    raise AssertionError(f"{verb} {words}: {error}") from None
            if rests:
                await session.rest()
            return then(session)

    return asyncio.run(run())
