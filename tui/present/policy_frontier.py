"""The promises that the agent evaluates next, and those that wait, each with its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.agent.events import NOT_SET
from tui.present.computed import ComputedSequence
from tui.present.glyphs import LOOKS
from tui.present.pieces import Line, Piece, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.events import Event
    from tui.run.agent_timeline import AgentTimeline

# The reason why a promise waits, as the policy writes it.
NOT_BEGUN = {
    "class_guard": "{e.detail}::",
    "if": "if => {e.detail}",
    "unless": "unless => {e.detail}",
    "depends_on": "depends_on => {e.detail}",
    "class_already_set": "class {e.detail} is already set",
    "already_done": "locked",
    "held_unresolved": "undefined variables",
    "no_iteration": "empty list",
}


class PolicyFrontier(ComputedSequence[Line]):
    """Promises in the order of their turns, then those that wait to the end of the run.

    A skipped promise shows the reason, and the later step in which it has its turn, if any.
    `keep` filters by node.
    """

    def __init__(
        self,
        timeline: AgentTimeline,
        mark: Callable[[int], Piece],
        keep: Callable[[int], bool] | None = None,
    ) -> None:
        self.timeline = timeline
        self.mark = mark
        waiting = list(timeline.waiting())
        turns = {node: turn for node in waiting if (turn := timeline.turn(node)) is not None}
        coming = sorted(turns, key=turns.__getitem__)
        held = [node for node in waiting if node not in turns]
        self.counts = (len(coming), len(held))
        rows = [*coming, *held]
        self.rows = rows if keep is None else [node for node in rows if keep(node)]

    def __len__(self) -> int:
        return len(self.rows)

    def node(self, index: int) -> int:
        """Return the promise of a line."""
        return self.rows[index]

    def index(self, node: int, start: int = 0, stop: int | None = None) -> int:
        """Return the line of a promise, -1 if it has none."""
        return self.rows.index(node) if node in self.rows else -1

    def item(self, index: int) -> Line:
        """Return the line at an index."""
        node = self.rows[index]
        timeline = self.timeline
        turn, last = timeline.turn(node), timeline.look_at(node)
        word = "skipped" if turn is None else "waiting" if last else "ready"
        look = LOOKS["next" if node == timeline.next else word]
        name = ref_pieces(printable(timeline.graph.names[node]))
        why = f"  {printable(why_not_begun(last.event))}" if last and last.event else ""
        when = f"  step {turn}" if turn else ""
        return (
            self.mark(node),
            Piece(f"{look.glyph} ", look.style),
            *name,
            Piece(why, "warning"),
            Piece(when, "dim"),
        )


def why_not_begun(event: Event) -> str:
    """Return the reason why a promise has not begun."""
    if event.begun and event.outcome != NOT_SET:
        return "its bundle is running"
    if event.outcome == NOT_SET:
        return "its class expression is false"
    words = NOT_BEGUN.get(event.reason)
    return words.format(e=event) if words else event.detail or event.reason
