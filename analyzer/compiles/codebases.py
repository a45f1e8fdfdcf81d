"""The code at a path: a site, or modules whose classes are compiled each by itself."""

from __future__ import annotations

import os
from collections.abc import Mapping

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.compile import Codebase, read_manifests, refuse_unparsed
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.limits import limited
from analyzer.frontends.puppet.evaluate.listening import Watch
from analyzer.frontends.puppet.evaluate.machine import STRICT
from analyzer.frontends.puppet.failures import explained
from analyzer.frontends.puppet.node.code import environment_of_code
from analyzer.frontends.puppet.node.contents import NOTHING
from analyzer.frontends.puppet.node.environment import Environment, Settings, find_environment
from analyzer.frontends.puppet.node.modules import (
    Module,
    environment_around,
    modules_at,
)
from analyzer.frontends.puppet.node.sites import folders_above
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.validate.walk import Strictness
from analyzer.source import Span


def codebases_of(
    path: str, settings: Settings, watch: Watch | None = None, *, whole: bool = False
) -> list[Codebase]:
    """Return the code at a path: modules, or a site, whose nodes or classes are compiled.

    Raises:
        InputError: something cannot be read, or there is nothing to compile.
        CompileError: as `site_at`.
    """
    modules = codebases_of_modules(path, settings, watch)
    if modules:
        return modules
    site = site_at(path, settings, watch, whole=whole)
    classes = classes_of(site.definitions, settings)
    of_nodes = settings.is_classified or settings.all_roles
    if not classes and (of_nodes or not defines_only(site.definitions)):
        return [site]
    if not classes:
        message = "there is nothing to compile: no class, and no code outside of definitions"
        raise InputError(message, Span(path), NOTHING)
    no_file = settings.is_code or os.path.isdir(path)
    inside = [] if settings.classes or no_file else modules_at(path)
    if inside:
        site = codebase_of(inside[0], settings, watch=watch)
    return [Codebase(site.environment, site.definitions, classes)]


def codebases_of_modules(
    path: str, settings: Settings, watch: Watch | None = None
) -> list[Codebase]:
    """Return the modules that a folder is or holds, with their classes; none for a site.

    Where classes are wanted by name, it is those; a name that no module has is the first one's,
    for Puppet to complain of.
    """
    of_nodes = settings.is_code or settings.is_classified or settings.all_roles
    if of_nodes or not os.path.isdir(path) or is_site(path):
        return []
    modules = [one for one in modules_at(path) if one.classes]
    beside: dict[str, frozenset[str]] = {}
    found = [codebase_of(one, settings, watch=watch, beside=beside) for one in modules]
    if not settings.classes:
        return found
    homes = {
        name: number for number, one in enumerate(modules) for name in (*one.classes, *one.private)
    }
    return [
        Codebase(one.environment, one.definitions, wanted)
        for number, one in enumerate(found)
        if (wanted := tuple(n for n in settings.classes if homes.get(n, 0) == number))
    ]


def site_at(
    path: str, settings: Settings, watch: Watch | None = None, *, whole: bool = False
) -> Codebase:
    """Return the site at a path, which has nodes.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read; or one cannot be parsed, and the site must be
            `whole`.
    """
    find = environment_of_code if settings.is_code else find_environment
    with explained(path), limited(settings.time_limit, settings.memory_limit):
        environment = find(path, settings)
    definitions = read_manifests(environment, settings, watch)
    if whole:
        refuse_unparsed(definitions, path)
    return Codebase(environment, definitions)


def is_site(folder: str) -> bool:
    """Return whether a folder has manifests of its own beside modules."""
    return any(name.endswith(".pp") for name in os.listdir(folder)) and not any(
        one.folder == os.path.normpath(folder) for one in modules_at(folder)
    )


def codebase_of(
    module: Module,
    settings: Settings,
    overlay: Mapping[str, str] | None = None,
    watch: Watch | None = None,
    beside: dict[str, frozenset[str]] | None = None,
) -> Codebase:
    """Return a module with its classes; `beside` as for `environment_around`."""
    environment = environment_around(module, settings, beside)
    definitions = definitions_of(module, environment, settings, overlay, watch)
    return Codebase(environment, definitions, module.classes)


def definitions_of(
    module: Module,
    environment: Environment,
    settings: Settings,
    overlay: Mapping[str, str] | None = None,
    watch: Watch | None = None,
) -> DefinitionTable:
    """Return the definitions that a module's classes see."""
    strict: Strictness = "error" if settings.puppet_version >= STRICT else "warning"
    placed = {module.name: module.folder}
    around = [module.folder, *folders_above(module.folder)]
    folders = () if settings.strict else tuple(around)
    return DefinitionTable(
        environment.modulepath, strict, overlay, placed, environment.folder, watch, folders
    )


def classes_of(known: DefinitionTable, settings: Settings) -> tuple[str, ...]:
    """Return the classes to compile of a site's definitions, none where its nodes are meant."""
    of_nodes = settings.classes or settings.is_classified or settings.all_roles
    if of_nodes or not defines_only(known):
        return settings.classes
    return tuple(name for kind, name in known.found if kind == "class")


def defines_only(known: DefinitionTable) -> bool:
    """Return whether the manifests hold definitions and nothing that uses them."""
    bodies = [program.body for program, _ in known.programs]
    parts = [
        part
        for body in bodies
        for part in (body.statements if isinstance(body, a.BlockExpression) else (body,))
        if not isinstance(part, a.Nop)
    ]
    kinds = (a.HostClassDefinition, a.ResourceTypeDefinition, a.FunctionDefinition, a.TypeAlias)
    return bool(parts) and all(isinstance(part, kinds) for part in parts)
