"""The causes of differences for commands that compare manifests: trees, settings and graphs."""

from __future__ import annotations

import os

from analyzer.cli.shared.inputs import graph_at, settings_for
from analyzer.frontends.puppet.node.environment import Settings, environment_above
from analyzer.session.attribution.attribute import Cause, Changed, causes_of
from analyzer.session.attribution.trees import Tree
from analyzer.session.attribution.trials import Maker
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.export.reports.diff_parts import ComparedNode
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog


def trees_of(first: str, second: str) -> tuple[Tree, Tree]:
    """Return the trees of two inputs that are seen from the working folder."""
    here = os.getcwd()
    roots = [root_of(path) for path in (first, second)]
    if roots[0] == roots[1] or any(map(os.path.isfile, roots)):
        roots = [os.path.realpath(path) for path in (first, second)]
    return Tree(first, roots[0], here), Tree(second, roots[1], here)


def root_of(path: str) -> str:
    """Return the folder of the code of an input; of a manifest in none the manifest itself."""
    above = path if os.path.isdir(path) else environment_above(path)
    return os.path.realpath(path if above is None else above)


def find_causes(
    nodes: Sequence[ComparedNode], trees: tuple[Tree, Tree], options: Options
) -> list[Cause]:
    """Return the causes of the differences of nodes."""
    changed = [Changed(one.name, one.first, one.second, one.diff) for one in nodes if one.differs]
    return causes_of(changed, *trees, maker_for(options)) if changed else []


def maker_for(options: Options) -> Maker:
    """Return the settings and the graphs that options ask for."""

    def settings(path: str) -> Settings:
        found = settings_for("manifests", options, config_for(path, options.config))
        return found or Settings()

    def graph(path: str, catalog: Catalog) -> RelationshipGraph:
        return graph_at(path, catalog, options, config_for(path, options.config))

    return Maker(settings, graph)
