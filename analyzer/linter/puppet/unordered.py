"""Problems of two unordered resources, one of which needs the other."""

from __future__ import annotations

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import add_reference
from analyzer.linter.puppet.shared_targets import Pair
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem


def unordered(compiled: Compiled, pair: Pair, message: str, *notes: str) -> Problem | None:
    """Return the problem of a pair, or None if the two are ordered.

    A note names the one that currently comes first. The proposal adds a `require`.
    """
    first, second = pair.first, pair.second
    if compiled.ordered(first, second):
        return None
    order = compiled.first_by_place(first, second)
    today = (
        f"{order} comes first, only because of its position" if order else "either may come first"
    )
    return Problem(
        message,
        second.span,
        (str(first), str(second)),
        (Step(f"{first} is declared here", first.span, (str(first),)),),
        (today, *notes),
        add_reference(compiled, second, "require", first),
    )
