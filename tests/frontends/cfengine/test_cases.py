"""Policies are accepted with CFEngine's tree, and refused at CFEngine's line in its words."""

from __future__ import annotations

from typing import Any

import pytest

from .cases import Case, cases, ours, recorded

CASES = list(cases())


@pytest.fixture(scope="module")
def said() -> dict[str, Any]:
    return recorded()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_as_recorded(case: Case, said: dict[str, Any]) -> None:
    assert ours(case.text) == said[case.title]


def test_every_title_is_there_once(said: dict[str, Any]) -> None:
    assert [case.title for case in CASES] == list(said)
    assert len(CASES) >= 150
