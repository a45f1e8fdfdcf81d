"""What a resource looks like in a run: of a container, the gravest of what it contains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.present.detail import state_of
from tui.present.glyphs import DONE, LOOKS
from tui.present.pieces import Piece

if TYPE_CHECKING:
    from tui.run.branch import Branch

RANK = {word: number for number, word in enumerate(LOOKS)}


class States:
    """Tells the states of one branch as it is when asked."""

    def __init__(self, branch: Branch) -> None:
        self.branch = branch

    def word(self, vertex: int) -> str:
        """Return which of LOOKS a resource or container is."""
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
        """Return the glyph of a resource, and how grave its state is: 0 is the gravest."""
        return RANK[self.word(vertex)], self.piece(vertex)
