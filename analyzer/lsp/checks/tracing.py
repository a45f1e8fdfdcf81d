"""Traced compiles of what a file belongs to: the origins of its values, and the reach of data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from time import monotonic

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.overlay import Overlay
from analyzer.compiles.plan import CompilePlan, plan_of
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.origins.contributors import Contributor, reach
from analyzer.frontends.puppet.origins.data import DataPlace
from analyzer.frontends.puppet.origins.explanation import Explanation
from analyzer.frontends.puppet.origins.telling import OriginRow, value_rows
from analyzer.frontends.puppet.origins.trace import Trace
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.lsp.checks.compiling import Interrupted, settings_for
from analyzer.lsp.checks.plans import plans_of
from analyzer.lsp.checks.reach import MOST_OF_MANIFEST, CompiledPart, Job
from analyzer.lsp.checks.site_nodes import AT_ONCE
from analyzer.lsp.languages.table import LANGUAGES
from analyzer.lsp.state.pictures import MOST_DETAILS
from analyzer.lsp.state.traced import Named, TracedNode

# Seconds of one compile and of all, and the rows about one value.
MOST_COMPILE, MOST_SECONDS, MOST_ROWS = 2, 10.0, 8


def trace_job(job: Job, is_stale: Callable[[], bool]) -> CompiledPart:
    """Return the traced nodes and classes of a job; of a file of data, the next ones of its site.

    Raises:
        InputError: an input cannot be read, or a configuration is wrong.
        Interrupted: `is_stale` reported another job between two compiles.
    """
    settings = replace(settings_for(job), time_limit=MOST_COMPILE, lenient=True)
    settings = replace(settings, overlay=Overlay(job.overlay))
    trace, end = Trace(), monotonic() + MOST_SECONDS
    found: list[TracedNode] = []
    done: list[str] = []
    total = 0
    try:
        for plan in plans_for(job, settings, Watcher(trace)):
            total += len(plan.subjects)
            for target, explanation in traced_in(plan, next_of(job, plan), trace):
                done.append(target.name)
                if explanation is not None:
                    found.append(traced_of(target, explanation, trace, job))
                if is_stale():
                    raise Interrupted
                if monotonic() > end:
                    break
    except CompileError:
        # The error is shown in the manifest that has it.
        return CompiledPart()
    return CompiledPart(tuple(done), total, tuple(found))


def is_of_data(job: Job) -> bool:
    """Return whether the file of a job has data."""
    return job.path.endswith(LANGUAGES["data"])


def plans_for(job: Job, settings: Settings, watcher: Watcher) -> Iterable[CompilePlan]:
    """Return the plans of the compiles that a file concerns; data may concern each of its site."""
    if is_of_data(job):
        return [plan_of(job.folder, settings, watcher, whole=True)]
    return plans_of(job, settings, watcher, None)


def next_of(job: Job, plan: CompilePlan) -> list[Target]:
    """Return the next nodes or classes to compile."""
    left = [one for one in plan.subjects if one.name not in job.done]
    return left[: min(AT_ONCE, MOST_OF_MANIFEST - len(job.done))]


def traced_in(
    plan: CompilePlan, targets: list[Target], trace: Trace
) -> Iterator[tuple[Target, Explanation | None]]:
    """Compile targets one after the other; yield their explanations while `trace` is theirs."""
    run = CompileRun(plan)
    for target in targets:
        try:
            result: CompileResult = run.compile(target, Exports())
        except InputError:
            yield target, None
            continue
        yield target, None if result.catalog is None else Explanation(trace)


def traced_of(target: Target, explanation: Explanation, trace: Trace, job: Job) -> TracedNode:
    """Return the origins in a file that a traced compile records."""
    origins = {} if is_of_data(job) else dict(origins_in(explanation, job))
    name = target.name if target.alone else f"node {target.name}"
    return TracedNode(name, origins, reached_in(explanation, trace))


def origins_in(explanation: Explanation, job: Job) -> Iterator[tuple[Named, tuple[OriginRow, ...]]]:
    """Yield the rows about values of the file: of its resources, and of its classes."""
    own = {name.lower() for name in job.names}
    count = 0
    for entry in explanation.entries():
        is_class = entry.type == "Class" and entry.title.lower() in own
        if is_class:
            around = explanation.presence_of(entry)
            for name, value, trail in explanation.variables(entry):
                secrets = explanation.hidden_for(name, value)
                rows = value_rows(trail, around, secrets)[:MOST_ROWS]
                yield (entry.ref, name), tuple(rows)
        elif entry.file and os.path.abspath(entry.file) == job.path and count < MOST_DETAILS:
            count += 1
            for name in entry.parameters:
                yield (entry.ref, name), tuple(explanation.value(entry, name)[:MOST_ROWS])


def reached_in(explanation: Explanation, trace: Trace) -> dict[str, frozenset[str]]:
    """Return the keys of data that anything of a catalog depends on, by file."""
    found: dict[str, set[str]] = {}
    for one in reach(roots_of(explanation, trace)):
        place = one.value
        if isinstance(place, DataPlace) and place.known and place.file is not None:
            found.setdefault(os.path.realpath(place.file), set()).add(place.key)
    return {file: frozenset(keys) for file, keys in found.items()}


def roots_of(explanation: Explanation, trace: Trace) -> Iterator[Contributor]:
    """Yield what resources, their values and the tests of the code depend on."""
    for entry in explanation.entries():
        yield explanation.presence_of(entry)
        for _, trail in explanation.trails(entry):
            yield from trail.everything()
    for tested in trace.decisions.values():
        yield from tested
