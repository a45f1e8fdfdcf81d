"""The causes of variables that are not set: a class that lacks several, or one name in several."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.diagnostics import Finding

UNSET = "CG111"
# One that resembles another variable is misspelled, which is a cause of its own.
MISSPELLED = "; did you mean"

# The most variables that a note names.
SHOWN = 6


def causes_of_variables(findings: Iterable[Finding]) -> dict[int, tuple[str, ...]]:
    """Return the causes of findings by their numbers.

    Those in one file have one, and so do those of one name.
    """
    causes: dict[int, tuple[str, ...]] = {}
    firsts: dict[tuple[str, str], tuple[str, ...]] = {}
    for number, one in enumerate(findings):
        if one.code == UNSET and one.span and MISSPELLED not in one.message:
            keys = ("file", one.span.file), ("name", variable_in(one))
            cause = next((firsts[key] for key in keys if key in firsts), (UNSET, *keys[1]))
            firsts |= dict.fromkeys(keys, cause)
            causes[number] = cause
    return causes


def variable_in(finding: Finding) -> str:
    """Return the variable that a finding names."""
    return finding.message.partition("$")[2].partition("'")[0]


def other_variables(finding: Finding) -> list[str]:
    """Return a note about the other variables that are not set for one cause."""
    names = dict.fromkeys(variable_in(one) for one in finding.also)
    names.pop(variable_in(finding), None)
    if finding.code != UNSET or not names:
        return []
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return [f"also not set: {', '.join(f'${name}' for name in [*names][:SHOWN])}{more}"]
