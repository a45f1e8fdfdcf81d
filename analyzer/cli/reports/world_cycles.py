"""The cycles of manifests that occur only with other facts or parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.cli.reports.exploration_text import finding_report
from analyzer.cli.shared.inputs import settings_for
from analyzer.frontends.puppet.node.environment import find_environment
from analyzer.frontends.puppet.node.modules import environment_around, module_of
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.graph.findings import check
from analyzer.session.file_index import IndexedStates
from analyzer.session.inputs import graph_of, kind_of
from analyzer.session.lint.own_code import own_definitions_in
from analyzer.session.lint.request import worlds_of
from analyzer.session.settings import config_for, identity_of, rules_for
from analyzer.session.shared_compiles import SharedCompiles
from analyzer.session.worlds.budget import parts_for
from analyzer.session.worlds.joint import SearchesElsewhere
from analyzer.session.worlds.of_inputs import Asked, modules_of, search_inputs
from analyzer.session.worlds.stored import StoredSearches
from analyzer.session.worlds.turns import SearchKey, Turn
from analyzer.worlds.conditional import condition_text, keys_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence
    from typing import Any

    from analyzer.cli.shared.inputs import CheckedInputs
    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import OutputStyle
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.model.completeness import Gap
    from analyzer.session.workers import Workers
    from analyzer.session.worlds.bounded import Bounded
    from analyzer.session.worlds.of_inputs import Row


def in_other_worlds(
    options: Options, checked: CheckedInputs, workers: Workers[Any, Any] | None
) -> tuple[list[Row], list[Gap]]:
    """Return the findings that only other worlds have, and the gaps of the search."""
    bad = (check(n, graph) for n, graph in checked.graphs if graph.has_cycle or graph.missing_count)
    known: set[object] = {
        key for one in bad for finding in one.findings for key in keys_of(finding)
    }
    asked = [one for path in options.inputs for one in searches_of(options, path)]
    stored = stored_for(options, {one.path for one in asked if not one.of_site})
    named = [replace(one, stored=stored) for one in asked]
    of_path = {one.source: one for one in named}
    # Of those without a catalog, there is nothing to vary.
    alone = [
        of_path[source].by_itself(one.path, one.settings)
        for source, one in checked.unreached
        if one.catalogs and source in of_path
    ]
    return search_inputs([*named, *alone], known, workers, own_definitions_in)


def stored_for(options: Options, modules: Container[str]) -> StoredSearches | None:
    """Return the stored results of searches, None where nothing is stored.

    `modules` are the folders of modules that are searched.
    """
    store = user_cache()
    if options.no_cache or not store.folder:
        return None
    disk = IndexedStates(store, options.inputs)

    def around(path: str, settings: Settings) -> str:
        module = module_of(path) if path in modules else None
        if module is None:
            environment = find_environment(path, settings)
        else:
            environment = environment_around(module, settings)
        text = f"{identity_of(path, options.config)}\0{disk.environment(environment)}"
        return text if module is None else text + repr(module)

    return StoredSearches(store, disk, around)


def searches_of(options: Options, path: str) -> Iterator[Asked]:
    """Yield the searches of an input's worlds; each module has its own."""
    config = config_for(path, options.config)
    worlds = options.worlds or worlds_of(config)
    settings = settings_for(kind_of(path), options, config)
    if settings is not None and worlds > 1:
        made = partial(graph_for, config=config)
        if is_beside(path, options):
            parts = parts_for(path, options.divided[path].path)
            yield Asked(path, path, settings, made, worlds, parts, named=False)
            return
        modules = modules_of(path, settings)
        for one in modules:
            yield Asked(path, one, settings, made, worlds, parts_for(one, path))
        if not modules:
            sites = [one for one in options.inputs if not is_beside(one, options)]
            parts = max(1, len(sites))
            yield Asked(path, path, settings, made, worlds, parts, of_site=True)


def is_beside(path: str, options: Options) -> bool:
    """Return whether a part of an input is a module in which its site looks for no code."""
    return path in options.divided and path in options.divided[path].beside


def answering(options: Options) -> Callable[[Any], Any]:
    """Return the function that answers parts of the work of `cycles`, in a separate process."""

    def settings(path: str) -> Settings | None:
        return settings_for(kind_of(path), options, config_for(path, options.config))

    compiles = SharedCompiles(settings)
    asked: dict[str, Asked] = {}

    def make(key: SearchKey) -> Bounded:
        if not asked:
            asked.update(
                (one.path, one) for path in options.inputs for one in searches_of(options, path)
            )
        one, alone = asked[key.path], key.alone
        one = one.by_itself(alone.path, alone.settings(one.settings)) if alone else one
        return one.search()

    searches = SearchesElsewhere(make)
    return lambda part: (searches if isinstance(part, Turn) else compiles).answer(part)


def graph_for(catalog: Catalog, config: Config | None) -> RelationshipGraph:
    """Return the graph of a catalog."""
    return graph_of(catalog, rules_for(catalog, config))


def texts_of(rows: Sequence[Row], style: OutputStyle) -> dict[str, list[str]]:
    """Return the report of each cause and condition, with its nodes."""
    first: dict[object, str] = {}
    told: dict[str, list[str]] = {}
    for node, one, _ in rows:
        key = one.finding.kind, one.finding.statements, condition_text(one.condition)
        if key not in first:
            first[key] = finding_report(one, style, node.name) + "\n"
        told.setdefault(first[key], []).append(node.name)
    return told
