"""The ancestors of a node of a syntax tree, which siblings share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload


class Ancestors(Sequence[Any]):
    """The nodes around a node, outermost first, as a linked list that siblings share.

    In a long chain, each arrow is inside the next one, so separate lists would fill the memory.
    """

    __slots__ = ("depth", "node", "outer")

    def __init__(self, outer: Ancestors | None = None, node: Any = None) -> None:
        self.outer = outer
        self.node = node
        self.depth: int = outer.depth + 1 if outer is not None else 0

    def __len__(self) -> int:
        return self.depth

    def __reversed__(self) -> Iterator[object]:
        at = self
        while at.outer is not None:
            yield at.node
            at = at.outer

    def __iter__(self) -> Iterator[Any]:
        yield from list(reversed(self))[::-1]

    @overload
    def __getitem__(self, index: int) -> object: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[object]: ...
    def __getitem__(self, index: int | slice) -> object:
        if index == -1 and self.outer is not None:
            return self.node
        return list(self)[index]
