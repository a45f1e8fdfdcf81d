"""One arrow between two operands, as the pass of relationships reads it."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.syntax.ast import RelationshipExpression
from analyzer.model.values import Value
from analyzer.source import Span, place_of

# Comments around an arrow may hold text that looks like one.
COMMENT = re.compile(r"#[^\n]*|/\*.*?\*/", re.DOTALL)


class Arrow:
    """One pair of an arrow: sources and targets are references or collectors."""

    __slots__ = ("node", "parameter", "source", "target", "unit")

    def __init__(
        self, source: Value, target: Value, parameter: str, node: RelationshipExpression, unit: Unit
    ) -> None:
        self.source = source
        self.target = target
        self.parameter = parameter
        self.node = node
        self.unit = unit

    @property
    def span(self) -> Span:
        """The place of this arrow; a chain has several."""
        left, right = self.node.left_expr, self.node.right_expr
        text = self.unit.text
        between = COMMENT.sub(
            lambda match: " " * len(match[0]), text[left.offset + left.length : right.offset]
        )
        offset = left.offset + left.length + max(between.find(self.node.operator), 0)
        return Span(self.unit.file, *place_of(text, offset))
