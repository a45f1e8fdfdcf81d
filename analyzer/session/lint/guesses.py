"""Ends guesses: a typical system that the code of a node or class refuses is not one of its own.

Without facts of real machines each node is compiled for all systems that the repository mentions.
Code that refuses some of them, and compiles for another, shows where it is meant to be applied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.site_texts import NO_VALUE, refuses_system
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.pattern import pattern

if TYPE_CHECKING:
    from analyzer.diagnostics import CompileError

Run = Compiled | CheckedCatalog | Refusal | Failure

# A typical system at the end of the name of a compile.
SYSTEM = pattern(r"(?:, | \()(@[^\s,()]+)\)\Z")


def without_guesses(runs: Sequence[Run]) -> list[Run]:
    """Return results without those for typical systems that the code refuses.

    A system is refused by an error that another system of the same node or class does not have.
    """
    systems: dict[str, set[str]] = defaultdict(set)
    refused: dict[tuple[str, object], set[str]] = defaultdict(set)
    for run in runs:
        base, system = parts_of(run.name)
        if system:
            systems[base].add(system)
            if isinstance(run, Refusal) and is_of_system(run.error):
                refused[base, run.error.span].add(system)
    ended: dict[str, set[str]] = defaultdict(set)
    for (base, _), some in refused.items():
        if some != systems[base]:
            ended[base] |= some
    wrong = {base: some for base, some in ended.items() if some != systems[base]}
    return [run for run in runs if not is_ended(run.name, wrong)] if wrong else [*runs]


def parts_of(name: str) -> tuple[str, str]:
    """Return the name of a compile without its typical system, and that, empty if there is none."""
    match = SYSTEM.search(name)
    return (name[: match.start()], match[1]) if match else (name, "")


def is_ended(name: str, wrong: dict[str, set[str]]) -> bool:
    """Return whether a compile is for a system that the code refuses."""
    base, system = parts_of(name)
    return system in wrong.get(base, ())


def is_of_system(error: CompileError) -> bool:
    """Return whether an error may refuse a system: a `fail`, a missing entry, or missing data."""
    return refuses_system(error) or NO_VALUE.match(error.message) is not None
