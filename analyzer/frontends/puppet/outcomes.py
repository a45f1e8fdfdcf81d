"""All catalogs of a path: one for every node, or class by itself, and every set of facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.class_groups import (
    ClassGroup,
    of_modules,
    of_site,
    several,
)
from analyzer.frontends.puppet.compile import (
    compile_class,
    compile_node,
    helper_for,
    read_manifests,
)
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.limits import limited
from analyzer.frontends.puppet.failures import Failed, explained
from analyzer.frontends.puppet.node.code import environment_of_code
from analyzer.frontends.puppet.node.environment import Environment, Settings, find_environment
from analyzer.frontends.puppet.node.exchange import compile_nodes
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.facts import fact_sets, facts_for, for_system, nodes_with
from analyzer.frontends.puppet.node.modules import unreadable_below
from analyzer.frontends.puppet.node.names import DEFAULT_NODE
from analyzer.frontends.puppet.refusals import gap_of
from analyzer.frontends.puppet.targets import (
    Target,
    left_out,
    several_nodes,
    targets_of,
)
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.helper import Helper

# The number of a set of facts, then a node, or the number of a group of classes and a class.
Key = tuple[int, str] | tuple[int, int, str]

Make = Callable[[Any, Exports], Catalog]


class Collects(Exception):
    """A node collects what others export, so that it cannot be compiled without them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The catalogs of the nodes, facts or classes that compile, and the error of the others."""

    catalogs: list[Catalog]
    error: CompileError | None = None

    def all(self) -> list[Catalog]:
        """Return the catalogs.

        Raises:
            CompileError: one is missing.
        """
        if self.error is not None:
            raise self.error
        return self.catalogs


def compile_path(
    path: str,
    settings: Settings,
    *,
    one: bool = False,
    shared: Callable[[Site | Classes], Make] | None = None,
) -> Outcome:
    """Compile a manifest, a folder or a control repo: for each node and set of facts a catalog.

    Of modules, and of a manifest that only defines classes, each class is compiled by itself; `one`
    refuses several classes or nodes. `shared` returns what makes catalogs with the help of others,
    and raises `Collects` where they cannot.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    compiles = compiles_of(path, settings)
    if one:
        compiles.refuse_several()
    with helper_for(settings) as compiles.helper:
        found = None
        if shared is not None:
            with suppress(Collects):
                found = compiles.outcome(shared(compiles))
        if found is None:
            found = compiles.outcome(compiles.make)
    closed = unreadable_below(compiles.folders)
    for catalog in found.catalogs:
        catalog.gaps += closed
    return found


def compiles_of(path: str, settings: Settings) -> Site | Classes:
    """Return the compiles of a path.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    if alone := of_modules(path, settings):
        return Classes(path, settings, alone)
    find = environment_of_code if settings.is_code else find_environment
    with explained(path), limited(settings.time_limit, settings.memory_limit):
        environment = find(path, settings)
    known = read_manifests(environment, settings)
    if alone := of_site(path, settings, environment, known):
        return Classes(path, settings, alone)
    return Site(path, settings, environment, known)


class Site:
    """The nodes and roles of a site, each with each set of facts."""

    def __init__(
        self, path: str, settings: Settings, environment: Environment, known: DefinitionTable
    ) -> None:
        self.path = path
        self.settings = settings
        self.environment = environment
        self.known = known
        self.targets: Sequence[Target] = targets_of(known, environment, settings)
        self.by_node = {target.node: target for target in self.targets}
        self.sets = list(fact_sets(settings))
        self.helper: Helper | None = None

    def refuse_several(self) -> None:
        """Refuse several nodes.

        Raises:
            InputError: there are.
        """
        if len(self.targets) > 1:
            raise several_nodes(self.path, self.targets)

    def nodes(self, number: int) -> list[str]:
        """Return the nodes of a set of facts."""
        return nodes_with(self.settings, self.by_node, self.sets[number][0])

    @property
    def keys(self) -> list[Key]:
        """The keys of all compiles, in the order in which they are made."""
        return [(number, one) for number in range(len(self.sets)) for one in self.nodes(number)]

    def make(self, key: tuple[int, str], exports: Exports) -> Catalog:
        """Return the catalog of a node.

        Raises:
            CompileError: there is none.
        """
        number, node = key
        name, facts = self.sets[number]
        own = facts_for(self.settings, name, facts, node)
        given = for_system(self.settings, name, node)
        known, target = self.known, self.by_node[node]
        return compile_node(
            known, self.environment, given, target, own, self.path, self.helper, exports
        )

    def outcome(self, make: Make) -> Outcome:
        """Return the catalogs of all nodes, each made by its key."""
        settings = self.settings
        catalogs = []
        several = len(self.sets) * len(self.targets) > 1
        failed = Failed(several, self.known.unparsed_files)
        for number, (name, _) in enumerate(self.sets):

            def compile_one(node: str, exports: Exports, number: int = number) -> Catalog:
                return make((number, node), exports)

            made_of = compile_nodes(
                self.nodes(number),
                compile_one,
                settings.store,
                len(self.sets),
                progress=settings.progress,
            )
            for node, made in made_of:
                where = self.by_node[node].name + (f", {name}" if len(self.sets) > 1 else "")
                with failed.on(where, node):
                    catalog = made.catalog if isinstance(made, CompileError) else made
                    if catalog is not None:
                        catalog.name = where
                        catalogs.append(catalog)
                    if isinstance(made, CompileError):
                        raise made
        without_name = left_out(self.known, settings, self.targets)
        for catalog in catalogs:
            catalog.gaps += without_name
        return Outcome(catalogs, failed.error)

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folders that the site is in, and those of its modules."""
        own = self.environment.folder
        return (*([] if own is None else [own]), *self.environment.modulepath)


