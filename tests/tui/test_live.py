"""A run that goes on by itself: the output of its command, little work a picture, quick stops."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Unpack

import pytest
from textual import events
from textual.screen import Screen

from analyzer.apply.host import Output, RunOptions
from analyzer.apply.providers.machine.commands import CommandOrder, listen_to_output, run
from analyzer.apply.providers.machine.local import LocalHost
from sample_catalogs.large import large_catalog
from tests.conftest import ROOT
from tests.tui.dsl import VERBS, Session, lines_of, path_of
from tests.tui.test_real import CONFIRMED, begin
from tui.app import CatgraphApp
from tui.project.project import OpenRequest
from tui.run.controller import Applying
from tui.widgets.rows import Rows


def test_the_output_of_a_command_comes_in_parts() -> None:
    parts: list[bytes] = []
    listen_to_output(parts.append)
    try:
        found = run(CommandOrder(("/bin/sh", "-c", "echo one; sleep 0.2; echo two")), None)
    finally:
        listen_to_output(None)
    assert [part for part in parts if part] == [b"one\n", b"two\n"]
    assert found.text == "one\ntwo\n"


def test_the_log_shows_the_output_of_the_command_that_runs() -> None:
    async def seen() -> tuple[str, str]:
        app = CatgraphApp(OpenRequest(str(path_of("sample require_loop", ROOT)), {}))
        async with app.run_test(size=(120, 40)) as pilot:
            session = Session(app, pilot, ROOT)
            await session.settle()
            output = deque([b"fetching\n10 %\r50 %\r", b"90 %\n\x1b[31mred\xff"])
            app.controller.applying = Applying("Exec[a]", monotonic(), output)
            app.show_bars()
            await session.settle()
            during = session.text()
            app.controller.applying = None
            app.controller.run_changed()
            await session.settle()
            return during, session.text()

    during, after = asyncio.run(seen())
    assert "| fetching" in during
    assert "| 90 %" in during
    assert "50 %" not in during
    assert "\x1b" not in during
    assert "| fetching" not in after


class Unconfined(LocalHost):
    """A machine that runs commands outside of its folder, where there is a shell."""

    def run(self, command: Sequence[str] | str, **options: Unpack[RunOptions]) -> Output:
        """Run the words of a command, or a text by the shell."""
        words = ("/bin/sh", "-c", command) if isinstance(command, str) else tuple(command)
        return run(CommandOrder(words, seconds=20.0), None)


@pytest.mark.slow
def test_a_real_run_shows_the_output_of_its_command_as_it_comes(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.run.local.this_host", lambda store=None: Unconfined(str(root), store))
    (root / "bin").mkdir()
    (root / "bin/sh").touch(0o755)
    go_on = tmp_path / "go on"
    command = f"echo first; while [ ! -e '{go_on}' ]; do sleep 0.02; done; echo second"
    site = f'exec {{ "talk": command => "{command}", provider => shell, logoutput => true }}'
    lines = [*lines_of(begin("real", site) + CONFIRMED.replace("3 changes", "1 change"))]

    async def seen() -> tuple[str, str]:
        app = CatgraphApp()
        async with app.run_test(size=(120, 40)) as pilot:
            session = Session(app, pilot, tmp_path)
            for verb, words in lines:
                await VERBS[verb](session, words)
                await session.settle()
            await pilot.press("c")
            while "| first" not in session.text():
                await pilot.pause(0.02)
            during = session.text()
            go_on.touch()
            await session.settle()
            return during, session.text()

    during, after = asyncio.run(asyncio.wait_for(seen(), 60))
    assert "second" not in during
    assert "| first" not in after
    assert "Exec[talk] returns  first" in after
    assert "Exec[talk] returns  second" in after


@pytest.mark.slow
def test_a_picture_needs_no_layout_and_esc_stops_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.json"
    path.write_text(json.dumps(large_catalog(2_000)))
    # Keys are looked at and a picture is made after each step, whatever the speed of the machine.
    monkeypatch.setattr("tui.run.runner.SLICE", 0)
    monkeypatch.setattr("tui.run.runner.FRAME", 0)
    counts: Counter[str] = Counter()
    for owner, name in ((Screen, "_refresh_layout"), (Rows, "render_line")):
        monkeypatch.setattr(owner, name, counted(counts, name, getattr(owner, name)))
    monkeypatch.setattr(CatgraphApp, "update_view", counted(counts, "pictures", update_view))

    async def run() -> tuple[Counter[str], int]:
        app = CatgraphApp(OpenRequest(str(path), {}))
        async with app.run_test(size=(120, 40)) as pilot:
            await Session(app, pilot, ROOT).settle()
            app.post_message(events.Key("c", "c"))
            timeline = app.controller.timeline
            # The first lines of the log bring a scroll bar.
            while counts["pictures"] < 40:
                await asyncio.sleep(0.001)
            counts.clear()
            while counts["pictures"] < 10:
                await asyncio.sleep(0.001)
            found, begin = counts.copy(), len(timeline)
            app.post_message(events.Key("escape", None))
            while app.runner.working:
                await asyncio.sleep(0)
            return found, len(timeline) - begin

    found, steps = asyncio.run(asyncio.wait_for(run(), 60))
    assert found["_refresh_layout"] == 0
    # The ready and waiting resources and the log, but not the tree and the details.
    assert found["render_line"] <= 45 * found["pictures"]
    assert steps <= 10


update_view = CatgraphApp.update_view


def counted(counts: Counter[str], name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that counts its calls."""

    def call(*arguments: Any, **options: Any) -> Any:
        counts[name] += 1
        return method(*arguments, **options)

    return call
