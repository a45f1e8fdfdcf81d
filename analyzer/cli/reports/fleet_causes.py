"""The changed lines behind the differences of a fleet, from one node for each difference."""

from __future__ import annotations

import os
from dataclasses import replace

from analyzer.cli.reports.diff_causes import has_secret, place_of
from analyzer.cli.shared.fleet import compile_settings
from analyzer.fleet.fold import kind_of, unfold
from analyzer.reach import checkout
from analyzer.session.attribution.alterations import PARAMETER, Alteration
from analyzer.session.attribution.attribute import Cause as Behind
from analyzer.session.attribution.attribute import Changed, causes_of
from analyzer.session.attribution.trees import Tree
from analyzer.session.attribution.trials import Maker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.fleet.causes import ClusteredCause
    from analyzer.fleet.questions.graphs import Graphs
    from analyzer.fleet.report import FleetReport
    from analyzer.fleet.sources.repo import Repo
    from analyzer.fleet.values import CauseStatement
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog

# Nodes that are compiled again.
MOST = 20


def with_lines(
    report: FleetReport, old: Repo, new: Repo, options: Options, graphs: Graphs
) -> FleetReport:
    """Return the report with the changed lines behind its differences."""
    names = tuple(dict.fromkeys(cause.example for cause in report.causes))[:MOST]
    if not names or options.no_causes:
        return report
    trees = tree_of(old), tree_of(new)

    def settings(path: str) -> Settings:
        return replace(compile_settings(path, options), node=None, nodes=names)

    def graph(_: str, catalog: Catalog) -> RelationshipGraph:
        return graphs.of(catalog)

    maker = Maker(settings, graph)
    first, second = (maker.graphs(tree.path, names) for tree in trees)
    both = [name for name in names if name in first and name in second]
    changed = [
        Changed(name, first[name], second[name], first[name].diff(second[name])) for name in both
    ]
    behind = causes_of(changed, *trees, maker)
    causes = (replace(one, lines=tuple(lines_of(one, behind, trees))) for one in report.causes)
    return replace(report, causes=tuple(causes))


def tree_of(repo: Repo) -> Tree:
    """Return the files of a control repo."""
    root = checkout(repo.path)
    return Tree(repo.path, root, os.getcwd(), root)


def lines_of(
    cause: ClusteredCause, behind: Sequence[Behind], trees: tuple[Tree, Tree]
) -> Iterator[tuple[str, str]]:
    """Yield the changed lines behind a difference of its example, with their places."""
    for one in behind:
        rows = one.effects.get(cause.example, ())
        if any(is_about(row, cause.statements, cause.example) for row in rows):
            for piece in one.pieces:
                yield place_of(piece, trees, hidden=has_secret(one))


def is_about(row: Alteration, statements: Sequence[CauseStatement], node: str) -> bool:
    """Return whether one of the statements is about a difference of a node."""
    for statement in statements:
        names = [unfold(name, node) for name in statement.names]
        is_named = row.refs[0] in names or kind_of(row.refs[0]) in names
        if is_named and (row.kind != PARAMETER or f" {row.name} " in f"{statement.phrase} "):
            return True
    return False