class Classes:
    """Classes each by itself; one that cannot be compiled is a gap, unless it was asked for."""

    def __init__(self, path: str, settings: Settings, groups: Sequence[ClassGroup]) -> None:
        self.path = path
        self.settings = settings
        self.groups = groups
        self.sets = list(fact_sets(settings))
        node = settings.node or DEFAULT_NODE
        self.facts = [facts_for(settings, name, facts, node) for name, facts in self.sets]
        self.helper: Helper | None = None

    def refuse_several(self) -> None:
        """Refuse several classes.

        Raises:
            InputError: there are.
        """
        names = [name for group in self.groups for name in group.classes]
        if len(names) > 1:
            raise several(self.path, names)

    @property
    def keys(self) -> list[Key]:
        """The keys of all compiles, in the order in which they are made."""
        sets = range(len(self.sets))
        groups = enumerate(self.groups)
        return [(at, n, name) for n, group in groups for at in sets for name in group.classes]

    def make(self, key: tuple[int, int, str], exports: Exports) -> Catalog:
        """Return the catalog of a class.

        Raises:
            CompileError: there is none.
        """
        at, number, name = key
        group, facts = self.groups[number], self.facts[at]
        settings = for_system(self.settings, self.sets[at][0], self.settings.node or DEFAULT_NODE)
        return compile_class(group, settings, name, facts, self.path, self.helper)

    def outcome(self, make: Make) -> Outcome:
        """Return the catalogs of all classes, each made by its key."""
        catalogs: list[Catalog] = []
        failed = Failed(len(self.keys) > 1)
        gaps: dict[str, Gap] = {}
        exports = Exports()
        for key in self.keys:
            shown = f"class {key[-1]}"
            where = f"{shown}, {self.sets[key[0]][0]}" if len(self.sets) > 1 else shown
            with failed.on(where, DEFAULT_NODE):
                try:
                    catalog = make(key, exports)
                except CompileError as error:
                    if error.catalog is not None:
                        catalogs.append(alone(error.catalog, where))
                    else:
                        gaps.setdefault(shown, gap_of(shown, error, DEFAULT_NODE))
                    raise
                catalogs.append(alone(catalog, where))
        if self.settings.classes or not catalogs:
            return Outcome(catalogs, failed.error)
        for catalog in catalogs:
            catalog.gaps += gaps.values()
        return Outcome(catalogs)

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folder of the modules."""
        return (self.path,)


def alone(catalog: Catalog, name: str) -> Catalog:
    """Return the catalog of a class by itself with its name."""
    catalog.name = name
    catalog.alone = True
    return catalog
