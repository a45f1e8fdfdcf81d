"""Entries of `ignore` that accept nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.diagnostics import Severity
from analyzer.linter.contracts.contract import Ignored
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, no_problem


def stale(
    ignore: Sequence[Ignored], used: int, named: int, compiled: Compiled
) -> Iterator[Problem]:
    """Yield the entries that accept nothing in a catalog; it counts if that is so in all of them.

    It is a note where the catalog lacks the classes, because another node may have them, or where
    a relationship may be unknown.
    """
    for number, entry in enumerate(ignore):
        bit = 1 << number
        if used & bit:
            yield no_problem(entry.span)
            continue
        sure = named & bit and compiled.complete
        message = f"'{entry.text}' is ignored, but accepts nothing; remove the entry"
        severity: Severity = "warning" if sure else "note"
        yield Problem(message, entry.span, (), severity=severity, unless_ok=True)
