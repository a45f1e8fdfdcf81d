"""Measures the time of each stage and rule of the lint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

from analyzer.diagnostics import Results
from analyzer.linter.rule import Problem, Rule
from analyzer.session.lint.lint import Lint

# Seconds by stage or rule, in order.
Times = dict[str, float]


def profiled(lint: Lint) -> tuple[Results, Times, Times]:
    """Return the results, the seconds of each stage, and those of each rule.

    The time of shared work, such as an index, counts for the rule that needs it first.
    """
    stages: Times = {}
    rules: Times = {}
    lint.rules = [timed(rule, rules) for rule in lint.rules]
    done: dict[str, Callable[[], object]] = {
        "read manifests": lambda: (lint.manifests.subjects, lint.broken),
        "compile and relate": lambda: lint.runs,
        "search other worlds": lambda: lint.worlds.rows,
        "load policies": lambda: (lint.policies.refused, lint.policies.runs),
        "apply rules": lambda: lint.found,
    }
    for stage, work in done.items():
        start = perf_counter()
        work()
        stages[stage] = perf_counter() - start
    found = dict(rules)
    start = perf_counter()
    results = lint.results()
    stages["test fixes"] = perf_counter() - start
    return results, stages, found


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
