"""The simulated agent looks at the same promises in the same order as the real one did."""

from __future__ import annotations

from pathlib import Path

import pytest

from .runs import our_events, policies, recorded, same

POLICIES = policies()


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_as_the_agent_did(path: Path) -> None:
    theirs = recorded(path)
    ours = our_events(path, theirs)
    assert same(theirs, ours), list(zip(theirs, ours, strict=False))


def test_there_are_enough() -> None:
    assert len(POLICIES) >= 60
