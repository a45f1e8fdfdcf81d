"""Counts of resources by container and state, updated from step to step."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.apply.engine.pages import Pages
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.state import ResourceStatus, RunState
from analyzer.model.nouns import counted

Counts = dict[str, int]

# The states of a resource that had its turn, the most severe first.
DONE = ("failed", "failed_to_restart", "skipped", "changed", "restarted", "noop", "unchanged")


def ended(status: str, counts: Mapping[str, int]) -> str:
    """Return the outcome of a run, with the changes that noop prevented."""
    pending = counts.get("noop", 0)
    if pending and status == "unchanged":
        return f"unchanged, {counted(pending, 'resource')} would change"
    return status


class RollUp:
    """Counts by container and by state, and the resources that are done.

    `counts` is by the vertex of a container, None for all; `totals` are the resources of each.
    `done` has the places in the queue of the resources that had their turn, as the bits of an
    integer. `follow` reads only the states that changed. `like` is another object of the same
    graph, whose fixed parts are reused.
    """

    def __init__(self, graph: RunGraph, like: RollUp | None = None) -> None:
        self.graph = graph
        self.parents: dict[int, list[int]] = like.parents if like else parents_of(graph)
        self.totals: dict[int | None, int] = like.totals if like else self.all_totals()
        self.counts: dict[int | None, Counts] = {None: {}}
        self.words: dict[int, str] = {}
        self.done = 0
        self.statuses: Pages[ResourceStatus | None] = Pages([None] * graph.nodes)

    def all_totals(self) -> dict[int | None, int]:
        """Return how many resources each container has."""
        totals: dict[int | None, int] = {None: 0}
        for node in range(self.graph.vertices):
            if self.graph.resource(node) is not None:
                for above in self.above(node):
                    totals[above] = totals.get(above, 0) + 1
        return totals

    def above(self, node: int) -> list[int | None]:
        """Return the containers of a resource, and None."""
        found: dict[int | None, None] = {None: None}
        ahead = list(self.parents.get(self.known(node), ()))
        while ahead:
            at = ahead.pop()
            if at not in found:
                found[at] = None
                ahead += self.parents.get(at, ())
        return list(found)

    def known(self, node: int) -> int:
        """Return a node of the catalog: for a generated resource, one in the same container."""
        if node < self.graph.base:
            return node
        parent = self.graph.parent(node)
        return node if parent is None else self.graph.contents[parent][0]

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


def parents_of(graph: RunGraph) -> dict[int, list[int]]:
    """Return the containers of each vertex: a class may be in several."""
    found: dict[int, list[int]] = {}
    for container, contents in graph.contents.items():
        for vertex in contents:
            found.setdefault(vertex, []).append(container)
    return found


def word_of(status: ResourceStatus) -> str:
    """Return the name in DONE of a status."""
    if status.failed_to_restart:
        return "failed_to_restart"
    if status.failed:
        return "failed"
    if status.skipped:
        return "skipped"
    if status.changed:
        only_refresh = status.restarted and all(e.name == "refresh" for e in status.events)
        return "restarted" if only_refresh else "changed"
    if status.restarted:
        return "restarted"
    return "noop" if status.out_of_sync else "unchanged"
