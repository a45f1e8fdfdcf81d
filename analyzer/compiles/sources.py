"""Where the nodes of a site are found: named, in its code and data, or by a classifier."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from analyzer.compiles.target import Target
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.compile import Codebase
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.gaps import skipped_nodes
from analyzer.frontends.puppet.compiler.nodes import Blocks, names_for
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.facts import files_of_nodes
from analyzer.frontends.puppet.node.modules import classes_in, manifests_below
from analyzer.frontends.puppet.node.names import names_in_data
from analyzer.frontends.puppet.uses import OF_CLASSES, uses_in
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.completeness import Gap
from analyzer.source import Span

# The classes that are roles where `roles` in catgraph.toml does not say otherwise.
USUAL_ROLES = ("role::*", "roles::*")

# Functions that declare classes which their arguments do not name.
OF_ANY_CLASSES = OF_CLASSES | {"hiera_include", "create_resources", "ensure_resource"}


@dataclass(frozen=True, slots=True)
class Source:
    """A way to find the nodes of a site, each with the reason why it is compiled.

    `targets` returns None if the source does not apply. A source that `decides` is asked alone:
    no source after it counts if it applies.
    """

    name: str
    targets: Callable[[Codebase, Settings], Iterable[Target] | None]
    decides: bool = False


def targets_of(code: Codebase, settings: Settings, sources: Sequence[Source]) -> list[Target]:
    """Return the targets of a site, each once, without facts.

    Raises:
        InputError: roles are wanted and there are none, or a folder of nodes cannot be read.
    """
    once: dict[tuple[str, str], Target] = {}
    for source in sources:
        targets = source.targets(code, settings)
        if targets is None:
            continue
        for target in targets:
            once.setdefault((target.node, target.alone), target)
        if source.decides:
            break
    return list(once.values())


def wanted_roles(code: Codebase, settings: Settings) -> list[Target] | None:
    """Return the roles, if the user asks for these only.

    Raises:
        InputError: there are none.
    """
    if not settings.all_roles:
        return None
    roles = roles_of(code, settings, "the options ask for all roles")
    if roles:
        return roles
    patterns = ", ".join(settings.roles or USUAL_ROLES)
    raise InputError(f"there is no role class ({patterns})", Span(code.environment.folder or "."))


def named_nodes(code: Codebase, settings: Settings) -> list[Target] | None:
    """Return the nodes that the user names."""
    names = [settings.node] if settings.node else settings.nodes
    return [Target(name, "named", "named by --node or catgraph.toml") for name in names] or None


def nodes_of_classifier(code: Codebase, settings: Settings) -> list[Target] | None:
    """Return the nodes with a file in a folder of a classifier's answers.

    Raises:
        InputError: the folder cannot be read.
    """
    if not settings.nodes_dir:
        return None
    files = files_of_nodes(settings.nodes_dir).items()
    return [Target(name, path, f"answer of a classifier {path}") for name, path in files]


def roles_without_nodes(code: Codebase, settings: Settings) -> list[Target] | None:
    """Return the roles of a site whose own manifests declare no class, and its node blocks.

    Blocks without any code are left out.
    """
    if not may_have_roles(settings) or not declares_nothing(code.definitions):
        return None
    roles = roles_of(code, settings, "no node declares a class")
    blocks = (target for target, block in targets_of_blocks(code) if block.node.body is not None)
    return [*roles, *blocks] if roles else None


def nodes_of_blocks(code: Codebase, settings: Settings) -> Iterator[Target]:
    """Yield a node for each node block: for a pattern, an example of it."""
    yield from (target for target, _ in targets_of_blocks(code))


def targets_of_blocks(code: Codebase) -> Iterator[tuple[Target, Definition]]:
    """Yield a node for each node block, with the block."""
    for name, block in names_for(code.definitions.nodes).items():
        place = place_of(block)
        yield Target(name, place, f"node block {place}"), block


def nodes_with_facts(code: Codebase, settings: Settings) -> Iterator[Target]:
    """Yield the nodes with a file of their own facts, and a block.

    Raises:
        InputError: the folder cannot be read.
    """
    if settings.facts_dir:
        files = files_of_nodes(settings.facts_dir)
        for name in with_block(code, files):
            yield Target(name, files[name], f"facts {files[name]}")


def nodes_with_data(code: Codebase, settings: Settings) -> Iterator[Target]:
    """Yield the nodes with a file in Hiera's data, and a block."""
    folder = code.environment.folder
    if folder is not None and not settings.is_code:
        files = names_in_data(folder, settings.hiera_config)
        for name in with_block(code, files):
            yield Target(name, "Hiera's data", f"file {files[name]}")


def any_other_node(code: Codebase, settings: Settings) -> Iterator[Target]:
    """Yield a node with no special name, if there are no node blocks."""
    if not code.definitions.nodes:
        yield Target(EXAMPLE_NODE, "any other node", "there are no node blocks")


def listed_roles(code: Codebase, settings: Settings) -> list[Target]:
    """Return the roles of catgraph.toml, besides the nodes."""
    wanted = settings.roles and may_have_roles(settings)
    return roles_of(code, settings, "a role of catgraph.toml") if wanted else []


# In this order: a node has the reason of the first source that finds it.
SOURCES = (
    Source("all roles", wanted_roles, decides=True),
    Source("named nodes", named_nodes, decides=True),
    Source("answers of a classifier", nodes_of_classifier, decides=True),
    Source("roles of a site without nodes", roles_without_nodes, decides=True),
    Source("node blocks", nodes_of_blocks),
    Source("files of facts", nodes_with_facts),
    Source("files of data", nodes_with_data),
    Source("any other node", any_other_node),
    Source("roles", listed_roles),
)


def with_block(code: Codebase, names: Iterable[str]) -> Iterator[str]:
    """Yield the names that a node block applies to; without blocks, all."""
    nodes = code.definitions.nodes
    blocks = Blocks(nodes)
    yield from (name for name in names if not nodes or blocks.block_for(name)[0] is not None)


def may_have_roles(settings: Settings) -> bool:
    """Return whether roles are compiled as nodes: a program as classifier knows its own."""
    return settings.enc is None and not settings.is_code


def roles_of(code: Codebase, settings: Settings, reason: str) -> list[Target]:
    """Return the roles, each as a node of its own."""
    return [
        Target(f"{role.replace('::', '-')}.example.com", "a role", f"{role}: {reason}", role)
        for role in roles_in(code.environment.modulepath, settings.roles or USUAL_ROLES)
    ]


def place_of(block: Definition) -> str:
    """Return the place of a node block, with the pattern that its name is an example of."""
    place = f"{block.unit.file}:{block.line}"
    pattern = getattr(block.match, "pattern", None)
    return place if pattern is None else f"{place}, an example of /{pattern}/"


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


def unnamed_blocks(code: Codebase, settings: Settings, targets: Sequence[Target]) -> list[Gap]:
    """Return the node blocks for which no name is known, unless the user named the nodes."""
    chosen = settings.node or settings.nodes or settings.nodes_dir
    if chosen or (targets and all(target.role for target in targets)):
        return []
    named = {target.origin for target in targets}
    nodes = code.definitions.nodes
    own = {block.name for block in nodes if not hasattr(block.match, "pattern")}
    return skipped_nodes(b for b in nodes if place_of(b) not in named and b.name not in own)
