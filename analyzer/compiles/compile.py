"""Compiles the targets of a plan: the one place that asks the front end for catalogs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING

from analyzer.compiles.exchange import compile_together
from analyzer.compiles.outlined import Outlines, with_outlines
from analyzer.compiles.plan import CompilePlan
from analyzer.compiles.reads import Reads, reads_of
from analyzer.compiles.result import CompileResult, CompileTarget
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compile import (
    CatalogResult,
    Codebase,
    compile_class,
    compile_node,
    helper_for,
)
from analyzer.frontends.puppet.failures import TOO_MUCH
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.facts import fact_sets, facts_for, for_system
from analyzer.limits import collect_garbage, spent
from analyzer.model.documents import JsonObject
from analyzer.progress import followed
from analyzer.reading import noting
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.helper import Helper

# The time of all classes that are compiled by themselves, as a multiple of the limit of one.
TOGETHER = 2
LATE = "the classes before it took longer than {} seconds together (--time-limit N)"


def compile_with(
    target: Target,
    code: Codebase,
    settings: Settings,
    facts: JsonObject | None,
    path: str,
    helper: Helper | None = None,
    exports: Exports | None = None,
) -> CatalogResult:
    """Compile a node or a class by itself with facts, None: all are unknown.

    Raises:
        InputError: an input cannot be read.
    """
    collect_garbage()
    if target.alone:
        return compile_class(code, settings, target.alone, facts, path, helper)
    return compile_node(code, settings, target.node, target.role, facts, path, helper, exports)


@contextmanager
def ruby_for(settings: Settings) -> Iterator[Helper | None]:
    """Give the helper that evaluates Ruby, None unless the options ask for it.

    What the tables have is not asked for.

    Raises:
        InputError: there is no such Ruby.
    """
    with helper_for(settings) as helper:
        if helper is not None:
            from analyzer.graph.automatic.tables import tabled_types

            helper.tabled = tabled_types()
        yield helper


class CompileRun:
    """Compiles the targets of a plan; `typical`: gaps name facts that typical systems lack.

    Raises:
        InputError: facts cannot be read.
    """

    def __init__(self, plan: CompilePlan, *, typical: bool = True) -> None:
        self.plan = plan
        self.typical = typical
        self.sets = dict(fact_sets(plan.settings))
        self.helper: Helper | None = None
        # The stored outlines of compiles, where these serve as well.
        self.outlines: Outlines | None = None
        # The facts of the last target: classes that are compiled by themselves share theirs.
        self.last: tuple[str, str, JsonObject | None] | None = None

    def compile(self, target: Target, exports: Exports | None) -> CompileResult:
        """Compile a target; without exports, as where nothing is stored (storeconfigs).

        Raises:
            InputError: an input cannot be read.
        """
        code, settings, node = self.plan.codebases[target.codebase], self.plan.settings, target.node
        if self.typical:
            settings = for_system(settings, target.facts, node)
        with noting() as noted:
            facts, path = self.facts_of(target), self.plan.path
            made = compile_with(target, code, settings, facts, path, self.helper, exports)
        reads = reads_of(code.definitions, noted, exports, node)
        return CompileResult(target, made.catalog, made.error, reads)

    def facts_of(self, target: Target) -> JsonObject | None:
        """Return the facts of a target, None: all are unknown.

        Raises:
            InputError: a file of facts cannot be read.
        """
        name, node = target.facts, target.node
        if self.last is None or self.last[:2] != (name, node):
            facts = facts_for(self.plan.settings, name, self.sets[name], node)
            self.last = name, node, facts
        return self.last[2]

    def results(
        self,
        make: CompileTarget | None = None,
        only: Container[Target] | None = None,
        *,
        save: bool = True,
        separately: bool = False,
    ) -> Iterator[CompileResult]:
        """Yield the results of all targets, or of some.

        `make` compiles a target. The file of exported resources is written only to `save`. Nodes
        that are compiled `separately` collect nothing from each other.

        Raises:
            InputError: an input cannot be read.
        """
        make, settings = make or self.compile, self.plan.settings
        if self.outlines is not None:
            make = with_outlines(make, self.plan, self.outlines)
        for group in self.plan.groups:
            classes = [one for one in group if one.alone and (only is None or one in only)]
            nodes = [one for one in group if not one.alone]
            wanted = None if only is None else [one for one in nodes if one in only]
            for some in [[one] for one in nodes] if separately else [nodes] if nodes else []:
                yield from compile_together(
                    some,
                    make,
                    settings.store,
                    len(self.plan.sets),
                    save=save,
                    progress=settings.progress,
                    wanted=wanted,
                )
            waiting = followed(classes, settings.progress, "classes", lambda one: one.alone)
            yield from self.classes_alone(waiting, make)

    def classes_alone(
        self, classes: Iterable[Target], make: CompileTarget
    ) -> Iterator[CompileResult]:
        """Yield the results of classes that are compiled by themselves, as far as time allows.

        A few lines may define thousands of classes, each of which takes nearly as long as it may.
        """
        exports, limit = Exports(), TOGETHER * self.plan.settings.time_limit
        end = spent() + limit if limit else inf
        for one in classes:
            late = spent() > end
            yield too_late(one, self.plan, limit) if late else make(one, exports)


def too_late(target: Target, plan: CompilePlan, limit: int) -> CompileResult:
    """Return the result of a class for which no time is left."""
    known = plan.codebases[target.codebase].definitions
    found = known.find_class_or_define(target.alone)
    span = Span(found.unit.file, found.line) if found is not None else Span(plan.path)
    error = CompileError(LATE.format(limit), span, TOO_MUCH)
    return CompileResult(target, None, error, Reads(of_moment=True))
