"""Finds entries of `ignore` that accept nothing, and names that match nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from analyzer.diagnostics import Severity
from analyzer.linter.contracts.contract import Contract, Ignored
from analyzer.linter.contracts.patterns import ClassPattern, innermost
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, no_problem


def stale(
    ignore: Sequence[Ignored], used: int, named: int, compiled: Compiled
) -> Iterator[Problem]:
    """Yield the entries that accept nothing in a catalog; reported if this holds for all catalogs.

    It is a note if the catalog lacks the classes, because another node may have them, or if a
    relationship may be unknown.
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


def unmatched(contract: Contract, names: Collection[str], compiled: Compiled) -> Iterator[Problem]:
    """Yield the names of a contract without a match in a catalog; reported if no catalog has one.

    A class that is compiled by itself lacks the code that its module is used with.
    """
    for one in () if compiled.partial else contract.names:
        if isinstance(one.pattern, ClassPattern):
            found = any(innermost((one.pattern,), name) for name in names)
        else:
            found = any(map(one.pattern.matches, compiled.graph.resources))
        if found:
            yield no_problem(one.span)
            continue
        what = "class" if isinstance(one.pattern, ClassPattern) else "resource"
        message = f"{contract.name}: '{one.text}' is not a {what} in this code"
        severity: Severity = "warning" if compiled.complete else "note"
        yield Problem(message, one.span, (), severity=severity, unless_ok=True)
