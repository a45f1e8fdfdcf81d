"""Finds the modules whose metadata does not admit the target."""

from __future__ import annotations

import os

from analyzer.frontends.puppet.node.declared import METADATA
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import modules_at
from analyzer.session.repository.bounds import metadata_of, refused
from analyzer.session.repository.modules import inventory_of
from analyzer.session.upgrade.causes import MODULES, Causes


def add_modules(causes: Causes, path: str, target: Settings) -> None:
    """Add a cause for each module that requires another version than the target."""
    folders = dict(inventory_of(path, target).installed)
    for module in modules_at(path):
        folders.setdefault(module.name, module.folder)
    for name, folder in sorted(folders.items()):
        if not os.path.isfile(os.path.join(folder, METADATA)):
            continue
        found = refused(name, metadata_of(name, folder), target.puppet_version)
        if found is not None:
            words = found.message.removesuffix(" (--puppet-version N)")
            causes.add(MODULES, name, words, span=found.span)
