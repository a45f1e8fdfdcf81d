"""The line that sums up what `cycles` found in several catalogs."""

from __future__ import annotations

from analyzer.model.nouns import counted


def summary(noun: str, total: int, cyclic: int, broken: int, partial: int) -> str:
    """Return how many catalogs are clean, and how many are not."""
    text = f"{counted(total, noun)}: {total - cyclic - broken - partial:,} clean"
    text += f", {cyclic:,} with cycles"
    text += f", {broken:,} with missing targets" if broken else ""
    return text + (f", {partial:,} incomplete" if partial else "")
