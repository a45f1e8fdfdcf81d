"""The plan of a path: every compile that is made of it, and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from analyzer.compiles.codebases import codebases_of
from analyzer.compiles.sources import SOURCES, Source, targets_of, unnamed_blocks
from analyzer.compiles.target import Target
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.compile import Codebase
from analyzer.frontends.puppet.evaluate.listening import Watch
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.facts import files_of_nodes, nodes_with, own_facts
from analyzer.frontends.puppet.node.names import config_for
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.completeness import Gap
from analyzer.source import Span

# Nodes or classes that an error names.
SHOWN = 5

# The only set of facts where there are no files of them, or where a search chooses facts.
NO_FACTS = ("",)


@dataclass(frozen=True, slots=True)
class CompilePlan:
    """The compiles of a path.

    The targets of a group are compiled together: nodes may collect what others export. `sets` are
    the names of the sets of facts, and `gaps` the node blocks for which no name is known.
    """

    path: str
    settings: Settings
    codebases: tuple[Codebase, ...] = field(repr=False, compare=False)
    sets: tuple[str, ...]
    groups: tuple[tuple[Target, ...], ...]
    gaps: tuple[Gap, ...] = ()

    @property
    def targets(self) -> list[Target]:
        """Return the targets in the order in which they are compiled."""
        return [target for group in self.groups for target in group]

    @property
    def subjects(self) -> list[Target]:
        """Return each node or class once: with the first of its sets of facts."""
        once: dict[tuple[int, str], Target] = {}
        for target in self.targets:
            once.setdefault((target.codebase, target.name), target)
        return list(once.values())

    @property
    def by_class(self) -> bool:
        """Return whether classes are compiled, each by itself."""
        return any(code.classes for code in self.codebases)

    @property
    def is_several(self) -> bool:
        """Return whether there may be several catalogs."""
        return len(self.sets) * len(self.subjects) > 1

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folders of the code: of modules, or of a site and its modules."""
        if self.by_class:
            return (self.path,)
        environment = self.codebases[0].environment
        own = environment.folder
        return (*([] if own is None else [own]), *environment.modulepath)

    def label(self, target: Target) -> str:
        """Return the name of a target's catalog: with the facts where there are several."""
        return f"{target.name}, {target.facts}" if len(self.sets) > 1 else target.name

    def refuse_several(self) -> None:
        """Refuse several nodes or classes where one catalog was expected.

        Raises:
            InputError: there are several.
        """
        names = [target.name for target in self.subjects]
        if len(names) < 2:
            return
        shown = ", ".join(name.removeprefix("class ") for name in names[:SHOWN])
        if not self.by_class:
            message = f"there are {len(names)} nodes ({shown}); choose one with --node NAME"
            raise InputError(message, Span(self.path), "bad-catalog")
        more = ", ..." if len(names) > SHOWN else ""
        message = (
            f"there are {len(names)} classes ({shown}{more}), but only one was expected; "
            "choose one with --class NAME"
        )
        raise InputError(message, Span(self.path))


def plan_of(
    path: str,
    settings: Settings,
    watch: Watch | None = None,
    sets: Sequence[str] | None = None,
    *,
    whole: bool = False,
) -> CompilePlan:
    """Return the plan of a manifest, a folder of modules, an environment or a control repo.

    `sets` are the names of sets of facts, None: those of the settings.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read; or one cannot be parsed, and the site must be
            `whole`.
    """
    found = codebases_of(path, settings, watch, whole=whole)
    if any(code.classes for code in found):
        return plan_of_classes(path, found, settings, sets)
    return plan_of_nodes(path, found[0], settings, sets)


def plan_of_classes(
    path: str, codebases: Sequence[Codebase], settings: Settings, sets: Sequence[str] | None = None
) -> CompilePlan:
    """Return the plan of the classes of some code, each compiled by itself."""
    names = sets_of(settings) if sets is None else tuple(sets)
    node = settings.node or EXAMPLE_NODE
    groups = tuple(
        tuple(
            Target(node, "class", reason_of(code, settings), None, one, name, number)
            for one in code.classes
        )
        for number, code in enumerate(codebases)
        for name in names
    )
    return CompilePlan(path, settings, tuple(codebases), names, groups)


def reason_of(code: Codebase, settings: Settings) -> str:
    """Return why the classes of some code are compiled."""
    if settings.classes:
        return "named by --class"
    is_site = bool(code.environment.manifests)
    return "no manifest of the site declares anything" if is_site else "class of a module"


def plan_of_nodes(
    path: str,
    code: Codebase,
    settings: Settings,
    sets: Sequence[str] | None = None,
    sources: Sequence[Source] = SOURCES,
) -> CompilePlan:
    """Return the plan of the nodes of a site.

    Raises:
        InputError: roles are wanted and there are none, or a folder of nodes cannot be read.
    """
    names = sets_of(settings) if sets is None else tuple(sets)
    found = targets_of(code, settings, sources)
    by_node = {target.node: target for target in found}
    groups = tuple(
        tuple(replace(by_node[node], facts=name) for node in nodes_with(settings, by_node, name))
        for name in names
    )
    return CompilePlan(
        path, settings, (code,), names, groups, tuple(unnamed_blocks(code, settings, found))
    )


def sets_of(settings: Settings) -> tuple[str, ...]:
    """Return the names of the sets of facts to compile with; no file is read."""
    return NO_FACTS if settings.fact_values is not None else settings.facts or NO_FACTS


def needs_of(plan: CompilePlan, target: Target) -> Iterator[tuple[str, str]]:
    """Yield the inputs that a compile needs besides code, each with its kind."""
    settings, environment = plan.settings, plan.codebases[target.codebase].environment
    place = f" ({environment.folder})" if environment.folder else ""
    yield "environment", f"{environment.name}{place}"
    yield "facts", facts_of(settings, target)
    if settings.nodes_dir and not target.alone and not target.role:
        answers = files_of_nodes(settings.nodes_dir)
        yield "classifier", answers.get(target.node, f"{settings.nodes_dir}: no answer")
    elif settings.enc and not target.alone and not target.role:
        yield "classifier", settings.enc
    data = settings.hiera_config or (environment.folder and config_for(environment.folder))
    if data and os.path.exists(data):
        yield "data", data
    if settings.store:
        yield "store", settings.store
    if settings.ruby:
        yield "ruby", settings.ruby


def facts_of(settings: Settings, target: Target) -> str:
    """Return the facts of a target in words: a file, a typical system, or none."""
    own = own_facts(settings, target.node)
    if own is not None:
        return own
    if settings.fact_values is not None:
        return "given values"
    return target.facts or ("[stubs.facts]" if settings.stubs.facts else "none: all are unknown")
