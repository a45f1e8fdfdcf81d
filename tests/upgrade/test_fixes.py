"""With the fixes, real Puppet 7 and 8 make the catalogs that Puppet 7 makes of the legacy facts."""

from __future__ import annotations

import pytest

from tests.upgrade.cases import CALLS, SYSTEMS, fixed, programs, recorded

ANSWERS = recorded()


@pytest.mark.parametrize("text", programs())
def test_a_fix_keeps_the_catalogs(text: str) -> None:
    new = fixed(text)
    assert new != text
    for system in SYSTEMS:
        expected = ANSWERS[text][f"7 {system}"]
        assert not expected.startswith("!")
        assert [ANSWERS[new][f"{version} {system}"] for version in "78"] == [expected] * 2


def test_puppet_8_makes_something_else_without_the_fix() -> None:
    same = [
        text
        for text in programs()
        if all(ANSWERS[text][f"7 {one}"] == ANSWERS[text][f"8 {one}"] for one in SYSTEMS)
    ]
    # A legacy fact that no system has is undef in both.
    (only,) = same
    assert "nosuch0" in only


@pytest.mark.parametrize("text", programs(CALLS))
def test_a_changed_call_keeps_the_catalogs(text: str) -> None:
    """What the function refuses, the type refuses too, in its own words."""
    new = fixed(text)
    assert new != text
    for system in SYSTEMS:
        expected = of_any_words(ANSWERS[text][f"7 {system}"])
        found = [of_any_words(ANSWERS[new][f"{version} {system}"]) for version in "78"]
        assert found == [expected] * 2


def of_any_words(answer: str) -> str:
    """Return an answer, of a refusal only that it is one."""
    return "!" if answer.startswith("!") else answer
