"""The open project of the screens, and the request that opened it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.apply.engine.skipping import RunSettings
    from analyzer.apply.report.run import ReportedRun
    from analyzer.apply.timeline import Timeline
    from analyzer.config import Config
    from analyzer.frontends.cfengine.agent.agenda import Agenda
    from analyzer.frontends.cfengine.agent.run import Run as AgentRun
    from analyzer.frontends.puppet.node.environment import Settings as CompileSettings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from tui.project.neighbours import Surroundings


# Called with the name of each stage while something is opened; may raise Cancelled.
Progress = Callable[[str], None]


class Cancelled(Exception):
    """Raised if you cancelled the opening."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """An input to open, and the command's options by name, with which it is compiled."""

    path: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Project:
    """An input that is open: its catalog, its graph, and where they came from.

    `kind` is catalog, manifests, policy, report or log; `path` is the input as you named it,
    `title` its name on the screens. `warnings` are oddities that did not stop the reading.

    A report or journal has `record`, which returns the recorded run, and `run`, its summary.
    Without `has_catalog`, the resources come from the report alone. Manifests have `compiled_with`.
    A policy has `agent`, the simulated run of the agent, and `otherwise`, which simulates it again
    with one more outcome of a promise, a row as in a file of outcomes. `is_world` marks a catalog
    whose facts the explorer chose: it is of no real host, so it can only be simulated. `other` is
    the project to compare with; its title is your argument of `--against`.
    """

    path: str
    kind: str
    title: str
    graph: RelationshipGraph
    runs: RunGraph
    settings: RunSettings
    edges: Surroundings
    config: Config | None = None
    warnings: tuple[str, ...] = field(default=())
    record: Callable[[], Timeline] | None = None
    agent: tuple[AgentRun, Agenda] | None = None
    has_catalog: bool = True
    run: ReportedRun | None = None
    compiled_with: CompileSettings | None = None
    otherwise: Callable[[dict[str, object]], Project] | None = None
    is_world: bool = False
    other: Project | None = None

    @property
    def catalog(self) -> Catalog:
        """Return the catalog of the graph."""
        return self.graph.catalog
