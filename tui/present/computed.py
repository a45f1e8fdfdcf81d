"""Sequences whose items are computed when they are needed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class ComputedSequence(Sequence[T]):
    """A sequence that computes an item for each index."""

    @abstractmethod
    def item(self, index: int) -> T:
        """Compute the item at an index."""

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self.item(i) for i in range(*index.indices(len(self)))]
        return self.item(index)
