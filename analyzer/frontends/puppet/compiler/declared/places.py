"""Places of resources and their attributes, for messages and errors (Resource::Param)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.model.values import Value
from analyzer.source import Span, place_of

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.declared.entry import Entry
    from analyzer.frontends.puppet.evaluate.errors import Unit


def place_text(file: str | None, line: int | None) -> str:
    """Return a place as Puppet writes it into messages."""
    return f"(file: {file}, line: {line})" if file else f"(line: {line})"


def place_of_entry(entry: Entry) -> str:
    """Return where a resource was declared."""
    return place_text(entry.file, entry.line)


def place_of_node(node: Node, unit: Unit) -> str:
    """Return the line of a node."""
    return place_text(unit.file, unit.line(node))


def attribute_in(statement: object, title: str, name: str) -> Any:
    """Return the node that gives a resource an attribute, None if the statement has none such.

    Nothing of this is kept while resources are declared: it is looked for once it is needed.
    """
    for operations in operations_of(statement, title):
        named = (o for o in operations if getattr(o, "attribute_name", None) == name)
        spread = (o for o in operations if type(o) is a.AttributesOperation)
        found = next(named, None) or next(spread, None)
        if found is not None:
            return found
    return None


def operations_of(statement: object, title: str) -> Iterator[tuple[Value, ...]]:
    """Yield attributes of a statement: those of the title's own body, then of the others."""
    if type(statement) is not a.ResourceExpression:
        yield getattr(statement, "operations", ())
        return
    for own in (True, False):
        for body in statement.bodies:
            titles = body.title.values if type(body.title) is a.LiteralList else [body.title]
            if (title in [getattr(one, "value", None) for one in titles]) is own:
                yield body.operations


def file_of(unit: Unit, node: Node) -> str:
    """Return the file that a resource was declared in.

    A function declares where it was called; Puppet calls a text without a file `unknown` then.
    """
    return unit.file if type(node) is a.ResourceExpression else unit.file or "unknown"


def span_of(unit: Unit, node: Node) -> Span:
    """Return where a node stands."""
    return Span(unit.file, *place_of(unit.text, node.offset))
