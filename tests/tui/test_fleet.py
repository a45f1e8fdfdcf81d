"""The screen of a fleet: causes, their nodes, and the run of a node."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from analyzer.cli.shared.fleet import is_fleet
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.sources.folder import Folder
from tests.fleet.generator import write
from tests.fleet.test_store import Here
from tui.fleet import FleetApp, NodeApp
from tui.present.fleet import FleetTable
from tui.present.pieces import plain
from tui.screens.loading import Loading

from .dsl import shown
from .test_loading import until


def text(table: FleetTable) -> list[str]:
    return [plain(row).strip() for row in table]


def test_causes_then_nodes_then_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "fleet", 14)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("tui.fleet.Engine", lambda opener, workers: Here())
    source = Folder(str(tmp_path / "fleet"))

    async def run() -> None:
        app = FleetApp(source, Cycles(), None, {})
        async with app.run_test(size=(120, 30)) as pilot:
            await until(cast(Any, pilot), lambda: app.table is not None)
            table = app.table
            assert table is not None
            await until(cast(Any, pilot), lambda: "12 causes in" in shown(cast(Any, app)))
            assert text(table)[-1].endswith("no cause 1 node")
            await pilot.press("enter")
            await until(cast(Any, pilot), lambda: "example.com" in shown(cast(Any, app)))
            node = table.rows[1][1]
            await pilot.press("down", "enter")
            await until(cast(Any, pilot), lambda: app.return_value is not None)
        assert app.return_value == node
        assert node is not None
        run = NodeApp(source, table.keys[node], node, {})
        async with run.run_test(size=(120, 30)) as pilot:
            await until(
                cast(Any, pilot),
                lambda: node in shown(run) and not isinstance(run.screen, Loading),
            )

    asyncio.run(run())


def test_a_folder_that_is_gone_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    async def run() -> None:
        app = FleetApp(Folder(str(tmp_path / "gone")), Cycles(), None, {})
        async with app.run_test() as pilot:
            await until(cast(Any, pilot), lambda: app.error is not None)
        assert "no such file or folder" in str(app.error)

    asyncio.run(run())


def test_a_folder_with_code_is_no_fleet(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    assert not is_fleet(str(tmp_path))
    (tmp_path / "below" / "a.json").write_text("{}")
    assert is_fleet(str(tmp_path))
    (tmp_path / "below" / "a.pp").touch()
    assert not is_fleet(str(tmp_path))
    assert is_fleet("puppetdb+https://db:8081")
