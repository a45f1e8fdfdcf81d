"""The targets of a plan as programs of their inputs, for the explorer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from threading import local
from typing import TYPE_CHECKING

from analyzer.compiles.codebases import codebases_of
from analyzer.compiles.compile import compile_with
from analyzer.compiles.plan import NO_FACTS, CompilePlan, plan_of
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compile import CatalogResult, Codebase
from analyzer.frontends.puppet.node.environment import Environment, Settings
from analyzer.frontends.puppet.node.names import values_in_data
from analyzer.frontends.puppet.worlds.learning import Learner
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.question import Question
from analyzer.frontends.puppet.worlds.questions import Questions, named
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.frontends.puppet.worlds.watcher import TraceWatcher, Watcher
from analyzer.frontends.puppet.worlds.world import Facts
from analyzer.model.certnames import EXAMPLE_NODE

if TYPE_CHECKING:
    from analyzer.frontends.puppet.origins.trace import Trace


def programs_of(
    path: str, settings: Settings, watcher: Watcher, *, whole: bool = True
) -> Iterator[Program]:
    """Yield a program for each node of a site, or for each class of modules.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program, and the site must be `whole`.
    """
    plan = plan_of(path, settings, watcher, NO_FACTS, whole=whole)
    yield from programs_in(plan, watcher, whole=whole)


def programs_in(plan: CompilePlan, watcher: Watcher, *, whole: bool = True) -> Iterator[Program]:
    """Yield a program for each target of a plan."""
    asked: dict[int, Questions] = {}
    tracing = Tracing(plan, whole=whole)
    for target in plan.targets:
        number = target.codebase
        code = plan.codebases[number]
        if number not in asked:
            asked[number] = Questions(code.definitions, of_data(code.environment, plan.settings))
        own = frozenset({target.alone.partition("::")[0]} if target.alone else ())
        program = Program(
            target.name,
            partial(compile_in_world, target, code, plan.path),
            asked[number],
            watcher,
            plan.settings,
            own,
            EXAMPLE_NODE if target.alone else target.node,
            target.origin,
        )
        program.learner = Learner(partial(tracing.trace, target))
        yield program


class Recording(local):
    """The record of the traces of a thread: code of modules is made ready for it once."""

    @cached_property
    def recorder(self) -> Trace:
        """The record of the last compile; most searches need none."""
        from analyzer.frontends.puppet.origins.trace import Trace

        return Trace()

    @cached_property
    def watcher(self) -> TraceWatcher:
        """The listener that the code is made ready for."""
        return TraceWatcher(self.recorder)


RECORDING = Recording()


class Tracing:
    """Traced compiles of the targets of a plan; its code is read once more for them."""

    def __init__(self, plan: CompilePlan, *, whole: bool) -> None:
        self.plan = plan
        self.whole = whole

    @cached_property
    def codebases(self) -> Sequence[Codebase]:
        """The code of the plan, made ready for traces."""
        plan = self.plan
        found = codebases_of(plan.path, plan.settings, RECORDING.watcher, whole=self.whole)
        for own, one in zip(plan.codebases, found, strict=False):
            if own.environment == one.environment:
                one.definitions.share(own.definitions)
        return found

    def trace(self, target: Target, facts: Facts, settings: Settings) -> Trace | None:
        """Compile a target with facts and settings; return what was recorded, None if it failed."""
        try:
            code = self.codebases[target.codebase]
            compile_with(target, code, settings, facts, self.plan.path)
        except (CompileError, InputError):
            return None
        return RECORDING.recorder


def compile_in_world(
    target: Target, code: Codebase, path: str, facts: Facts | None, settings: Settings
) -> CatalogResult:
    """Compile a target with the facts and settings of a world."""
    return compile_with(target, code, settings, facts, path)


def of_data(environment: Environment, settings: Settings) -> list[Question]:
    """Return the questions of Hiera's paths: values for which there are files, and none."""
    if environment.folder is None:
        return []
    asked = values_in_data(environment.folder, settings.hiera_config)
    return [Question(named(name), (*values, ABSENT), 0) for name, values in asked.items()]
