"""Policies as users write them: what the simulation knows of them is what the agent did."""

from __future__ import annotations

from pathlib import Path

import pytest

from .field import differences, policies, recorded, unknown_places, we_say

POLICIES = policies()


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_nothing_that_is_known_is_wrong(path: Path) -> None:
    theirs = recorded(path)
    found = differences(theirs, we_say(path, theirs))
    assert found == []


def test_most_is_known() -> None:
    unknown = [path.stem for path in POLICIES if unknown_places(we_say(path, recorded(path)))]
    assert len(POLICIES) >= 80
    assert len(unknown) <= len(POLICIES) // 10, unknown
