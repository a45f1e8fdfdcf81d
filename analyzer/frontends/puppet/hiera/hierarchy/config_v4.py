"""Hiera 4's data functions `MODULE::data` and `environment::data`, still known to Puppet 7."""

from __future__ import annotations

from analyzer.frontends.puppet.hiera.hierarchy.config import Config, Config5
from analyzer.frontends.puppet.hiera.sources.files import Warn


def legacy_function(root: str, function: str, layer: str, warn: Warn) -> Config:
    """The configuration that a `data_provider` of `function` stands for."""
    level = {"name": f"Legacy function '{function}'", "v4_data_hash": function}
    return Config5(root, None, {"version": 5, "hierarchy": [level]}, layer, warn)
