"""Problems of two resources without an order, one of which needs the other."""

from __future__ import annotations

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import add_reference
from analyzer.linter.puppet.shared_targets import Pair
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem


def unordered(compiled: Compiled, pair: Pair, message: str, *notes: str) -> Problem | None:
    """Return the problem of a pair, None if the two have an order.

    It tells which of the two comes first today, and proposes to require the first.
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
