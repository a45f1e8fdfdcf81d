"""Prints the Python that lambdas become when they are called often, beside the lines of Puppet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.escape import shown
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.generated.iterations import LOOPS
from analyzer.frontends.puppet.evaluate.generated.loops import can_be_written, written
from analyzer.frontends.puppet.evaluate.generated.writer import NotWritten
from analyzer.frontends.puppet.syntax import ast as a


def listing(tree: Any, unit: Unit) -> str:
    """Return the loops of a program as Python; before it stands each line of Puppet, as a comment.

    Lambdas in other lambdas are part of their loops.
    """
    # A program has its classes twice: where they stand, and in its list of definitions.
    body = tree.body if isinstance(tree, a.Program) else tree
    return "\n".join(listed(form, code, unit) for form, code in loops_in(body))


def loops_in(node: Any) -> Iterator[tuple[str, a.LambdaExpression]]:
    """Yield the outermost lambdas with the names of the functions that call them in a loop."""
    form = ""
    if isinstance(node, a.CallNamedFunctionExpression):
        form = getattr(node.functor_expr, "value", "")
    elif isinstance(node, a.CallMethodExpression):
        form = getattr(getattr(node.functor_expr, "right_expr", None), "value", "")
    code = getattr(node, "lambda_", None)
    inside = node
    if code is not None and len(code.parameters) in LOOPS.get(form, ()):
        yield form, code
        inside = [part for part in node if part is not code]
    for part in inside:
        if isinstance(part, tuple):
            yield from loops_in(part)


def listed(form: str, code: a.LambdaExpression, unit: Unit) -> str:
    """Return the loop of one lambda."""
    try:
        lines = written(code, unit, form)[0] if can_be_written(code, unit) else []
    except NotWritten:
        lines = []
    if not lines:
        return f"# {line_text(unit, unit.line(code))}\n# is left to closures.\n"
    found: list[str] = []
    last = 0
    for line in lines:
        number, indent = unit.line(line.node), "    " * line.depth
        if number != last:
            found.append(f"{indent}# {line_text(unit, number)}")
            last = number
        found.append(f"{indent}{line.text}")
    return "\n".join(found) + "\n"


def line_text(unit: Unit, number: int) -> str:
    """Return a line of a manifest with its number, for a comment."""
    lines = unit.text.split("\n")
    text = lines[number - 1].strip() if number <= len(lines) else ""
    return f"{number}: {shown(text)}"
