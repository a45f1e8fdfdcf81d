"""We say of faulty programs what Puppet says of them: same code, place, text and order."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.issues import ISSUES

from .error_cases import ErrorCase, all_error_cases
from .faults import comparable, our_faults

CASES = list(all_error_cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_error_case(case: ErrorCase) -> None:
    ours, puppets = comparable(our_faults(case.question), case.faults)
    assert ours == puppets


def test_there_is_a_case_for_every_issue() -> None:
    # Issues of Puppet's grammar and registry have no code: there our own word is looked at.
    met = {line.split()[0].split("/")[0] for case in CASES for line in case.faults}
    met |= {line.split()[0].split("/")[0] for case in CASES for line in our_faults(case.question)}
    assert {issue.code for issue in ISSUES.values()} - met == set()
