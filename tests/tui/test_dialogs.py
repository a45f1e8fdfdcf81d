"""Every dialog and line to type in: escape leaves all as it was, enter does what is asked."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual import events
from textual.screen import ModalScreen

from tests.tui.dsl import SETTLED, VERBS, Session, lines_of
from tui.app import CatgraphApp
from tui.keys.actions import ACTIONS

pytestmark = pytest.mark.slow

SAMPLE = "open sample healthy_web_stack\n"
MANIFEST = "file { '/motd': ensure => file, content => 'hello' }"
SITE = f"file site/manifests/site.pp {MANIFEST}\nopen site\n"
TWO_BRANCHES = f"{SAMPLE}do step\ndo back\ndo inject\npress enter\n"
PLAN = "press K down down enter\n"


class Dialog(NamedTuple):
    """What leads to it, the keys that open it, and what is to be seen after enter in it."""

    kind: str
    before: str
    opening: str
    enter: str


DIALOGS = {
    "palette": Dialog("Finder", SAMPLE, "press ctrl+p", "expect text Why \nexpect position 0"),
    "jump": Dialog("Jump", SAMPLE, "press ctrl+o", "expect focus frontier"),
    "kind": Dialog("Finder", SITE, "press K", "expect text simulated\nexpect position 0"),
    "plan": Dialog("Agree", SITE, PLAN, "expect text Type its name"),
    "name": Dialog("Ask", SITE, f"{PLAN}press enter", "expect text that is not 'here'"),
    "go-to": Dialog("Ask", f"{SAMPLE}do step", "press g\ntype 0", "expect position 0"),
    "inject": Dialog("Finder", SAMPLE, "press x", "do step\nexpect state Group[shop] failed"),
    "breakpoints": Dialog("Finder", SAMPLE, "press B", "expect text Add a breakpoint"),
    "breakpoint": Dialog("Ask", SAMPLE, "press B enter", "expect text ◉"),
    "why": Dialog("Reader", SAMPLE, "press w", "expect position 0\nexpect no Why "),
    "branches": Dialog("Finder", TWO_BRANCHES, "press v", "expect position 0\nexpect text main"),
    "compare": Dialog("Reader", TWO_BRANCHES, "press V", "expect position 1"),
    "open": Dialog("Finder", SAMPLE, "press ctrl+f", "expect text Type the path of a catalog"),
    "path": Dialog("Ask", SAMPLE, "press ctrl+f enter", "expect text no such file"),
    "copy": Dialog("Finder", SAMPLE, "press y", "expect told copied"),
    "export": Dialog("Finder", SAMPLE, "press E", "expect text Export"),
    "file": Dialog("Ask", SAMPLE, "press E enter", "expect written catgraph.html <html"),
    "help": Dialog("HelpScreen", SAMPLE, "press ?", "expect position 0\nexpect no Keys"),
    "failure": Dialog("Failure", f"file x.pp {{\n{SAMPLE}", "open x.pp", "expect no cannot"),
    "command": Dialog("", SAMPLE, "press :\ntype step", "expect position 1"),
    "filter": Dialog("", SAMPLE, "press /\ntype nginx", "expect text /nginx/\nexpect position 0"),
    "quit": Dialog(
        "Finder",
        f"{SITE}{PLAN}press enter\ntype here\npress enter\ndo step\ndo back",
        "press q",
        "expect text REAL RUN",
    ),
}
# Keys that apply, steer or leave, where nothing is asked.
LOUD = ("s", "n", "p", "c", "o", "S", "R", "space")


async def play(session: Session, text: str) -> None:
    """Do what a script says."""
    for verb, words in lines_of(text):
        await VERBS[verb](session, words)
        if verb not in SETTLED:
            await session.settle()


def state(app: CatgraphApp) -> tuple[Any, ...]:
    """Return all that a dialog that is given up leaves as it is."""
    controller, view = app.controller, app.view
    assert view is not None
    filters = {pane: text for pane, text in view.filters.items() if text}
    return (
        *(controller.timeline.position, len(controller.timeline), len(controller.branches)),
        *(controller.selection, controller.stops, controller.kind.id, filters, app.theme),
        *(view.ID, view.focused and view.focused.id, len(app.screen_stack), view.prompt.display),
        sorted(path.name for path in Path.cwd().rglob("*")),
    )


def is_open(app: CatgraphApp) -> bool:
    """Tell whether a dialog or a line is there."""
    return len(app.screen_stack) > 1 or bool(app.view and app.view.prompt.display)


async def try_out(dialog: Dialog, folder: Path) -> None:
    """Open a dialog, do all that is not meant for it, leave it; open it again and confirm."""
    app = CatgraphApp()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        session = Session(app, pilot, folder)
        await session.settle()
        await play(session, dialog.before)
        before = state(app)
        await play(session, dialog.opening)
        assert type(app.screen).__name__ == (dialog.kind or "RunScreen")
        for size in ((60, 20), (120, 40)):
            await session.pilot.resize_terminal(*size)
            await session.settle()
            for box in app.screen.query("#dialog"):
                assert app.screen.region.contains_region(box.region), f"{box} at {size}"
                at = app.screen.focused
                assert at is None or box.region.contains_region(at.region), f"{at} at {size}"
        if len(app.screen_stack) > 1:
            await session.pilot.click(offset=(118, 37))
        if dialog.kind in ("Finder", "Reader", "Agree", "HelpScreen"):
            for key in LOUD:
                app.post_message(events.Key(key, None))
        await play(session, "press escape")
        assert state(app) == before
        await play(session, f"{dialog.opening}\npress enter\n{dialog.enter}")


@pytest.mark.parametrize("dialog", DIALOGS.values(), ids=DIALOGS)
def test_dialog(
    dialog: Dialog, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asyncio.run(try_out(dialog, tmp_path))


def modals(kind: type[ModalScreen[Any]] = ModalScreen) -> Iterator[str]:
    """Yield the names of all kinds of dialogs."""
    for one in kind.__subclasses__():
        if one.__module__.startswith("tui."):
            yield one.__name__
        yield from modals(one)


def test_every_kind_of_dialog_is_tried() -> None:
    # One that says what is being done has a test of its own; one is what the others are made of.
    assert set(modals()) - {"Loading", "Dialog"} == {one.kind for one in DIALOGS.values()} - {""}


def test_every_action_that_asks_is_tried(tmp_path: Path) -> None:
    async def asking() -> set[str]:
        found = set()
        app = CatgraphApp()
        async with app.run_test(size=(120, 40)) as pilot:
            session = Session(app, pilot, tmp_path)
            await session.settle()
            await play(session, TWO_BRANCHES)
            for action in ACTIONS:
                if action.id in ("quit", "tour") or (action.where and "run" not in action.where):
                    continue
                app.action_act(action.id)
                await session.settle()
                if is_open(app):
                    found.add(action.id)
                    await session.press("escape")
        return found

    assert asyncio.run(asking()) - set(DIALOGS) == set()
