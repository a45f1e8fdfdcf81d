"""Makes Python functions of lambdas: one for each function that calls them in a loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.generated import (  # noqa: F401 (these register writers)
    choices,
    operators,
    values,
)
from analyzer.frontends.puppet.evaluate.generated.iterations import are_plain, loop
from analyzer.frontends.puppet.evaluate.generated.runtime import NAMESPACE
from analyzer.frontends.puppet.evaluate.generated.writer import CodeLine, NotWritten, Writer
from analyzer.frontends.puppet.evaluate.limits import PLACES
from analyzer.frontends.puppet.syntax import ast as a

# A loop of a function: the machine, the scope, what is left to iterate over, and the result so far.
Loop = Callable[[Any, Any, Any, Any], Any]


def written(node: a.LambdaExpression, unit: Unit, form: str) -> tuple[list[CodeLine], Writer]:
    """Return the lines of a lambda's loop.

    Raises:
        NotWritten: there are too many.
    """
    writer = Writer(unit)
    writer.node = node
    loop(writer, form, node, "items_left", "result")
    head = [f"{place} = machine.plain({name!r})" for name, place in writer.functions.items()]
    head += [
        f"{place} = machine.known_type({run}(machine, scope))"
        for place, run in writer.types.items()
    ]
    head += [f"{place} = scope.find({name!r})" for name, place in writer.outer.items()]
    return (
        [
            CodeLine(0, f"def {form}(machine, scope, items_left, result):", node),
            *(CodeLine(1, line, node) for line in head),
            *writer.lines,
            CodeLine(1, "return result", node),
        ],
        writer,
    )


def made(node: a.LambdaExpression, unit: Unit, form: str) -> Loop | None:
    """Return the loop of a lambda for `each`, `map`, `filter` or `reduce`; None: by closures."""
    if not can_be_written(node, unit):
        return None
    try:
        lines, writer = written(node, unit, form)
        code = compile(text_of(lines), "<generated>", "exec")
    except (NotWritten, SyntaxError, RecursionError, MemoryError):
        return None
    namespace = {**NAMESPACE, **writer.namespace, "unit": unit}
    namespace[PLACES] = [line.node for line in lines]
    exec(code, namespace)
    found: Loop = namespace[form]
    return found


def can_be_written(node: a.LambdaExpression, unit: Unit) -> bool:
    """Return whether a lambda can be written as Python.

    It is left to closures where the choices of the program are watched, where parameters have
    defaults or types that are computed, where the result has a type, and where the groups of a
    match may be read.
    """
    plain = node.return_type is None and are_plain(node.parameters)
    return unit.watch is None and plain and not reads_matches(node)


def reads_matches(node: Any) -> bool:
    """Return whether a lambda may read the groups of a match, which closures keep in frames.

    Templates read them, too, and change variables.
    """
    if isinstance(node, a.VariableExpression):
        return not isinstance(name := getattr(node.expr, "value", None), str) or name.isdigit()
    if isinstance(node, a.QualifiedName | a.LiteralString):
        return node.value.endswith(("epp", "template")) or node.value == "call"
    return isinstance(node, tuple) and any(map(reads_matches, node))


def text_of(lines: list[CodeLine]) -> str:
    """Return lines as text."""
    return "".join(f"{'    ' * line.depth}{line.text}\n" for line in lines)
