"""A control repo or module with several nodes or worlds: its nodes, explored one at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError, InputError
from analyzer.source import Span
from tui.project.against import placed
from tui.project.catalog import compile_settings, configuration, of_graph
from tui.project.child import Child, in_child
from tui.project.project import Cancelled, OpenRequest, Progress, Project

if TYPE_CHECKING:
    from analyzer.compiles.target import Target
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.worlds.explored import ExploredNode, ExploredWorld

# The compiles and seconds for each node, and those that decide whether a table is shown.
WORLDS, SECONDS = 64, 20.0
FIRST_WORLDS, FIRST_SECONDS = 8, 5.0
# Seconds for all nodes: you can watch and stop the exploration.
FOR_ALL = 1e9
TOO_MUCH = "too-much"


@dataclass(frozen=True, slots=True)
class OpenRepository:
    """Manifests with several nodes, classes or worlds, and the settings to compile them.

    `settings` are those of all; `chosen` has the settings that choose each node, role or class
    alone. A class that is compiled separately is named `class NAME`.
    """

    request: OpenRequest
    title: str
    settings: Settings
    chosen: Mapping[str, Settings]
    config: Config | None
    version: int

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the nodes, roles or classes, in their order."""
        return tuple(self.chosen)


@dataclass(frozen=True, slots=True)
class NodeResult:
    """A node with its worlds, or the error that ended its exploration."""

    name: str
    explored: ExploredNode | None = None
    error: str = ""

    @property
    def worlds(self) -> list[ExploredWorld]:
        """Return the worlds that behave differently."""
        return self.explored.worlds if self.explored else []


def repository_of(request: OpenRequest, progress: Progress) -> OpenRepository | None:
    """Return the repository at a path; None if it has one node and one world.

    A manifest with one node is never explored: you named it, so it opens at once.

    Raises:
        InputError: an input cannot be read.
            CompileError: a manifest is not a valid Puppet program.
    """
    config, version = configuration(request)
    settings = compile_settings(request, config, version)
    if settings is None:
        return None
    work = partial(settings_by_name, request.path, settings)
    chosen = in_child(work, request.path, partial(progress, "reading"))
    title = os.path.basename(os.path.abspath(request.path))
    found = OpenRepository(request, title, settings, chosen, config, version)
    names = found.names
    if len(names) > 1:
        return found
    if not names or not os.path.isdir(request.path):
        return None
    progress("looking for worlds")
    first = explorer(found, FIRST_WORLDS, FIRST_SECONDS)
    try:
        node = first.ask(names[0], partial(progress, "looking for worlds"))
    except CompileError as error:
        if error.code != TOO_MUCH:
            raise
        # The table gives its node more time.
        return found
    finally:
        first.end()
    return None if len(node.worlds) <= 1 and node.exhausted else found


def settings_by_name(path: str, settings: Settings) -> dict[str, Settings]:
    """Return the nodes, roles or classes at a path, each with the settings that choose it alone."""
    from analyzer.compiles.plan import NO_FACTS, plan_of

    targets = plan_of(path, settings, sets=NO_FACTS).targets
    return {target.name: settings_for(target, settings) for target in targets}


def settings_for(target: Target, settings: Settings) -> Settings:
    """Return the settings that choose a node, role or class alone."""
    if target.alone:
        return replace(settings, classes=(target.alone,))
    if target.role:
        return replace(settings, all_roles=True, roles=(target.role,))
    return replace(settings, node=target.node, all_roles=False)


def explorer(
    repository: OpenRepository, worlds: int = WORLDS, seconds: float = SECONDS
) -> Child[str, ExploredNode]:
    """Return a process that explores nodes or classes by their names; they have no graphs.

    It reads the repository once. Nodes that behave the same share one search.
    """
    from analyzer.frontends.puppet.worlds.explorer import Budget
    from analyzer.reach import lasting
    from analyzer.session.worlds.exploring import Exploring

    path, graph = repository.request.path, partial(graph_by, repository)
    made: list[Exploring] = []

    def explored(name: str) -> ExploredNode:
        if not made:
            lasting().__enter__()
            budget = Budget(worlds, seconds)
            made.append(Exploring(path, repository.settings, graph, budget, FOR_ALL, keep=False))
        (nodes,) = made
        found = nodes.node(name)
        if found is None:
            raise InputError("the explorer found no such node", Span(name))
        return found

    return Child(explored, path, graph)


def graph_by(repository: OpenRepository, catalog: Catalog) -> RelationshipGraph:
    """Return the graph of a catalog by the rules of a repository."""
    from analyzer.session.inputs import graph_of
    from analyzer.session.settings import rules_for

    return graph_of(catalog, rules_for(catalog, repository.config))


def result_of(
    explore: Child[str, ExploredNode], name: str, check: Callable[[], None]
) -> NodeResult:
    """Explore a node; an error becomes part of the result, as the other nodes go on.

    Raises:
        Cancelled: `check` raised it.
    """
    try:
        return NodeResult(name, explore.ask(name, check))
    except Cancelled:
        raise
    except (InputError, CompileError) as error:
        return NodeResult(name, error=str(error))
    except Exception as error:
        wrong = f"internal error, please report it: {type(error).__name__}: {error}"
        return NodeResult(name, error=wrong)


def open_world(
    repository: OpenRepository, name: str, world: ExploredWorld, progress: Progress
) -> Project:
    """Return the project of a node in a world, which is compiled again for its graph.

    Raises:
        CompileError: the node does not compile in this world.
        InputError: something cannot be read.
        Cancelled: `progress` raised it.
    """
    if world.error is not None:
        raise world.error
    span = Span(repository.request.path)
    graph = compiled(repository, name, world, progress)
    if graph is None:
        raise InputError(f"{name} no longer has such a world; open the folder again", span)
    project = of_graph(
        repository.request, graph, "manifests", repository.config, progress, repository.version
    )
    title = f"{name}, {world.world.system}"
    project = replace(project, title=title, compiled_with=repository.chosen[name], is_world=True)
    against = repository.request.options.get("against")
    return with_revision(repository, project, name, world, progress) if against else project


def compiled(
    repository: OpenRepository,
    name: str,
    world: ExploredWorld,
    progress: Progress,
    revision: str = "",
) -> RelationshipGraph | None:
    """Return the graph of a node in a world, also at another revision.

    None if there is no such node there, or Puppet refuses it.
    """
    from analyzer.frontends.puppet.worlds.explorer import Budget
    from analyzer.session.worlds.exploring import Exploring

    path, graph = repository.request.path, partial(graph_by, repository)

    def work() -> RelationshipGraph | None:
        with placed(path, revision) as there:
            nodes = Exploring(there, repository.chosen[name], graph, Budget(), FOR_ALL, keep=False)
            return nodes.graph_in(name, world)

    progress(f"compiling {name}")
    return in_child(work, path, partial(progress, f"compiling {name}"), graph)


def with_revision(
    repository: OpenRepository,
    project: Project,
    name: str,
    world: ExploredWorld,
    progress: Progress,
) -> Project:
    """Return the project of a world with the same world at the revision of `--against`.

    Raises:
        InputError: there is no such revision, or it cannot be read.
    """
    revision = str(repository.request.options["against"])
    graph = compiled(repository, name, world, progress, revision)
    if graph is None:
        warning = f"{name} has no world {world.world.system} at {revision}: nothing to compare"
        return replace(project, warnings=(warning, *project.warnings))
    other = of_graph(
        repository.request, graph, "manifests", repository.config, progress, repository.version
    )
    return replace(project, other=replace(other, title=revision, is_world=True))
