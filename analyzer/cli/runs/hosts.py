"""The providers and the graph of a run that starts from a host."""

from __future__ import annotations

import os

from analyzer.cli.shared.completeness import print_gaps
from analyzer.cli.shared.inputs import settings_for
from analyzer.cli.shared.output import warn
from analyzer.session.inputs import graph_of, kind_of, load_catalog
from analyzer.session.settings import config_for, rules_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.apply.host import Host
    from analyzer.apply.providers.table import Providers
    from analyzer.cli.shared.options import Options
    from analyzer.config import Config
    from analyzer.graph.relationship_graph import RelationshipGraph

# The references of resources whose generated resources are unknown, each with the reason.
Unannounced = tuple[tuple[str, str], ...]


def providers_for(path: str, options: Options, config: Config | None) -> Providers:
    """Return the providers, with the files of the input's modules."""
    from analyzer.apply.providers.files.sources import FileSources
    from analyzer.apply.providers.table import Providers

    settings = settings_for(kind_of(path), options, config)
    if settings is not None:
        from analyzer.frontends.puppet.node.environment import find_environment

        found = find_environment(path, settings)
        return Providers(FileSources(tuple(found.modulepath), found.name))
    given = options.modulepath.split(os.pathsep) if options.modulepath else ()
    return Providers(FileSources(tuple(given) or (config.modulepath if config else ())))


def graph_for(
    path: str, options: Options, providers: Providers, host: Host
) -> tuple[RelationshipGraph, Unannounced]:
    """Read the only catalog of a file, add its generated resources, and build its graph.

    Raises:
        InputError: it cannot be read.
    """
    from analyzer.apply.engine.generate import with_announced

    config = config_for(path, options.config)
    kind = kind_of(path)
    catalog = load_catalog(path, settings_for(kind, options, config), kind=kind)
    failed: list[tuple[str, str]] = []
    whole = with_announced(
        catalog, providers.find, host, lambda ref, why: failed.append((ref, why))
    )
    graph = graph_of(whole, rules_for(whole, config))
    warn(path, whole.warnings + graph.warnings)
    print_gaps(graph.gaps, options)
    return graph, tuple(failed)
