"""Opening takes a while: what is said meanwhile, giving up, and what goes wrong inside."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from tests.conftest import ROOT
from tui.app import CatgraphApp
from tui.project.opening import open_project
from tui.project.project import OpenRequest, Progress, Project
from tui.widgets.rows import Rows

from .dsl import shown
from .opened import project_of

HEALTHY = str(ROOT / "sample_catalogs" / "healthy_web_stack" / "catalog.json")


class Slow:
    """Opens an input, but waits in the middle until it may go on."""

    def __init__(self) -> None:
        self.waits = threading.Event()
        self.may_go_on = threading.Event()

    def __call__(self, request: OpenRequest, progress: Progress) -> Project:
        progress("counting very slowly")
        self.waits.set()
        assert self.may_go_on.wait(30)
        progress("still counting")
        return project_of(request, progress)


async def until(pilot: Pilot[int], holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError("it did not come to that")


def test_what_is_done_is_said_and_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr("tui.screens.opening.open_project", slow)

    async def run() -> None:
        app = CatgraphApp()
        async with app.run_test(size=(80, 24)) as pilot:
            app.opening.open(OpenRequest(HEALTHY))
            await until(pilot, slow.waits.is_set)
            await until(pilot, lambda: "counting very slowly" in shown(app))
            assert "esc: cancel" in shown(app)
            await pilot.press("escape")
            await until(pilot, lambda: "counting" not in shown(app))
            slow.may_go_on.set()
            await app.workers.wait_for_complete(list(app.workers)) if app.workers else None
            assert app.controller.project is None
            monkeypatch.setattr("tui.screens.opening.open_project", open_project)
            app.opening.open(OpenRequest(HEALTHY))
            await until(pilot, lambda: app.controller.project is not None)

    asyncio.run(run())


def test_a_fault_inside_is_given_and_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(request: OpenRequest, progress: Progress) -> Project:
        raise ZeroDivisionError("[/] by nothing")

    monkeypatch.setattr("tui.screens.opening.open_project", broken)

    async def run() -> None:
        app = CatgraphApp()
        async with app.run_test(size=(100, 24)) as pilot:
            app.opening.open(OpenRequest(HEALTHY))
            await until(pilot, lambda: "internal error, please report it" in shown(app))
            assert "ZeroDivisionError: [/] by nothing" in shown(app)

    asyncio.run(run())


def test_a_list_without_a_view_waits_for_one() -> None:
    async def run() -> None:
        app = CatgraphApp()
        async with app.run_test(size=(80, 24)) as pilot:
            app.opening.open(OpenRequest(HEALTHY))
            await until(pilot, lambda: "2 ready" in shown(app))
            await until(pilot, lambda: len(app.screen.query_one("#frontier", Rows).lines) > 30)
            rows = app.screen.query_one("#frontier", Rows)
            rows.styles.height = 0
            await until(pilot, lambda: rows.size.height == 0)
            rows.show(rows.lines, 30)
            await pilot._wait_for_screen()
            assert rows.unseen
            rows.styles.height = 5
            await until(pilot, lambda: rows.scroll_offset.y > 0)
            assert not rows.unseen

    asyncio.run(run())
