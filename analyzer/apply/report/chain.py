"""Measured seconds on the relationship graph: the bound of a run, and its slow parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.apply.report.run import ReportedRun, ResourceTurn
from analyzer.graph.relationship_graph import NoOrderError, RelationshipGraph


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A resource of the critical chain: its seconds, and when it would be done at the earliest."""

    ref: str
    seconds: float
    done: float


@dataclass(frozen=True, slots=True)
class Timing:
    """A run on a graph.

    `chain` is the longest chain of seconds: however much were done at once, the run would take
    `bound` seconds. `unmatched` are resources of the run that the catalog does not have, `added`
    those of them that were found to belong to one that it has (what a recursive file generates),
    `absent` are those of the catalog that the run does not tell of.
    """

    run: ReportedRun
    chain: tuple[ChainLink, ...]
    unmatched: tuple[str, ...]
    added: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]

    @property
    def bound(self) -> float:
        """Return the seconds of the critical chain."""
        return self.chain[-1].done if self.chain else 0.0

    def slowest(self, count: int) -> list[ResourceTurn]:
        """Return the turns that took longest."""
        timed = [turn for turn in self.run.turns if turn.seconds]
        return sorted(timed, key=lambda turn: -(turn.seconds or 0.0))[:count]


def timing(graph: RelationshipGraph, run: ReportedRun) -> Timing:
    """Lay a run's seconds on a graph.

    Raises:
        NoOrderError: the graph has a cycle.
    """
    weights = [0.0] * len(graph.successors)
    seen: set[int] = set()
    unmatched, added = [], []
    for turn in run.turns:
        found = graph.id_of(turn.ref)
        if found is not None:
            seen.add(found)
        else:
            found = parent_of(graph, turn.ref)
            if found is None:
                unmatched.append(turn.ref)
                continue
            added.append((turn.ref, str(graph.resources[found])))
        weights[found] += turn.seconds or 0.0
    refs = [str(resource) for resource in graph.resources]
    absent = [refs[i] for i in range(graph.vertices) if not graph.is_container(i) and i not in seen]
    chain = longest(graph.successors, weights)
    links = tuple(
        ChainLink(refs[node], weights[node], done)
        for node, done in chain
        if node < graph.vertices and weights[node]
    )
    return Timing(run, links, tuple(unmatched), tuple(added), tuple(absent))


def parent_of(graph: RelationshipGraph, ref: str) -> int | None:
    """Return the file of the catalog that generated a file: the nearest folder above it."""
    if not ref.startswith("File[/"):
        return None
    path = ref[5:-1]
    while "/" in path[1:]:
        path = path[: path.rindex("/")]
        found = graph.id_titled("File", path)
        if found is not None:
            folder = graph.resources[found]
            return found if folder.parameters.get("recurse") else None
    return None


def longest(succ: Sequence[Sequence[int]], weights: Sequence[float]) -> list[tuple[int, float]]:
    """Return the heaviest path of an acyclic graph: nodes, each with the weight up to it.

    Raises:
        NoOrderError: the graph has a cycle.
    """
    blockers = [0] * len(succ)
    for targets in succ:
        for target in targets:
            blockers[target] += 1
    ready = [node for node, count in enumerate(blockers) if not count]
    before: list[int | None] = [None] * len(succ)
    start = [0.0] * len(succ)
    last, visited = None, 0
    while ready:
        node = ready.pop()
        visited += 1
        done = start[node] + weights[node]
        if last is None or done > start[last] + weights[last]:
            last = node
        for target in succ[node]:
            if done > start[target]:
                start[target], before[target] = done, node
            blockers[target] -= 1
            if not blockers[target]:
                ready.append(target)
    if visited < len(succ):
        raise NoOrderError("there is no order: the graph has a dependency cycle")
    path = []
    while last is not None:
        path.append((last, start[last] + weights[last]))
        last = before[last]
    return path[::-1]
