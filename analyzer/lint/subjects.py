"""What rules look at: a manifest as text and tree, or a compile as catalog and graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from analyzer.frontends.puppet.ast import Node, Program
from analyzer.frontends.puppet.diagnostic import place_of
from analyzer.frontends.puppet.validate.walk import PARTS
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.statements import Record
from analyzer.source import Span


@dataclass(frozen=True)
class Manifest:
    """One manifest: `file` as the user names it, its text and its tree."""

    file: str
    text: str
    program: Program

    def span(self, node: Node) -> Span:
        """Return where a node stands."""
        return self.span_at(node.offset)

    def span_at(self, offset: int) -> Span:
        """Return the place of a character."""
        return Span(self.file, *place_of(self.text, offset))

    def source(self, node: Node) -> str:
        """Return the text of a node."""
        return self.text[node.offset : node.offset + node.length]

    def nodes(self, *kinds: type) -> Iterator[tuple[Any, tuple[Any, ...]]]:
        """Yield the nodes of some kinds, each with the nodes around it, outermost first."""
        pending: list[tuple[Any, tuple[Any, ...]]] = [(self.program, ())]
        while pending:
            node, around = pending.pop()
            kind = type(node)
            if kind in kinds:
                yield node, around
            inner = (*around, node)
            for index in PARTS.get(kind, ()):
                part = node[index]
                if type(part) is tuple:
                    pending += [(one, inner) for one in reversed(part)]
                elif part is not None:
                    pending.append((part, inner))


@dataclass(frozen=True)
class Compiled:
    """One catalog and its graph; `record` is empty where it was not compiled here.

    `name` is what the user calls it, `text_of` gives the text of a manifest by its file, None if
    there is none.
    """

    name: str
    graph: RelationshipGraph
    record: Record = field(default_factory=Record)
    puppet_version: float = 8
    text_of: Callable[[str], str | None] = lambda file: None

    @cached_property
    def cyclic(self) -> bool:
        """Whether the graph has a cycle: then nothing has an order."""
        return self.graph.has_cycle
