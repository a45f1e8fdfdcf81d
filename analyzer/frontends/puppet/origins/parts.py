"""Expressions that were evaluated, with the contributors of their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.origins.contributors import NOTHING, Contributor, Trail, flat
from analyzer.frontends.puppet.syntax import ast as a

ATTRIBUTES = frozenset({a.AttributeOperation, a.AttributesOperation})
# An expression that was evaluated, its value, and the contributors.
Part = tuple[Any, Any, Trail]


class Evaluated:
    """An expression that was evaluated, with its parts in the order of their evaluation."""

    __slots__ = ("node", "parts", "scope", "unit", "value")

    def __init__(self, node: Any, unit: Unit, value: Any, parts: list[Part], scope: Any) -> None:
        self.node = node
        self.unit = unit
        self.value = value
        self.parts = parts
        self.scope = scope

    @property
    def everything(self) -> tuple[Contributor, ...]:
        """Return the contributors of all parts."""
        return flat(trail for *_, trail in self.parts)

    @property
    def last(self) -> Trail:
        """Return the trail of the last part."""
        return self.parts[-1][2] if self.parts else NOTHING


def of_truth(value: object, trail: Trail) -> Trail:
    """Return the trail of a value of which only the truth counts: arrays and hashes are true."""
    return Trail(trail.shape) if type(value) in (list, dict) else trail


def asks_for_title(node: Any) -> bool:
    """Return whether it depends on titles what a collector or a call realizes; they are tags."""
    if type(node) is not a.CollectExpression:
        return True
    return any(name in ("title", "name", "tag") for name, _ in attributes_asked(node))


def attributes_asked(node: Any) -> Iterator[tuple[str, str | None]]:
    """Yield the attributes that the queries of collectors in a node ask for.

    With each is the text that it must be equal to, None where that is computed, or is no equality.
    """
    pending = [(node, False)]
    while pending:
        one, inside = pending.pop()
        if inside and type(one) is a.ComparisonExpression:
            right = one.right_expr
            is_text = one.operator == "==" and type(right) in (a.LiteralString, a.QualifiedName)
            name = str(getattr(one.left_expr, "value", ""))
            yield name, str(getattr(right, "value", "")) if is_text else None
        is_query = inside or type(one) in (a.VirtualQuery, a.ExportedQuery)
        pending += [(part, is_query) for part in one or () if isinstance(part, tuple)]
