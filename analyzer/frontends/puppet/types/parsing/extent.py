"""The text of a tree: from its first character to its last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet.syntax import ast


def text_of(node: ast.Node, source: str) -> str:
    """Return the text of a tree in its source."""
    nodes = list(_all(node))
    start = min(each.offset for each in nodes)
    return source[start : max(each.offset + each.length for each in nodes)]


def _all(node: Any) -> Iterator[ast.Node]:
    if hasattr(node, "offset"):
        yield node
    if isinstance(node, tuple):
        for each in node:
            yield from _all(each)
