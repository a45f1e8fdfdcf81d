"""Finds the modules whose metadata does not admit the target."""

from __future__ import annotations

import os

from analyzer.frontends.puppet.node.declared import METADATA
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import modules_at
from analyzer.model.releases import FORK
from analyzer.model.versions import SemVerRange
from analyzer.session.repository.bounds import meet, metadata_of, refused
from analyzer.session.repository.modules import inventory_of
from analyzer.session.upgrade.causes import MODULES, Causes
from analyzer.session.upgrade.lacking import STDLIB

# The releases of stdlib that admit Puppet 8.
SINCE_STDLIB = SemVerRange.parse(f">= {STDLIB}.0.0")


def add_modules(causes: Causes, path: str, target: Settings) -> None:
    """Add a cause for each module that requires another version than the target."""
    folders = dict(inventory_of(path, target).installed)
    for module in modules_at(path):
        folders.setdefault(module.name, module.folder)
    for name, folder in sorted(folders.items()):
        if not os.path.isfile(os.path.join(folder, METADATA)):
            continue
        read = metadata_of(name, folder)
        found = refused(name, read, target.puppet_version)
        if found is not None:
            words = found.message.removesuffix(" (--puppet-version N)")
            causes.add(MODULES, name, words, span=found.span)
        for need in read.dependencies if target.puppet_version >= FORK else ():
            if need.name == "stdlib" and not meet(need.versions, SINCE_STDLIB):
                words = f"{name} requires stdlib {need.text}"
                hint = f"stdlib {STDLIB} is the first that admits Puppet {FORK}"
                causes.add(MODULES, (name, need.name), words, hint=hint, span=need.span)
