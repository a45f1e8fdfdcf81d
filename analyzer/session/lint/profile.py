"""Measures the time of each stage and rule of the lint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any, TypeVar

from analyzer.linter.rule import Problem, Rule
from analyzer.session.lint.catalogs import CompiledInputs, compile_inputs
from analyzer.session.lint.check import check_parsed, search_of
from analyzer.session.lint.read import Sources, parse
from analyzer.session.lint.results import Linted, fix

# Seconds by stage or rule, in order.
Times = dict[str, float]
Result = TypeVar("Result")


def profiled(
    sources: Sources, compiled: CompiledInputs | None = None
) -> tuple[Linted, Times, Times]:
    """Return the results, the seconds of each stage, and those of each rule.

    `compiled` are results of compiling just these sources, None to compile them.

    The time of shared work, such as an index, counts for the rule that needs it first.
    """
    stages: Times = {}
    rules: Times = {}
    sources = replace(sources, rules=[timed(rule, rules) for rule in sources.rules])

    def done(stage: str, work: Callable[[], Result]) -> Result:
        start = perf_counter()
        result = work()
        stages[stage] = perf_counter() - start
        return result

    parsed = done("read manifests", lambda: parse(sources))
    made = done("compile and relate", lambda: compiled or compile_inputs(sources))
    worlds = search_of(sources, made.compiles)
    done("search other worlds", lambda: worlds.rows)
    done("load policies", lambda: (sources.policies.refused, sources.policies.runs))
    checked = done("apply rules", lambda: check_parsed(sources, parsed, made, worlds))
    found = dict(rules)
    return done("test fixes", lambda: fix(checked)), stages, found


def timed(rule: Rule, spent: Times) -> Rule:
    """Return a rule that adds its time to `spent`."""
    spent[rule.code] = 0.0

    def check(subject: Any) -> Iterator[Problem]:
        start = perf_counter()
        for problem in rule.check(subject):
            spent[rule.code] += perf_counter() - start
            yield problem
            start = perf_counter()
        spent[rule.code] += perf_counter() - start

    return replace(rule, check=check)


def table(stages: Times, rules: Times) -> str:
    """Return the times as lines: the stages in order, then the rules from slow to fast."""
    slowest = sorted(rules.items(), key=lambda one: (-one[1], one[0]))
    rows = [*stages.items(), *slowest]
    return "\n".join(f"{seconds * 1000:>10,.1f} ms  {name}" for name, seconds in rows)
