"""A value changes only if a place of its set was changed; the classes of `travel` are the code."""

from __future__ import annotations

from pathlib import Path
from random import Random

from analyzer.frontends.puppet.node.environment import Settings
from tests.amount import examples
from tests.oracle.origins_law import Figures, check
from tests.oracle.worlds.travel import case_of, write

# Every third case has a cycle, which Puppet compiles.
NUMBERS = range(0, 21 * examples(60), 21)


def test_a_change_outside_of_the_set_changes_nothing(tmp_path: Path) -> None:
    figures = Figures()
    for number in NUMBERS:
        folder = tmp_path / str(number)
        write(case_of(number, 2), folder)
        facts = "@rocky-9" if number % 2 else "@debian-12"
        settings = Settings(classes=("app",), facts=(facts,), modulepath=(str(folder),))
        check(str(folder / "app"), settings, 8, Random(number), figures)
    assert figures.broken == []
    assert figures.counts["outside"] > 5 * len(NUMBERS)
    assert figures.counts["inside, changed"] > len(NUMBERS)
