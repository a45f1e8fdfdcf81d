"""Findings whose value travels to the test are found, with the input that decides them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.amount import examples
from tests.oracle.worlds.travel import RECORDED, case_of, measure

# Every 23rd case: neighbours are alike in their input.
NUMBERS = json.loads(RECORDED.read_text())[::23]


@pytest.mark.parametrize("number", NUMBERS[: examples(12)])
def test_a_value_is_followed_to_the_test(number: int, tmp_path: Path) -> None:
    outcome = measure(case_of(number, 2), tmp_path)
    assert outcome.found, (outcome.problem, outcome.case.text)
    assert outcome.right, (outcome.problem, outcome.case.text)
    assert outcome.by_lint
    assert not outcome.silent


def test_a_title_decides_an_override_of_what_its_body_declares(tmp_path: Path) -> None:
    outcome = measure(case_of(249, 2), tmp_path)
    assert (outcome.found, outcome.right, outcome.by_lint) == (True, True, True)
