"""Classes compiled each by itself: those of modules, or of a manifest that only defines some."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.errors import Watch
from analyzer.frontends.puppet.evaluate.machine import STRICT
from analyzer.frontends.puppet.node.contents import NOTHING
from analyzer.frontends.puppet.node.environment import Environment, Settings
from analyzer.frontends.puppet.node.modules import (
    Module,
    environment_around,
    modules_at,
)
from analyzer.frontends.puppet.node.sites import folders_above
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.validate.walk import Strictness
from analyzer.source import Span

# Classes that an error names.
SHOWN = 5


@dataclass(frozen=True, slots=True)
class ClassGroup:
    """Classes, each compiled on its own, and the environment in which they are compiled."""

    environment: Environment
    known: DefinitionTable
    classes: tuple[str, ...]


def of_modules(path: str, settings: Settings, watch: Watch | None = None) -> list[ClassGroup]:
    """Return the classes of the modules that a folder is or holds, none for a site.

    Where classes are wanted by name, it is those; a name that no module has is the first one's,
    for Puppet to complain of.
    """
    of_nodes = settings.is_code or settings.is_classified or settings.all_roles
    if of_nodes or not os.path.isdir(path) or is_site(path):
        return []
    modules = [one for one in modules_at(path) if one.classes]
    beside: dict[str, frozenset[str]] = {}
    found = [of_module(one, settings, watch, beside) for one in modules]
    if not settings.classes:
        return found
    homes = {
        name: number for number, one in enumerate(modules) for name in (*one.classes, *one.private)
    }
    return [
        ClassGroup(one.environment, one.known, wanted)
        for number, one in enumerate(found)
        if (wanted := tuple(n for n in settings.classes if homes.get(n, 0) == number))
    ]


def is_site(folder: str) -> bool:
    """Return whether a folder has manifests of its own beside modules."""
    return any(name.endswith(".pp") for name in os.listdir(folder)) and not any(
        one.folder == os.path.normpath(folder) for one in modules_at(folder)
    )


def of_module(
    module: Module,
    settings: Settings,
    watch: Watch | None = None,
    beside: dict[str, frozenset[str]] | None = None,
) -> ClassGroup:
    """Return the classes of a module; `beside` as for `environment_around`."""
    environment = environment_around(module, settings, beside)
    return ClassGroup(
        environment, known_of(module, environment, settings, watch=watch), module.classes
    )


def known_of(
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


def of_site(
    path: str, settings: Settings, environment: Environment, known: DefinitionTable
) -> list[ClassGroup]:
    """Return the classes to compile of a site: those wanted by name, or all if nobody uses them.

    That is where its manifests hold nothing but definitions.

    Raises:
        InputError: they define no class either.
    """
    classes = classes_of(known, settings)
    of_nodes = settings.is_classified or settings.all_roles
    if not classes and (of_nodes or not defines_only(known)):
        return []
    if not classes:
        message = "there is nothing to compile: no class, and no code outside of definitions"
        raise InputError(message, Span(path), NOTHING)
    no_file = settings.is_code or os.path.isdir(path)
    modules = [] if settings.classes or no_file else modules_at(path)
    if modules:
        inside = of_module(modules[0], settings)
        return [ClassGroup(inside.environment, inside.known, classes)]
    return [ClassGroup(environment, known, classes)]


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


def several(path: str, classes: list[str]) -> InputError:
    """Return the error for several classes where one catalog was expected."""
    shown = ", ".join(classes[:SHOWN]) + (", ..." if len(classes) > SHOWN else "")
    found = f"there are {len(classes)} classes ({shown})"
    message = f"{found}, but only one was expected; choose one with --class NAME"
    return InputError(message, Span(path))


def check_parameters(known: DefinitionTable, settings: Settings, name: str) -> None:
    """Check that a class has the parameters for which the user gives values.

    Raises:
        InputError: it has no parameter of that name.
    """
    given = [key for key in settings.parameters if key.rpartition("::")[0] == name]
    definition = known.find("class", name) if given else None
    if definition is None:
        return
    names = [parameter.name for parameter in definition.node.parameters]
    for key in given:
        last = key.rpartition("::")[2]
        if last not in names:
            near = get_close_matches(last, names, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise InputError(f"class {name} has no parameter '{last}'{hint}", Span("--param"))
