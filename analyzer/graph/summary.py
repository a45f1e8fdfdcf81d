"""The summary line of `cycles` for several catalogs."""

from __future__ import annotations

from analyzer.model.nouns import counted


def summary(noun: str, total: int, cyclic: int, broken: int, partial: int) -> str:
    """Return a line with the numbers of catalogs with and without problems."""
    text = f"{counted(total, noun)}: {total - cyclic - broken - partial:,} clean"
    text += f", {cyclic:,} with cycles"
    text += f", {broken:,} with missing targets" if broken else ""
    return text + (f", {partial:,} incomplete" if partial else "")
