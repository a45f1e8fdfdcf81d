"""Where constructs that choose end, so that one around an error can be found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet.evaluate.arms import offset_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.worlds.expressions import children

BRANCHING = frozenset({a.IfExpression, a.UnlessExpression, a.CaseExpression})
PARTS = frozenset({a.AndExpression, a.OrExpression, a.SelectorExpression})
# What the parser gives the end of its first part, or of a sign.
OPEN_ENDED = frozenset({a.SelectorExpression, a.SelectorEntry})


def extents_in(program: a.Program) -> Iterator[tuple[int, int]]:
    """Yield the offset of each construct and where it ends.

    What is part of the test of an `if` or a `case` ends with it: its value leads to the arms.
    """
    pending: list[tuple[Any, int]] = [(program.body, 0)]
    while pending:
        node, within = pending.pop()
        end = node.offset + node.length if hasattr(node, "length") else 0
        if type(node) in BRANCHING:
            yield node.offset, end
            pending.append((node.test, end))
            pending += [(one, 0) for one in children(node) if one is not node.test]
            continue
        if type(node) in PARTS:
            yield offset_of(node), max(end_of(node), within)
        pending += [(one, within) for one in children(node)]


def loops_in(program: a.Program) -> Iterator[tuple[int, int]]:
    """Yield the offset of the lambda of each loop and where it ends."""
    pending: list[Any] = [program.body]
    while pending:
        node = pending.pop()
        if type(node) is a.LambdaExpression:
            yield node.offset, node.offset + node.length
        pending += children(node)


def end_of(node: Any) -> int:
    """Return where an expression ends."""
    pending, end = [node], 0
    while pending:
        one = pending.pop()
        end = max(end, one.offset + getattr(one, "length", 0))
        pending += children(one) if type(one) in OPEN_ENDED else ()
    return end
