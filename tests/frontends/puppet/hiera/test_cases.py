"""Our Hiera finds in each case what Puppet's finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from .cases import Case, all_cases, read
from .ours import results

CASES = list(all_cases())


@pytest.mark.parametrize(
    "case", [case for _, case in CASES], ids=[f"{t}: {c.name}" for t, c in CASES]
)
def test_case(case: Case, tmp_path: Path) -> None:
    case.lay_out(tmp_path)
    assert results(case, tmp_path) == [ask.result for ask in case.asks]


def test_enough_cases() -> None:
    assert len(CASES) >= 120


def test_a_case_is_read_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "cases.txt"
    path.write_text("\n".join(case.lines() for _, case in CASES), encoding="utf-8")
    assert read(path) == [case for _, case in CASES]
