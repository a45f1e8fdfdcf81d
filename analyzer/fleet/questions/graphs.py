"""The graphs of a question: with the automatic relationships that the user's file adds."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from analyzer.config import Config, load
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.model.catalog import Catalog
from analyzer.session.locating import locate
from analyzer.session.settings import rules_for


@dataclass(frozen=True, slots=True)
class Graphs:
    """The options of graphs: `config` is the path of a `catgraph.toml`, `state` a hash of it."""

    config: str = ""
    state: str = ""

    def of(self, catalog: Catalog) -> RelationshipGraph:
        """Return the graph of a catalog, with the places of statements in the source at hand.

        Raises:
            InputError: the file says something unknown of a type.
        """
        graph = relate(catalog, rules_for(catalog, config_at(self.config, self.state)))
        locate(graph)
        return graph


# Without types of the user.
PLAIN = Graphs()


def graphs_with(config: Config | None, path: str | None) -> Graphs:
    """Return the graphs with the types of a configuration; without any, all are the same."""
    if config is None or not config.types or path is None:
        return PLAIN
    return Graphs(os.path.abspath(path), sha256(repr(config.types).encode()).hexdigest()[:16])


@lru_cache(maxsize=4)
def config_at(path: str, state: str) -> Config | None:
    """Return the configuration of a file, once for each state of it."""
    return load(path) if path else None
