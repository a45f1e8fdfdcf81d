"""What all nodes of a tree have."""

from __future__ import annotations

from typing import Protocol


class Node(Protocol):
    """Any node: what all of them have. (A union of all, each of tuples of all, is past mypy.)"""

    @property
    def offset(self) -> int:
        """Return the offset of the node in the text, in characters."""
        ...

    @property
    def length(self) -> int:
        """Return the number of characters that are marked as the node."""
        ...
