"""What is open: a catalog with its graph, and where it came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.apply.engine.skipping import Settings
    from analyzer.apply.report.run import Run
    from analyzer.apply.timeline import Timeline
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings as CompileSettings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from tui.present.edges import EdgeIndex


@dataclass(frozen=True, slots=True)
class Project:
    """A catalog, and what is asked of it.

    `kind` is catalog, manifests, policy, report or log; `path` is what the user named, `title`
    what the screens call it. `warnings` are what was odd and was survived. `record` gives the run
    that was recorded, `run` is what its report says; without a catalog of its own (`has_catalog`),
    that is all there is. `compiled_with` is how manifests were compiled. `otherwise`
    gives a policy's run in which a promise has another outcome, by a row as of a file of outcomes.
    """

    path: str
    kind: str
    title: str
    graph: RelationshipGraph
    runs: RunGraph
    settings: Settings
    edges: EdgeIndex
    config: Config | None = None
    warnings: tuple[str, ...] = field(default=())
    record: Callable[[], Timeline] | None = None
    has_catalog: bool = True
    run: Run | None = None
    compiled_with: CompileSettings | None = None
    otherwise: Callable[[dict[str, object]], Project] | None = None

    @property
    def catalog(self) -> Catalog:
        """The catalog of the graph."""
        return self.graph.catalog
