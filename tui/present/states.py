"""The states of resources in a run; a container has the most severe state of its contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.present.detail import state_of
from tui.present.glyphs import LOOKS
from tui.present.pieces import Piece
from tui.run.rollup import DONE

if TYPE_CHECKING:
    from tui.run.branch import Branch

RANK = {word: number for number, word in enumerate(LOOKS)}


class States:
    """The states of one branch at its current position."""

    def __init__(self, branch: Branch) -> None:
        self.branch = branch

    def word(self, vertex: int) -> str:
        """Return the name in LOOKS of the state of a resource or container."""
        timeline, rollup = self.branch.timeline, self.branch.rollup
        if timeline.graph.resource(vertex) is not None:
            return state_of(timeline, vertex)
        counts = rollup.counts.get(vertex, {})
        return next((word for word in DONE if counts.get(word)), "waiting")

    def piece(self, vertex: int) -> Piece:
        """Return the glyph of a resource."""
        look = LOOKS[self.word(vertex)]
        return Piece(look.glyph, look.style)

    def ranked(self, vertex: int) -> tuple[int, Piece]:
        """Return the rank of a resource's state by severity, 0 the most severe, and its glyph."""
        return RANK[self.word(vertex)], self.piece(vertex)
