"""The values of an exploration: worlds, nodes and their findings, and the arms that none took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.worlds.conditions import Conjunct
from analyzer.frontends.puppet.worlds.world import World
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.completeness import Gap
from analyzer.source import Span
from analyzer.worlds.findings import WorldFinding


@dataclass(frozen=True, slots=True)
class ExploredWorld:
    """A world of a node: its facts, and its result.

    `state` is `ok`, `cycle`, `missing` (a relationship names a resource that is not declared),
    `refused` or `incomplete`. The graph of a refused world has the code that compiles despite the
    error. `resources` and `relationships` are counts.
    """

    world: World
    facts: Mapping[str, Any]
    state: str
    graph: RelationshipGraph | None
    cycles: tuple[Cycle, ...]
    error: CompileError | None
    gaps: tuple[Gap, ...]
    resources: int = 0
    relationships: int = 0


@dataclass(frozen=True, slots=True)
class ConditionalFinding:
    """A finding, its world, and its condition."""

    finding: WorldFinding
    world: ExploredWorld
    condition: tuple[Conjunct, ...]


@dataclass(slots=True)
class ExploredNode:
    """A node or a class with its worlds; `runs` counts the compiles.

    `like` is an earlier node with the same behaviour in all compared worlds: the search was made
    for that node. `origin` is the origin of the name.
    """

    name: str
    worlds: list[ExploredWorld] = field(default_factory=list)
    findings: list[ConditionalFinding] = field(default_factory=list)
    runs: int = 0
    exhausted: bool = True
    like: str = ""
    origin: str = "class"

    @property
    def state(self) -> str:
        """Return the worst state of its worlds; refused worlds count if all are."""
        states = {world.state for world in self.worlds}
        order = ("cycle", "missing", "incomplete", "ok", "refused")
        return next(state for state in order if state in states)

    def without_graphs(self) -> ExploredNode:
        """Return the node without its graphs, which take most of its memory."""
        worlds = [replace(world, graph=None) for world in self.worlds]
        findings = [replace(one, world=replace(one.world, graph=None)) for one in self.findings]
        return replace(self, worlds=worlds, findings=findings)

    def in_outline(self) -> ExploredNode:
        """Return the node with only its findings and the inputs of their worlds."""
        return replace(self, worlds=[], findings=[*map(in_outline, self.findings)])


def in_outline(found: ConditionalFinding) -> ConditionalFinding:
    """Return a finding with the parts that are compared, and the inputs of its world."""
    world = ExploredWorld(found.world.world, {}, "ok", None, (), None, ())
    return replace(found, finding=replace(found.finding, cycle=None), world=world)


def slim(found: ConditionalFinding) -> ConditionalFinding:
    """Return a finding without the parts that take most of its memory."""
    return replace(found, world=replace(found.world, graph=None, error=None, gaps=()))


@dataclass(frozen=True, slots=True)
class UntakenArm:
    """An arm that no world took: the place of its construct, its number, and the reason."""

    span: Span
    arm: int
    reason: str


@dataclass(slots=True)
class RepositoryExploration:
    """All nodes, and the arms that no world of any of them took.

    `private` are the classes of a module that do not compile by themselves in any world. `left` are
    the nodes or classes that were not explored because the time was used up, or `interrupted` by
    the user. `closed` are the folders that cannot be read.
    """

    nodes: list[ExploredNode]
    taken: int
    never: list[UntakenArm]
    private: list[str]
    left: list[str] = field(default_factory=list)
    closed: list[Gap] = field(default_factory=list)
    interrupted: bool = False

    @property
    def gaps(self) -> list[Gap]:
        """Return the gaps of all worlds that Puppet does not refuse, each once."""
        worlds = [world for node in self.nodes for world in node.worlds]
        inside = (gap for world in worlds if world.state != "refused" for gap in world.gaps)
        return list(dict.fromkeys([*self.closed, *inside]))
