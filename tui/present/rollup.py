"""How many resources of each container are in which state, kept up from step to step."""

from __future__ import annotations

from analyzer.apply.pages import Pages
from analyzer.apply.run_graph import RunGraph
from analyzer.apply.state import ResourceStatus, RunState
from tui.present.glyphs import word_of

Counts = dict[str, int]


class RollUp:
    """Counts by container and by state, and which resources are done.

    `counts` is by vertex of a container, None standing for all; `totals` how many resources each
    has. `done` are the places in the queue of resources that were evaluated, as the bits of an
    integer. `follow` looks only at what is not as it was.
    """

    def __init__(self, graph: RunGraph) -> None:
        self.graph = graph
        self.totals: dict[int | None, int] = {None: 0}
        self.counts: dict[int | None, Counts] = {None: {}}
        self.words: dict[int, str] = {}
        self.done = 0
        for node in range(graph.vertices):
            if graph.resource(node) is not None:
                for above in self.above(node):
                    self.totals[above] = self.totals.get(above, 0) + 1
        self.statuses: Pages[ResourceStatus | None] = Pages([None] * graph.nodes)

    def above(self, node: int) -> list[int | None]:
        """Return the containers of a resource, and None."""
        found: list[int | None] = [None]
        at = self.graph.parent(node)
        while at is not None and at not in found:
            found.append(at)
            at = self.graph.parent(at)
        return found

    def follow(self, state: RunState) -> None:
        """Count the resources of a state."""
        for node in state.statuses.changed(self.statuses):
            if self.graph.resource(node) is None:
                continue
            status = state.statuses[node] if node < len(state.statuses) else None
            word = "" if status is None else word_of(status)
            before = self.words.get(node, "")
            if word != before:
                self.move(node, before, word)
        self.statuses = state.statuses

    def move(self, node: int, before: str, word: str) -> None:
        """Count a resource under another word."""
        if node < self.graph.base:
            self.done ^= (not before or not word) << self.graph.place[node]
        if word:
            self.words[node] = word
        else:
            del self.words[node]
        for above in self.above(node):
            counts = self.counts.setdefault(above, {})
            if before:
                counts[before] -= 1
            if word:
                counts[word] = counts.get(word, 0) + 1
