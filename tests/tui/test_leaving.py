"""Leaving in the midst of a run."""

import asyncio
import gc

import pytest

from tests.conftest import ROOT
from tests.tui.dsl import Session
from tui.app import CatgraphApp
from tui.project.project import OpenRequest


def test_nothing_that_was_begun_is_forgotten(recwarn: pytest.WarningsRecorder) -> None:
    async def run() -> None:
        sample = ROOT / "sample_catalogs" / "healthy_web_stack" / "catalog.json"
        app = CatgraphApp(OpenRequest(str(sample), {}))
        async with app.run_test() as pilot:
            await Session(app, pilot, ROOT).settle()
            app.action_act("continue")
            app.action_act("quit")

    asyncio.run(run())
    gc.collect()
    assert [str(one.message) for one in recwarn] == []
