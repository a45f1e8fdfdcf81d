"""Inputs with control characters everywhere: places, parameters, promisers, journals, reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_escapes import inputs
from tests.tui.dsl import script

pytestmark = pytest.mark.slow

__all__ = ["inputs"]

CATALOGS = ("fine.json", "missing.json", "real.json", "fine.pp", "site", "graph.dot")
SCREENS = """
do graph-screen
press right down
do findings-screen
press down enter
do source-screen
press down
do report-screen
press down down
do run-screen
press d d down up enter
"""


@pytest.mark.parametrize("name", [*CATALOGS, "fine.cf", "report.yaml", "report.json", "journal"])
def test_no_screen_shows_a_control_character(name: str, inputs: list[str]) -> None:
    path = inputs[-1] if name == "journal" else name
    for size in ((80, 24), (140, 40)):
        for screen in ("", *SCREENS.strip().split("do ")[1:]):
            steps = f"do {screen}" if screen else ""
            shown = script(f"open {path}\n{steps}", Path(), size, lambda one: one.text())
            odd = [char for char in shown if not char.isprintable() and char != "\n"]
            assert not odd, (name, screen, odd)
