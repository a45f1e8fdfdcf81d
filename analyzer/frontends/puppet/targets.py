"""The nodes and roles that a site is compiled for: named, found in its code and data, or listed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.gaps import skipped_nodes
from analyzer.frontends.puppet.compiler.nodes import Blocks, names_for
from analyzer.frontends.puppet.node.environment import Classified, Environment, Settings
from analyzer.frontends.puppet.node.facts import files_of_nodes
from analyzer.frontends.puppet.node.modules import classes_in, manifests_below
from analyzer.frontends.puppet.node.names import DEFAULT_NODE, names_in_data
from analyzer.frontends.puppet.uses import OF_CLASSES, uses_in
from analyzer.model.completeness import Gap
from analyzer.source import Span

# Nodes that an error names.
SHOWN = 5

# The classes that are roles where `roles` in catgraph.toml does not say otherwise.
USUAL_ROLES = ("role::*", "roles::*")

# Functions that declare classes which their arguments do not name.
OF_ANY_CLASSES = OF_CLASSES | {"hiera_include", "create_resources", "ensure_resource"}


@dataclass(frozen=True, slots=True)
class Target:
    """A node to compile, and where its name is from.

    A `role` is compiled as a node of its own, to which a classifier gives that class; node blocks
    do not apply to it.
    """

    node: str
    origin: str
    role: str | None = None

    @property
    def name(self) -> str:
        """Return the name that reports show."""
        return self.role or self.node


def targets_of(
    known: DefinitionTable, environment: Environment, settings: Settings
) -> list[Target]:
    """Return the nodes to compile: those of the options, else those that the repository declares.

    Roles are compiled if the user asks for them, or if the site declares no class by itself.

    Raises:
        InputError: roles are wanted and there are none, or a folder of nodes cannot be read.
    """
    named = [settings.node] if settings.node else list(settings.nodes)
    if settings.all_roles:
        roles = list(role_targets(environment, settings))
        if roles:
            return roles
        patterns = ", ".join(settings.roles or USUAL_ROLES)
        raise InputError(f"there is no role class ({patterns})", Span(environment.folder or "."))
    if named:
        return [Target(name, "named") for name in named]
    if settings.nodes_dir:
        names = files_of_nodes(settings.nodes_dir)
        return [Target(name, path) for name, path in names.items()]
    if settings.enc is None and not settings.is_code:
        wanted = settings.roles or declares_nothing(known)
        roles = list(role_targets(environment, settings)) if wanted else []
        if roles and declares_nothing(known):
            return roles
        return [*found_nodes(known, environment, settings), *roles]
    return found_nodes(known, environment, settings)


def found_nodes(
    known: DefinitionTable, environment: Environment, settings: Settings
) -> list[Target]:
    """Return the nodes of the node blocks, of data and of facts; without blocks, any other too."""
    blocks, names = Blocks(known.nodes), names_for(known.nodes)
    found = {name: Target(name, place_of(block)) for name, block in names.items()}
    for name, path in names_in_files(environment, settings):
        if not known.nodes or blocks.block_for(name)[0] is not None:
            found.setdefault(name, Target(name, path))
    if not known.nodes:
        found.setdefault(DEFAULT_NODE, Target(DEFAULT_NODE, "any other node"))
    return list(found.values())


def names_in_files(environment: Environment, settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the names of nodes that have data or facts of their own, with the place of these."""
    if settings.facts_dir:
        yield from files_of_nodes(settings.facts_dir).items()
    if environment.folder is not None and not settings.is_code:
        for name in names_in_data(environment.folder, settings.hiera_config):
            yield name, "Hiera's data"


def place_of(block: Definition) -> str:
    """Return the place of a node block, with the pattern that its name is an example of."""
    place = f"{block.unit.file}:{block.line}"
    pattern = getattr(block.match, "pattern", None)
    return place if pattern is None else f"{place}, an example of /{pattern}/"


def role_targets(environment: Environment, settings: Settings) -> Iterator[Target]:
    """Yield the roles, each as a node of its own."""
    for role in roles_in(environment.modulepath, settings.roles or USUAL_ROLES):
        yield Target(f"{role.replace('::', '-')}.example.com", "a role", role)


def roles_in(modulepath: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """Return the classes of modules whose names match one of some patterns."""
    patterns = [pattern.removeprefix("::") for pattern in patterns]
    found: set[str] = set()
    for place in modulepath:
        for module in os.listdir(place) if os.path.isdir(place) else ():
            if any(fnmatchcase(module, one.partition("::")[0]) for one in patterns):
                names = classes_in(manifests_below(os.path.join(place, module, "manifests")))
                found.update(name for name in names if matches(name, patterns))
    return sorted(found)


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Return whether a class is one of those that patterns name."""
    return any(fnmatchcase(name, one) for one in patterns)


def declares_nothing(known: DefinitionTable) -> bool:
    """Return whether a site's manifests declare no class, so that something else must."""
    return not any(
        use.kind == "class" or (use.kind == "function" and use.name in OF_ANY_CLASSES)
        for program, _ in known.programs
        for use in uses_in(program)
    )


def classified(settings: Settings, target: Target) -> Classified:
    """Return a classifier's answer for a node; the program runs if one is named.

    Raises:
        InputError: it says nothing of use.
    """
    if target.role:
        return Classified({target.role: None})
    if settings.nodes_dir is None and settings.enc is None:
        return Classified()
    from analyzer.frontends.puppet.node.classifier import classified_in, classify

    if settings.nodes_dir is not None:
        return classified_in(settings.nodes_dir, target.node)
    return classify(settings.enc or "", target.node)


def several_nodes(path: str, targets: Sequence[Target]) -> InputError:
    """Return the error for several nodes where one catalog was expected."""
    names = ", ".join(target.name for target in targets[:SHOWN])
    message = f"there are {len(targets)} nodes ({names}); choose one with --node NAME"
    return InputError(message, Span(path), "bad-catalog")


def left_out(known: DefinitionTable, settings: Settings, targets: Sequence[Target]) -> list[Gap]:
    """Return the node blocks for which no name is known, unless the user named the nodes."""
    chosen = settings.node or settings.nodes or settings.nodes_dir
    if chosen or (targets and all(target.role for target in targets)):
        return []
    named = {target.origin for target in targets}
    own = {block.name for block in known.nodes if not hasattr(block.match, "pattern")}
    return skipped_nodes(b for b in known.nodes if place_of(b) not in named and b.name not in own)
