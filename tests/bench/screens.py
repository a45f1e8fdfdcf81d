"""The terminal screens: what it takes to show a catalog, and a key, at three sizes.

CPU milliseconds in a terminal of 120x40 that draws nothing, after the catalog was read.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from statistics import median
from time import process_time
from typing import Any

from tests.tui.opened import project_of
from tui.app import CatgraphApp
from tui.project.project import OpenRequest
from tui.run.branch import Prepared, prepare

from . import inputs
from .measure import PYTHON, Row, cold, take_turns

SIZES = (100, 10_000, 100_000)
TIMES = 15

# What a key may take, in milliseconds.
KEY = 50.0

# Key: what it does.
KEYS = {"s": "a step", "down": "a line down", "S": "a step back"}
IMPORTS = "import tui.app, tui.screens.run"


def first_paint_and_keys() -> Iterator[Row]:
    """Showing a catalog that was read, against one of 100 resources; keys, against 50 ms."""
    found = {size: asyncio.run(measured(size)) for size in SIZES}
    for size in SIZES[1:]:
        name = f"tui, first paint of {size:,} resources"
        yield Row(name, found[size]["paint"], "of 100", found[SIZES[0]]["paint"], 1.5)
    for size in SIZES:
        for key, what in KEYS.items():
            name = f"tui, {what} in {size:,}"
            yield Row(name, found[size][key], "50 ms", KEY, 1.0)


async def measured(size: int) -> dict[str, float]:
    """The median milliseconds of the first paint and of each key."""
    project = project_of(OpenRequest(str(inputs.mixed(size))))
    app = CatgraphApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.switch_mode("run")
        await settled(pilot)

        async def paint(prepared: Prepared) -> None:
            app.controller.open(project, prepared)
            await settled(pilot)
            # What is left to be drawn when there is nothing else to do counts too.
            await pilot.pause(0.2)

        async def press(key: str) -> None:
            await app._press_keys([key])
            await settled(pilot)

        await paint(prepare(project))
        found = {"paint": median([await spent(paint(prepare(project))) for _ in range(5)])}
        for key in KEYS:
            await press(key)
            found[key] = median([await spent(press(key)) for _ in range(TIMES)])
    return found


async def settled(pilot: Any) -> None:
    """Wait until all is drawn."""
    for _ in range(3):
        await pilot._wait_for_screen()


async def spent(work: Any) -> float:
    """The CPU milliseconds that work takes."""
    gc.collect()
    start = process_time()
    await work
    return (process_time() - start) * 1000


def cold_import() -> Iterator[Row]:
    """What the first screen needs to be imported, against Textual alone."""
    ours = cold(PYTHON, "-c", IMPORTS)
    floor = cold(PYTHON, "-c", "import textual.app, textual.widgets")
    mine, theirs = take_turns(9, ours, floor)
    yield Row("tui, cold import", mine, "import textual", theirs, 2.0)


ROWS = (first_paint_and_keys, cold_import)
