"""Our functions return what Puppet's return."""

from __future__ import annotations

import pytest

from .cases import Case, all_cases, ours


@pytest.mark.parametrize("case", list(all_cases()), ids=lambda case: f"{case.topic}: {case.text}")
def test_case(case: Case) -> None:
    assert ours(case.text) == case.result
