"""Regular expressions are refused where Ruby refuses them."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.regex.faults import fault

FILE = Path(__file__).with_name("regexps.txt")

# What is not looked at: whether a property of characters exists, and calls that never end.
UNSEEN = ("invalid character property name {Foo}", "never ending recursion")

# Ruby has many words for each of these.
GENERAL = ("invalid escape", "undefined group option")


def read() -> list[tuple[str, str]]:
    """The rows of the file: a fault (nothing: there is none), and a regular expression."""
    rows = FILE.read_text(encoding="utf-8").splitlines()
    return [(row.partition("\t")[0], row.partition("\t")[2]) for row in rows]


@pytest.mark.parametrize(("wrong", "pattern"), read(), ids=[pattern for _, pattern in read()])
def test_fault(wrong: str, pattern: str) -> None:
    ours = fault(pattern)
    assert bool(ours) == (wrong not in ("", *UNSEEN))
    assert ours in (*GENERAL, "" if wrong in UNSEEN else wrong)
