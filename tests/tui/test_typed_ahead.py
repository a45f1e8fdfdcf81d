"""Keys that come faster than screens, dialogs and lines open go to what they were meant for."""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import events

from tests.conftest import ROOT
from tests.tui.dsl import Session
from tui.app import CatgraphApp
from tui.keys.keymap import SPOKEN
from tui.project.project import OpenRequest

SAMPLE = ROOT / "sample_catalogs" / "healthy_web_stack" / "catalog.json"

# What is typed at once, then `what is found` of the application, and what it is to be.
TYPED = {
    "a command": (":select Service[nginx]<enter>", "selection", "Service[nginx]"),
    "a command that opens a dialog": (":kind<enter><down><escape>", "screens", 1),
    "a command that is given up": (":sssss<escape>", "position", 0),
    "letters of a dialog that is opening": ("Ksnpc<escape>", "position", 0),
    "a dialog whose answer opens another": ("B<enter><ctrl+u>type File<enter>", "stops", 1),
    "a choice": ("x<enter>s", "failed", ["Group[shop]"]),
    "a choice further down": ("x<down><down><down><enter>s", "position", 2),
    "a question": ("ssssg2<enter>", "position", 2),
    "a filter": ("/nginx<enter>s", "position", 1),
    "another screen, and back": ("2c1s", "position", 1),
    "a pane by its letter": ("<ctrl+o>a<home>", "selection", "Stage[main]"),
    "the palette": ("<ctrl+p>Service[postgresql]<enter>s", "selection", "Service[postgresql]"),
    "help, closed by the key that opened it": ("??s", "position", 1),
    "a key that is held down": ("s" * 30 + "S" * 10 + "g7<enter>", "position", 7),
    "a list": ("<down><enter><enter>s", "position", 1),
}


def keys(text: str) -> Iterator[events.Key]:
    """Yield the keys of a text; `<enter>` is one."""
    while text:
        name = text[1 : text.index(">")] if text[0] == "<" else text[0]
        text = text[len(name) + 2 * (text[0] == "<") :]
        yield events.Key(SPOKEN.get(name, name), name if len(name) == 1 else None)


def found(app: CatgraphApp, what: str) -> object:
    """Return something of an application."""
    controller = app.controller
    timeline = controller.timeline
    return {
        "selection": str(controller.selection),
        "position": timeline.position,
        "screens": len(app.screen_stack),
        "stops": len(controller.stops),
        "failed": [str(ref) for ref, status in timeline.resources() if status.failed],
    }[what]


async def typed(text: str, what: str) -> object:
    """Return the matches after keys that came all at once."""
    app = CatgraphApp(OpenRequest(str(SAMPLE), {}))
    async with app.run_test(size=(120, 40)) as pilot:
        session = Session(app, pilot, ROOT)
        await session.settle()
        for key in keys(text):
            app.post_message(key)
        await pilot.pause()
        await session.settle()
        return found(app, what)


@pytest.mark.parametrize(("text", "what", "wanted"), TYPED.values(), ids=TYPED)
def test_keys_at_once_do_what_they_do_one_by_one(text: str, what: str, wanted: object) -> None:
    assert asyncio.run(typed(text, what)) == wanted


def test_pasted_text_is_no_key_outside_of_a_line() -> None:
    async def run() -> tuple[object, str, list[str]]:
        app = CatgraphApp(OpenRequest(str(SAMPLE), {}))
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            session = Session(app, pilot, ROOT)
            await session.settle()
            app.post_message(events.Paste("sss"))
            await session.settle()
            told = [one.message for one in app._notifications]
            app.post_message(events.Key("colon", ":"))
            app.post_message(events.Paste("select Service[nginx]"))
            app.post_message(events.Key("enter", None))
            await pilot.pause()
            await session.settle()
            return found(app, "position"), str(app.controller.selection), told

    position, selection, told = asyncio.run(run())
    assert (position, selection) == (0, "Service[nginx]")
    assert told[0].startswith("pasted text is not run as keys")


class Terminal:
    """The terminal screens in a terminal of their own."""

    def __init__(self, folder: Path) -> None:
        self.tmux = ("tmux", "-L", f"catgraph-test-{os.getpid()}", "-f", os.devnull)
        code = "from analyzer.cli import main; main()"
        start = f"{sys.executable} -c '{code}' tui {SAMPLE} 2>&1; echo left $?; sleep 60"
        size = ("-x", "120", "-y", "40")
        self.run("new-session", "-d", *size, "-c", str(ROOT), "-e", f"HOME={folder}", start)

    def run(self, *words: str) -> str:
        """Run a command of tmux; return what it prints."""
        done = subprocess.run([*self.tmux, *words], capture_output=True, text=True, check=True)
        return done.stdout

    def type(self, *keys: str) -> None:
        """Send keys at once."""
        self.run("send-keys", *keys)

    def paste(self, text: str, *, bracketed: bool) -> None:
        """Paste a text, as a terminal does that marks what is pasted, or one that does not."""
        self.run("set-buffer", text)
        self.run("paste-buffer", *(("-p",) if bracketed else ()))

    def wait_for(self, *texts: str) -> str:
        """Return the screen once it has some texts."""
        until = time.monotonic() + 20
        while time.monotonic() < until:
            screen = self.run("capture-pane", "-p")
            if all(text in screen for text in texts):
                return screen
            time.sleep(0.05)
        raise AssertionError(f"{texts} are not on the screen:\n{screen}")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed: keys are not typed into a real terminal")
    terminal = Terminal(tmp_path)
    try:
        yield terminal
    finally:
        subprocess.run([*terminal.tmux, "kill-server"], check=False)


def test_what_is_pasted_into_a_terminal_is_no_command(terminal: Terminal) -> None:
    terminal.wait_for("2 ready", "0/45")
    terminal.paste(":select Group[deploy]", bracketed=False)
    terminal.type("Enter")
    terminal.wait_for("Group[deploy]  ready", "0/45")
    terminal.type("K")
    terminal.wait_for("Start a run")
    terminal.type("Escape", "Escape")
    terminal.wait_for("Group[deploy]  ready", "0/45")
    terminal.type("K", "Down", "Escape")
    terminal.type("K", "Down", "Down", "Enter")
    terminal.wait_for("Planning a real run", "0/45")
    terminal.type("Escape")
    terminal.paste("ssss", bracketed=True)
    terminal.wait_for("pasted text is not run as keys", "0/45")
    terminal.type("s")
    terminal.wait_for("1/45")
    terminal.type("C-q")
    assert "Traceback" not in terminal.wait_for("left 0")
