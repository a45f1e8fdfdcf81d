"""What the commands about one catalog have in common: read it, and tell references from inputs."""

from __future__ import annotations

from analyzer.cli.shared.completeness import gaps_of, tell
from analyzer.cli.shared.output import warn
from analyzer.model.names import split_ref
from analyzer.session import (
    config_for,
    graph_of,
    is_manifest,
    load_catalog,
    load_catalogs,
    rules_for,
    settings_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog


def read_graph(path: str, options: Options, data: bytes | None = None) -> RelationshipGraph:
    """Read the one catalog of a file and build its graph, with warnings and what is not known
    of it on standard error.

    `data` is what the file holds, if it was read already.

    Raises:
        InputError: it cannot be read.
    """
    config = config_for(path, options.config)
    catalog = load_catalog(path, settings_for(path, options, config), data)
    graph = graph_of(catalog, rules_for(catalog, config))
    warn(path, catalog.warnings + graph.warnings)
    tell(graph.gaps, options)
    return graph


def read_graphs(
    path: str, options: Options, data: bytes | None = None
) -> tuple[list[tuple[str, RelationshipGraph]], int]:
    """Read every catalog of a file, or of the nodes of a manifest, and build their graphs by name.

    Returns the graphs, and the exit code of what could not be compiled, 0 if all could be. The
    errors of nodes that do not compile are printed.

    Raises:
        InputError: it cannot be read.
        CompileError: a manifest cannot be compiled for any of the nodes.
    """
    config = config_for(path, options.config)
    found = []
    catalogs, failure = read_catalogs(path, settings_for(path, options, config), data)
    for catalog in catalogs:
        graph = graph_of(catalog, rules_for(catalog, config))
        warn(path, catalog.warnings + graph.warnings)
        found.append((catalog.name or "", graph))
    tell(gaps_of(graph for _, graph in found), options)
    if failure is None:
        return found, 0
    if not found:
        raise failure
    from analyzer.cli import explain

    return found, explain(failure)


def read_catalogs(
    path: str, settings: Settings | None, data: bytes | None = None
) -> tuple[Sequence[Catalog], Exception | None]:
    """Return the catalogs of an input, and why some nodes of a manifest have none."""
    if settings is None:
        return load_catalogs(path, settings, data), None
    from analyzer.diagnostics import CompileError

    try:
        return load_catalogs(path, settings, data), None
    except CompileError as error:
        return error.catalogs, error


def version_of(options: Options, config: Config | None) -> int:
    """Return Puppet's major version: the option's, else the file's, else the newest."""
    given: int | None = options.puppet_version
    return given or (config and config.puppet_version) or 8


def settings_for(path: str, options: Options, config: Config | None) -> Settings | None:
    """Return how to compile an input, None if it is no manifest; an option beats the file.

    Raises:
        InputError: the file names a program, and was not named itself.
    """
    if not is_manifest(path):
        return None
    from os import environ, pathsep

    if options.no_cache:
        environ["CATGRAPH_NO_CACHE"] = "1"
    given = {**vars(options), "puppet_version": version_of(options, config)}
    given["modulepath"] = options.modulepath.split(pathsep) if options.modulepath else ()
    return settings_of(config, given)


def refs_and_inputs(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split words into references (`Type[title]`) and inputs, in any order.

    A file whose name has that form is given with its folder, as in `./File[x]`.
    """
    refs = [word for word in words if is_ref(word)]
    return refs, [word for word in words if not is_ref(word)]


def is_ref(word: str) -> bool:
    """Tell whether a word is a reference; types hold no slash or dot."""
    parts = split_ref(word)
    return parts is not None and not set("/.") & set(parts[0])
