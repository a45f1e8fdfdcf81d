"""All catalogs of a path: one for every node, or class by itself, and every set of facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from analyzer.compiles.codebases import codebase_of
from analyzer.compiles.compile import CompileRun, ruby_for
from analyzer.compiles.exchange import Collects
from analyzer.compiles.outlined import Outlines
from analyzer.compiles.own_code import OwnCode, has_choice, is_defined
from analyzer.compiles.plan import CompilePlan, plan_of, plan_of_classes
from analyzer.compiles.result import CompileResult
from analyzer.compiles.unreached import Reached, Share, Unreached, compile_unreached
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compile import Codebase
from analyzer.frontends.puppet.failures import Failed
from analyzer.frontends.puppet.node.contents import NOTHING
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import Module, modules_at, unreadable_below
from analyzer.model.catalog import Catalog
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.completeness import Gap
from analyzer.reading import note_clock

# Returns the code itself, without that of others.
Own = Callable[[], OwnCode]
# Returns the stored outlines of the compiles of a plan.
Stored = Callable[[CompilePlan], Outlines | None]


@dataclass(frozen=True, slots=True)
class PathOutcome:
    """The catalogs of the nodes, facts or classes that compile, and the error of the others.

    `unreached` has the catalogs of the classes that no node has, if they are wanted.
    """

    catalogs: list[Catalog]
    error: CompileError | None = None
    unreached: Sequence[Unreached] = ()

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
    shared: Share | None = None,
    own: Own | None = None,
    stored: Stored | None = None,
    beside: Module | None = None,
) -> PathOutcome:
    """Compile a manifest, a folder or a control repo: for each node and set of facts a catalog.

    Of modules, and of a manifest that only defines classes, each class is compiled by itself; `one`
    refuses several classes or nodes. `shared` returns what makes catalogs with the help of others,
    and raises `Collects` where they cannot. `own` returns the code itself: definitions that no node
    has are compiled by themselves, and so are node blocks that no site reads, unless the user chose
    what is compiled. `stored` returns the outlines that serve in place of catalogs. `beside` is the
    module at the path, if no site looks for code in it.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    is_beside = beside is not None
    if beside is not None:
        run = CompileRun(plan_beside(beside, settings))
    else:
        run = CompileRun(plan_of(path, settings) if own is None else plan_with(path, settings))
    if one:
        run.plan.refuse_several()
    run.outlines = None if stored is None else stored(run.plan)
    with ruby_for(settings) as run.helper:
        outcome = None
        if shared is not None:
            reached = Reached()
            with suppress(Collects):
                results = followed_by(reached, run.results(shared(run)))
                outcome = outcome_of(run.plan, results, is_beside=is_beside)
        if outcome is None:
            reached = Reached()
            results = followed_by(reached, run.results())
            outcome = outcome_of(run.plan, results, is_beside=is_beside)
        if own is not None and not has_choice(settings):
            more = compile_unreached(run, own(), reached, shared, is_beside=is_beside)
            outcome = replace(outcome, unreached=[*outcome.unreached, *more])
    closed = unreadable_below(run.plan.folders)
    for catalog in outcome.catalogs:
        catalog.gaps += closed
    return outcome


def plan_with(path: str, settings: Settings) -> CompilePlan:
    """Return the plan of a path; without targets if it has only definitions of a module.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    try:
        return plan_of(path, settings)
    except InputError as error:
        modules = modules_at(path) if error.code == NOTHING and not has_choice(settings) else ()
        if not modules:
            raise
        return plan_of_classes(path, [codebase_of(one, settings) for one in modules], settings)


def plan_beside(module: Module, settings: Settings) -> CompilePlan:
    """Return the plan of a module in which no site looks for code.

    Classes that are not where Puppet looks for them are compiled from their files.
    """
    code = codebase_of(module, settings)
    classes = tuple(name for name in code.classes if is_defined(code.definitions, name))
    found = Codebase(code.environment, code.definitions, classes)
    return plan_of_classes(module.folder, [found], settings)


def followed_by(reached: Reached, results: Iterable[CompileResult]) -> Iterator[CompileResult]:
    """Yield results, and note the definitions that they have."""
    for result in results:
        reached.add(result)
        yield result


def outcome_of(
    plan: CompilePlan, results: Iterable[CompileResult], *, is_beside: bool = False
) -> PathOutcome:
    """Return the catalogs among results, and their errors as one; `is_beside` as for `CodePart`.

    A class that cannot be compiled by itself is a gap, unless it was asked for.
    """
    catalogs: list[Catalog] = []
    common = () if plan.by_class else plan.codebases[0].definitions.unparsed_files
    failed = Failed(plan.is_several, common)
    private: dict[str, Gap] = {}
    for result in results:
        target, label = result.target, plan.label(result.target)
        if result.reads.of_moment:
            note_clock()
        if result.catalog is not None:
            result.catalog.name = label
            result.catalog.alone = bool(target.alone)
            catalogs.append(result.catalog)
        elif target.alone:
            private.update((target.name, gap) for gap in result.gaps if target.name not in private)
        if result.error is not None:
            failed.add(result.error, label, EXAMPLE_NODE if target.alone else target.node)
    for catalog in catalogs:
        catalog.gaps += plan.gaps
    if is_beside and not catalogs:
        return PathOutcome([], None, [Unreached(plan.path, plan.settings, [], [*private.values()])])
    if not plan.by_class or plan.settings.classes or not catalogs:
        return PathOutcome(catalogs, failed.error)
    for catalog in catalogs:
        catalog.gaps += private.values()
    return PathOutcome(catalogs)
