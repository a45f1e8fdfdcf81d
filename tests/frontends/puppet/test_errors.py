"""We say of faulty programs what Puppet says of them: same code, place, text and order."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.syntax.check import check
from analyzer.frontends.puppet.syntax.issues import ISSUES

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
    # The last is a limit of ours: Puppet ends with a stack that is too deep.
    ours = {"NUMBER_OUT_OF_RANGE", "NESTED_TOO_DEEPLY"}
    assert {issue.code for issue in ISSUES.values()} - met == ours


def test_number_beyond_what_a_float_can_hold() -> None:
    # Puppet fails with an exception that is no issue, so that nothing can be recorded.
    found = check("$x = 1e400\n$y = 1e308", "a.pp").found
    assert [str(problem) for problem in found] == [
        "a.pp:1:6: error: Internal Error, NUMBER token does not contain a valid number, 1e400 "
        "(NUMBER_OUT_OF_RANGE)"
    ]


@pytest.mark.parametrize("escape", ["\\u{FFFFFFF}", "\\uZZZZ", "\\u{110000}"])
def test_bad_unicode_escape_in_a_heredoc(escape: str) -> None:
    # In strings Puppet warns; in a heredoc it fails while it does.
    assert not check(f"$x = @(E/u)\n  a {escape} b\n  | E\n").ok
    assert check(f"$x = @(E)\n  a {escape} b\n  | E\n").ok
