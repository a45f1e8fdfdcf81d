"""The targets of a plan as programs of their inputs, for the explorer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from analyzer.compiles.compile import compile_with
from analyzer.compiles.plan import NO_FACTS, Plan, plan_of
from analyzer.compiles.target import Target
from analyzer.frontends.puppet.compile import CatalogResult, Codebase
from analyzer.frontends.puppet.node.environment import Environment, Settings
from analyzer.frontends.puppet.node.names import values_in_data
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.questions import Question, Questions, named
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts
from analyzer.model.certnames import EXAMPLE_NODE


def programs_of(path: str, settings: Settings, watcher: Watcher) -> Iterator[Program]:
    """Yield a program for each node of a site, or for each class of modules.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program.
    """
    yield from programs_in(plan_of(path, settings, watcher, NO_FACTS, whole=True), watcher)


def programs_in(plan: Plan, watcher: Watcher) -> Iterator[Program]:
    """Yield a program for each target of a plan."""
    asked: dict[int, Questions] = {}
    for target in plan.targets:
        number = target.codebase
        code = plan.codebases[number]
        if number not in asked:
            asked[number] = Questions(code.definitions, of_data(code.environment, plan.settings))
        own = frozenset({target.alone.partition("::")[0]} if target.alone else ())
        yield Program(
            target.name,
            partial(compile_in_world, target, code, plan.path),
            asked[number],
            watcher,
            plan.settings,
            own,
            EXAMPLE_NODE if target.alone else target.node,
            target.origin,
        )


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
