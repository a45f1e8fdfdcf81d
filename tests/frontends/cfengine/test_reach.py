"""What may happen at best is never later than what did happen in a run of a real agent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.linter.policies import PolicyRun
from analyzer.linter.policy_files import load_all
from analyzer.linter.texts import read

from .runs import policies, recorded


def best(path: Path) -> dict[tuple[Any, ...], int]:
    """The earliest pass of each promise that may be begun, by bundle, type and line."""
    run = PolicyRun(str(path), load_all(str(path), read))
    return {
        (site.bundle.name, site.type, site.promise.line): moment.number
        for site, moment in run.reach.begun.items()
    }


def too_late(path: Path, rows: list[list[Any]]) -> list[list[Any]]:
    """The looks at which an agent began a promise before it seemed possible.

    A bundle that is called again begins with pass 1 again: there only whether counts, not when.
    """
    known = best(path)
    passes: dict[str, list[int]] = {}
    for row in rows:
        passes.setdefault(row[0], []).append(row[4])
    once = {name for name, numbers in passes.items() if numbers == sorted(numbers)}
    return [
        row
        for row in rows
        if row[-1] not in ("skipped", "not_set")
        and known.get(tuple(row[:3]), 9) > (row[4] if row[0] in once else 3)
    ]


@pytest.mark.parametrize("path", policies(), ids=lambda path: path.stem)
def test_nothing_is_begun_earlier(path: Path) -> None:
    assert too_late(path, recorded(path)) == []
