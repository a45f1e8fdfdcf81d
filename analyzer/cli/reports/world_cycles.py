"""The cycles of manifests that occur only with other facts or parameters."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.cli.reports.exploration_text import finding_report
from analyzer.cli.shared.inputs import settings_for
from analyzer.compiles.codebases import is_site
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.modules import modules_at
from analyzer.graph.findings import FindingInWorld, check
from analyzer.session.inputs import graph_of, kind_of
from analyzer.session.keeping import depends_on_more, not_searched
from analyzer.session.lint.request import worlds_of
from analyzer.session.settings import config_for, rules_for
from analyzer.session.shared_compiles import SharedCompiles
from analyzer.session.worlds.bounded import Bounded, search_worlds
from analyzer.session.worlds.budget import OF_MODULE, parts_for
from analyzer.session.worlds.conditional import condition_text, finding_of, keys_of
from analyzer.session.worlds.gaps import gaps_of
from analyzer.session.worlds.turns import Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from analyzer.cli.shared.inputs import Checked
    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import Style
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.model.completeness import Gap
    from analyzer.session.workers import Workers
    from analyzer.session.worlds.gaps import WorkLeft
    from analyzer.session.worlds.searching import ConditionalFinding, ExploredNode, GraphOf

# The kinds of findings that `cycles` reports.
KINDS = ("cycle", "missing target")

Row = tuple["ExploredNode", "ConditionalFinding", FindingInWorld]
# The arguments of a search: folder, settings, function that makes graphs, worlds, parts of the
# budget.
Asked = tuple[str, "Settings", "GraphOf", int, int]


def in_other_worlds(
    options: Options, checked: Checked, workers: Workers[Any, Any] | None
) -> tuple[list[Row], list[Gap]]:
    """Return the findings that only other worlds have, and the gaps of the search."""
    bad = (check(n, graph) for n, graph in checked.graphs if graph.has_cycle or graph.missing_count)
    known: set[object] = {
        key for one in bad for finding in one.findings for key in keys_of(finding)
    }
    rows: list[Row] = []
    left: list[WorkLeft] = []
    once: list[Settings] = []
    most = 1
    for path in options.inputs:
        for asked in searches_of(options, path):
            if depends_on_more(asked[1]):
                once.append(asked[1])
                continue
            most = max(most, asked[3])
            with suppress(InputError, CompileError):
                found = search_worlds(*asked, workers)
                left.append(found.left)
                rows += rows_of(path, found.nodes)
    found_alone: list[Row] = []
    for path, one in checked.unreached:
        if most > 1 and one.catalogs and not depends_on_more(one.settings):
            made = partial(graph_for, config=config_for(path, options.config))
            with suppress(InputError, CompileError):
                found = search_worlds(one.path, one.settings, made, most, OF_MODULE, named=False)
                left.append(found.left)
                found_alone += rows_of(path, found.nodes)
    gaps = [*gaps_of(left, most), *not_searched(once)]
    of_nodes = without(rows, known)
    # What a node has is no finding of a class by itself.
    return [*of_nodes, *without(found_alone, known | keys_in(of_nodes))], gaps


def keys_in(rows: Sequence[Row]) -> set[object]:
    """Return the keys of findings."""
    return {key for *_, one in rows for key in keys_of(one.finding)}


def without(rows: Sequence[Row], known: set[object]) -> list[Row]:
    """Return the findings that are not known."""
    return [row for row in rows if known.isdisjoint(keys_of(row[2].finding))]


def searches_of(options: Options, path: str) -> Iterator[Asked]:
    """Yield the arguments of the searches of an input's worlds; each module has its own search."""
    config = config_for(path, options.config)
    worlds = options.worlds or worlds_of(config)
    settings = settings_for(kind_of(path), options, config)
    if settings is not None and worlds > 1:
        made = partial(graph_for, config=config)
        modules = modules_of(path, settings)
        for one in modules:
            yield one, settings, made, worlds, parts_for(one, path)
        if not modules:
            yield path, settings, made, worlds, len(options.inputs)


def modules_of(path: str, settings: Settings) -> list[str]:
    """Return the folders of the modules whose classes are compiled for a path."""
    if settings.classes or settings.is_code or settings.is_classified or settings.all_roles:
        return []
    alone = os.path.isdir(path) and not is_site(path)
    return [one.folder for one in modules_at(path) if one.classes] if alone else []


def answering(options: Options) -> Callable[[Any], Any]:
    """Return the function that answers parts of the work of `cycles`, in a separate process."""

    def settings(path: str) -> Settings | None:
        return settings_for(kind_of(path), options, config_for(path, options.config))

    compiles = SharedCompiles(settings)
    asked: dict[str, Asked] = {}
    searches: dict[str, Bounded] = {}

    def answer(part: Any) -> Any:
        if not isinstance(part, Turn):
            return compiles.answer(part)
        if not asked:
            asked.update(
                (one[0], one) for path in options.inputs for one in searches_of(options, path)
            )
        if part.path not in searches:
            searches.clear()
            searches[part.path] = Bounded(*asked[part.path])
        return searches[part.path].answer(part)

    return answer


def graph_for(catalog: Catalog, config: Config | None) -> RelationshipGraph:
    """Return the graph of a catalog."""
    return graph_of(catalog, rules_for(catalog, config))


def rows_of(path: str, nodes: Sequence[ExploredNode]) -> Iterator[Row]:
    """Yield the findings of nodes that `cycles` reports."""
    for node in nodes:
        for one in node.findings:
            if one.finding.kind in KINDS:
                finding = replace(finding_of(node, one), path=path)
                yield node, one, FindingInWorld(one.finding.cycle, finding)


def texts_of(rows: Sequence[Row], style: Style) -> dict[str, list[str]]:
    """Return the report of each cause and condition, with its nodes."""
    first: dict[object, str] = {}
    told: dict[str, list[str]] = {}
    for node, one, _ in rows:
        key = one.finding.kind, one.finding.statements, condition_text(one.condition)
        if key not in first:
            first[key] = finding_report(one, style, node.name) + "\n"
        told.setdefault(first[key], []).append(node.name)
    return told
