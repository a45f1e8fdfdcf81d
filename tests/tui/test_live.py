"""A run that goes on by itself: the output of its command comes as it is written."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic

from analyzer.apply.providers.machine.commands import Order, listen_to_output, run
from tests.conftest import ROOT
from tests.tui.dsl import Session, path_of
from tui.app import CatgraphApp
from tui.project.project import Request
from tui.run.controller import Applying


def test_the_output_of_a_command_comes_in_parts() -> None:
    parts: list[bytes] = []
    listen_to_output(parts.append)
    try:
        found = run(Order(("/bin/sh", "-c", "echo one; sleep 0.2; echo two")), None)
    finally:
        listen_to_output(None)
    assert [part for part in parts if part] == [b"one\n", b"two\n"]
    assert found.text == "one\ntwo\n"


def test_the_log_shows_the_output_of_the_command_that_runs() -> None:
    async def seen() -> tuple[str, str]:
        app = CatgraphApp(Request(str(path_of("sample require_loop", ROOT)), {}))
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
