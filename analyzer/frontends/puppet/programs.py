"""The nodes and classes of a path as programs of their inputs, for the explorer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from analyzer.frontends.puppet.class_groups import ClassGroup, of_modules, of_site
from analyzer.frontends.puppet.compile import (
    compile_class,
    compile_node,
    read_manifests,
    refuse_unparsed,
)
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.node.environment import Environment, Settings, find_environment
from analyzer.frontends.puppet.node.names import values_in_data
from analyzer.frontends.puppet.targets import Target, targets_of
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.questions import Question, Questions, named
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts
from analyzer.model.catalog import Catalog


def programs_of(path: str, settings: Settings, watcher: Watcher) -> Iterator[Program]:
    """Yield a program for each node of a site, or for each class of modules.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program.
    """
    groups = of_modules(path, settings, watcher)
    if not groups:
        environment = find_environment(path, settings)
        known = read_manifests(environment, settings, watcher)
        refuse_unparsed(known, path)
        groups = of_site(path, settings, environment, known)
        if not groups:
            targets = targets_of(known, environment, settings)
            asked = Questions(known, of_data(environment, settings))
            for number, target in enumerate(targets, 1):
                if settings.progress is not None:
                    settings.progress(f"{number} of {len(targets)} nodes: {target.name}")
                compiled = partial(on_node, known, environment, target, path)
                yield Program(
                    target.name, compiled, asked, watcher, settings,
                    node=target.node, origin=target.origin,
                )  # fmt: skip
            if settings.progress is not None:
                settings.progress("")
    for group in groups:
        asked = Questions(group.known, of_data(group.environment, settings))
        for name in group.classes:
            alone = partial(of_class, group, name, path)
            own = frozenset({name.partition("::")[0]})
            yield Program(f"class {name}", alone, asked, watcher, settings, own)


def on_node(
    known: DefinitionTable,
    environment: Environment,
    target: Target,
    path: str,
    facts: Facts,
    settings: Settings,
) -> Catalog:
    """Compile a node or a role with facts."""
    return compile_node(known, environment, settings, target, facts, path)


def of_class(group: ClassGroup, name: str, path: str, facts: Facts, settings: Settings) -> Catalog:
    """Compile a class by itself with facts."""
    return compile_class(group, settings, name, facts, path, None)


def of_data(environment: Environment, settings: Settings) -> list[Question]:
    """Return the questions of Hiera's paths: values for which there are files, and none."""
    if environment.folder is None:
        return []
    asked = values_in_data(environment.folder, settings.hiera_config)
    return [Question(named(name), (*values, ABSENT), 0) for name, values in asked.items()]
