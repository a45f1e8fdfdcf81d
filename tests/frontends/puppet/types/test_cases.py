"""Our type system says of each case what Puppet's says."""

from __future__ import annotations

import pytest

from .asking import ours
from .cases import Case, all_cases


@pytest.mark.parametrize("case", list(all_cases()), ids=lambda case: f"{case.ask}: {case.line}")
def test_case(case: Case) -> None:
    assert ours(case.question) == case.answer
