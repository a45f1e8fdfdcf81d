"""The ten usual tasks of `docs/terminal.md` take the keys that it says."""

import re

import pytest

from tests.conftest import ROOT
from tests.tui.dsl import script

PAGE = (ROOT / "docs" / "terminal.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|`]+) \| ((?:`[^`]+` ?)+) \| (\d+) \|$", PAGE, re.M)
HEALTHY = "open sample healthy_web_stack\n"
CYCLE = "open sample require_loop\n"
# What leads to the task, and what is seen after its keys.
TASKS = {
    "apply the next": (HEALTHY, "position 1"),
    "run to the end": (HEALTHY, "told the run has ended"),
    "explain why": (HEALTHY, "text Why "),
    "see what happens": (HEALTHY, "text failed"),
    "see its dependencies": (HEALTHY, "screen graph"),
    "walk a cycle": (CYCLE, "text edge"),
    "read the findings": (HEALTHY, "screen findings"),
    "open its statement": (HEALTHY, "told "),
    "copy its reference": (HEALTHY, "copied Group[shop]"),
    "see the first step": (
        "with against sample_catalogs/stages/catalog.json\n" + HEALTHY,
        "text differ, 1 up to here",
    ),
}


def test_there_are_ten() -> None:
    assert len(ROWS) == len(TASKS) == 10


@pytest.mark.slow
@pytest.mark.parametrize(("task", "keys", "count"), ROWS)
def test_task(task: str, keys: str, count: str) -> None:
    pressed = re.findall(r"`([^`]+)`", keys)
    assert len(pressed) == int(count)
    before, seen = next(row for start, row in TASKS.items() if task.startswith(start))
    script(f"{before}press {' '.join(pressed)}\nexpect {seen}")
