"""The containment tree as lines, with the state of each resource and counts for containers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tui.present.computed import ComputedSequence
from tui.present.glyphs import FOLDED, LOOKS, OPEN
from tui.present.pieces import FILL, Line, Piece, printable, ref_pieces
from tui.run.rollup import DONE

if TYPE_CHECKING:
    from tui.run.rollup import RollUp
    from tui.run.tree import ContainerTree


class TreeLines(ComputedSequence[Line]):
    """The rows of a tree as lines; `look` returns the name in LOOKS of a resource's state."""

    def __init__(
        self,
        tree: ContainerTree,
        rollup: RollUp,
        look: Callable[[int], str],
        mark: Callable[[int], Piece],
    ) -> None:
        self.tree = tree
        self.rollup = rollup
        self.look = look
        self.mark = mark

    def __len__(self) -> int:
        return len(self.tree.rows)

    def item(self, index: int) -> Line:
        """Return the line at an index."""
        vertex, depth = self.tree.rows[index]
        indent = Piece("  " * depth)
        name = ref_pieces(printable(self.tree.graph.names[vertex]))
        if vertex in self.tree.contents:
            arrow = OPEN if vertex in self.tree.open else FOLDED
            return (self.mark(vertex), indent, Piece(f"{arrow} ", "dim"), *name, *self.sum(vertex))
        look = LOOKS[self.look(vertex)]
        if self.tree.graph.resource(vertex) is None:
            return (self.mark(vertex), indent, Piece("  "), *name)
        return (self.mark(vertex), indent, Piece(f"{look.glyph} ", look.style), *name)

    def sum(self, container: int) -> Line:
        """Return how many of a container's resources are done, and their outcomes."""
        counts = self.rollup.counts.get(container, {})
        total = self.rollup.totals.get(container, 0)
        done = sum(counts.values())
        if not total:
            return ()
        pieces = [FILL, Piece(f" {done}/{total}" if done else f" {total}", "dim")]
        for word in DONE[:-1]:
            if counts.get(word):
                look = LOOKS[word]
                pieces.append(Piece(f" {look.glyph}{counts[word]}", look.style))
        return tuple(pieces)
