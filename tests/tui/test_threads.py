"""Work in threads, and presenters that need no terminal."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from tests.conftest import ROOT
from tui.run.threads import in_thread, progress_reporter


def test_what_work_returns_and_raises_is_passed_on() -> None:
    def fail() -> None:
        raise KeyError("x")

    async def run() -> int:
        with pytest.raises(KeyError):
            await in_thread(fail)
        return await in_thread(lambda: 42)

    assert asyncio.run(run()) == 42


def test_work_that_nobody_waits_for_keeps_nobody() -> None:
    begun, over = Event(), Event()

    def work() -> None:
        begun.set()
        over.wait()

    async def run() -> None:
        waiting = asyncio.ensure_future(in_thread(work))
        while not begun.is_set():
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(run())
    over.set()


def test_threads_tell_how_far_they_are() -> None:
    told: list[str] = []

    async def run() -> None:
        tell = progress_reporter(told.append)
        await in_thread(lambda: tell("half"))
        await asyncio.sleep(0)

    asyncio.run(run())
    assert told == ["half"]


@pytest.mark.slow
def test_what_is_shown_is_made_without_a_terminal() -> None:
    names = sorted(
        f"tui.present.{path.stem}" for path in Path(ROOT, "tui", "present").glob("[!_]*.py")
    )
    code = f"import sys, {', '.join(names)}\nprint({{'textual', 'rich'}} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout == "set()\n"
