"""Compiles the classes and defined types of a site that no node has, each by itself.

Manifests with node blocks that no site reads are compiled as sites of their own.
Those that Puppet does not find by their names, as their files have others, are compiled from these
files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf

from analyzer.compiles.compile import LATE, TOGETHER, CompileRun
from analyzer.compiles.own_code import OwnCode, OwnDefinition, is_defined, of_site, rounds_of
from analyzer.compiles.parts import CodePart, misplaced_in, unread_in
from analyzer.compiles.plan import CompilePlan, plan_of, plan_of_classes
from analyzer.compiles.result import CompileResult, CompileTarget
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compile import Codebase
from analyzer.frontends.puppet.failures import TOO_MUCH
from analyzer.frontends.puppet.node.environment import Environment, Settings
from analyzer.frontends.puppet.refusals import gap_of
from analyzer.limits import spent
from analyzer.model.catalog import Catalog
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.completeness import Gap
from analyzer.reach import RealPaths
from analyzer.reading import note_clock
from analyzer.source import Span

# Returns the function that compiles targets for a run, with the help of other processes.
Share = Callable[[CompileRun], CompileTarget]


@dataclass(slots=True)
class Unreached:
    """The catalogs of some classes that no node has; `settings` name the classes.

    `gaps` are those that cannot be compiled by themselves, and `errors` have their names.
    """

    path: str
    settings: Settings
    catalogs: list[Catalog] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    errors: list[tuple[str, CompileError]] = field(default_factory=list)


class Reached:
    """The definitions that catalogs have, each with the files that its catalog was made from."""

    def __init__(self, results: Iterable[CompileResult] = ()) -> None:
        self.files: dict[str, list[frozenset[str]]] = defaultdict(list)
        self.real = RealPaths()
        # Those for which no time was left: they are tried nowhere else.
        self.late: set[str] = set()
        for one in results:
            self.add(one)

    def add(self, result: CompileResult) -> set[str]:
        """Add the definitions of a result; return their names."""
        if result.error is not None and result.error.code == TOO_MUCH:
            self.late.add(result.target.alone)
        if result.catalog is None:
            return set()
        names = result.catalog.definitions
        used = frozenset(map(self.real.of, result.reads.used))
        for name in names:
            self.files[name].append(used)
        return set(names)

    def lacks(self, one: OwnDefinition) -> bool:
        """Return whether no catalog has a definition: another file may define its name."""
        file = self.real.of(one.span.file)
        return one.name not in self.late and not any(file in used for used in self.files[one.name])


def compile_unreached(
    run: CompileRun,
    code: OwnCode,
    reached: Reached,
    share: Share | None = None,
    *,
    is_beside: bool = False,
) -> Iterator[Unreached]:
    """Yield what no result of a plan has, compiled class by class; other processes `share` them.

    `is_beside` is as for `CodePart`.

    Raises:
        InputError: an input cannot be read.
    """
    own = code.definitions
    if run.plan.by_class and not is_beside:
        # Its classes are targets of the plan.
        own = [one for one in own if one.kind == "define"]
    yield from compile_nodes(run, code.of_nodes, reached)
    yield from compile_classes(run, own, reached, share)
    yield from compile_files(run, own, reached)


def compile_nodes(run: CompileRun, files: Iterable[str], reached: Reached) -> Iterator[Unreached]:
    """Yield the nodes of manifests that the site does not read.

    Raises:
        InputError: an input cannot be read.
    """
    site, environment = site_of(run.plan)
    for part in unread_in(site, environment.modulepath, files, environment.manifests):
        unread = Unreached(part.path, part.settings)
        with suppress(InputError, CompileError):
            compile_part(run, plan_of(part.path, part.settings), unread, reached)
        yield unread


def compile_classes(
    run: CompileRun, own: Sequence[OwnDefinition], reached: Reached, share: Share | None = None
) -> Iterator[Unreached]:
    """Yield what Puppet finds by its name and no result has, in rounds.

    Raises:
        InputError: an input cannot be read.
    """
    plan = run.plan
    code = plan.codebases[0]
    found: list[Unreached] = []

    def compile_round(names: tuple[str, ...]) -> set[str]:
        known = tuple(name for name in names if is_defined(code.definitions, name))
        some = Codebase(code.environment, code.definitions, known)
        part = plan_of_classes(plan.path, [some], plan.settings)
        one = Unreached(plan.path, replace(plan.settings, classes=known))
        found.append(one)
        return compile_part(run, part, one, reached, share) if known else set()

    rounds_of([one.name for one in of_site(code.environment, own)], reached.files, compile_round)
    yield from (one for one in found if one.settings.classes)


def compile_files(
    run: CompileRun, own: Sequence[OwnDefinition], reached: Reached
) -> Iterator[Unreached]:
    """Yield what no result has yet, compiled from the files of the definitions.

    They are compiled as long as they take no longer together than classes may.

    Raises:
        InputError: an input cannot be read.
    """
    site, environment = site_of(run.plan)
    limit = TOGETHER * site.settings.time_limit
    parts = [*misplaced_in(site, environment.modulepath, filter(reached.lacks, own))]
    end = spent() + limit if limit else inf
    for part in parts:
        misplaced = Unreached(part.path, part.settings)
        if spent() > end:
            note_clock()
            error = CompileError(LATE.format(limit), Span(part.path), TOO_MUCH)
            names = part.settings.classes
            misplaced.gaps += (gap_of(f"class {n}", error, EXAMPLE_NODE) for n in names)
            yield misplaced
            continue
        # The error of a file is that of a node, or of the lint.
        with suppress(InputError, CompileError):
            compile_part(run, plan_of(part.path, part.settings), misplaced, reached)
        yield misplaced


def site_of(plan: CompilePlan) -> tuple[CodePart, Environment]:
    """Return the site of a plan, and its environment."""
    return CodePart(plan.path, plan.settings), plan.codebases[0].environment


def compile_part(
    run: CompileRun,
    plan: CompilePlan,
    into: Unreached,
    reached: Reached,
    share: Share | None = None,
) -> set[str]:
    """Compile the classes of a plan; return the names of all that they reach.

    Raises:
        InputError: an input cannot be read.
    """
    part = CompileRun(plan)
    part.helper, part.outlines = run.helper, run.outlines
    names: set[str] = set()
    for result in part.results(share and share(part), save=False):
        if result.reads.of_moment:
            note_clock()
        names |= reached.add(result)
        if result.error is not None:
            into.errors.append((plan.label(result.target), result.error))
        if result.catalog is None:
            into.gaps += result.gaps
            continue
        result.catalog.name = plan.label(result.target)
        result.catalog.alone = bool(result.target.alone)
        into.catalogs.append(result.catalog)
    return names
