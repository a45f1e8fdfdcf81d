"""A value changes only if a place of its set was changed; the classes of `travel` are the code."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from tests.amount import examples
from tests.oracle.origins_law import Figures, check
from tests.oracle.worlds.travel import case_of, write


# Every third case has a cycle, which Puppet compiles.
@pytest.mark.parametrize("number", range(0, 21 * examples(40), 21))
def test_a_change_outside_of_the_set_changes_nothing(number: int, tmp_path: Path) -> None:
    write(case_of(number, 2), tmp_path)
    figures = Figures()
    settings = Settings(
        classes=("app",),
        facts=("@rocky-9",) if number % 2 else ("@debian-12",),
        modulepath=(str(tmp_path),),
    )
    check(str(tmp_path / "app"), settings, 6, Random(number), figures)
    assert figures.broken == []
    assert figures.counts
