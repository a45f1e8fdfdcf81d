"""Prints the table of ratios; nothing fails when a ratio is above its aim.

Reads `python -m tests.bench [WORD]`: only the rows whose function's name contains the word.
"""

from __future__ import annotations

import sys
from time import perf_counter

from .measure import Absent, Row
from .rows import ROWS

COLUMNS = f"{'what':<38} {'catgraph':>10}   {'against':<24} {'':>10}   {'ratio':>8} {'aim':>6}"


def line(row: Row) -> str:
    """A row of the table."""
    mine, theirs = (f"{value:,.1f} {row.unit}" for value in (row.ours, row.theirs))
    verdict = "ok" if row.ratio <= row.aim else "above"
    numbers = f"{row.ratio:>8.2g} {row.aim:>6g}"
    return f"{row.name:<38} {mine:>10}   {row.yardstick:<24} {theirs:>10}   {numbers}  {verdict}"


def main(words: list[str]) -> None:
    """Measure and print row by row, as some take a minute."""
    start = perf_counter()
    print(COLUMNS)
    for compare in ROWS:
        if words and not any(word in compare.__name__ for word in words):
            continue
        try:
            for row in compare():
                print(line(row), flush=True)
        except Absent as absent:
            print(f"{compare.__name__.replace('_', ' ')}: left out: {absent}", flush=True)
    print(f"ratios below 1: catgraph takes less; measured in {perf_counter() - start:.0f} s")


main(sys.argv[1:])
