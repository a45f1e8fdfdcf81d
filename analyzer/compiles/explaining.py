"""Explained compiles: the catalogs of a path with the origin of each resource and value."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.plan import plan_of
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.origins.explanation import Explanation
from analyzer.frontends.puppet.origins.trace import Trace
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.model.completeness import Gap


@dataclass(frozen=True, slots=True)
class ExplainedNode:
    """A node or class with the explanation of its catalog, or the error that prevented it."""

    name: str
    explanation: Explanation | None
    error: CompileError | None
    gaps: tuple[Gap, ...] = ()


def explain_path(
    path: str, settings: Settings, names: Container[str] | None = None
) -> Iterator[ExplainedNode]:
    """Yield the explanation of each node, or class that is compiled by itself, or of some.

    Templates and functions in Ruby are not run.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    trace = Trace(whole=True)
    run = CompileRun(plan_of(path, settings, Watcher(trace)))
    explanations: dict[Target, Explanation] = {}

    def compile_explained(target: Target, exports: Exports) -> CompileResult:
        result = run.compile(target, exports)
        if result.catalog is not None:
            explanations[target] = Explanation(trace)
        return result

    label = run.plan.label
    only = None if names is None else {one for one in run.plan.targets if label(one) in names}
    for result in run.results(compile_explained, only, save=False):
        name = label(result.target)
        gaps = () if result.catalog is None else tuple(result.catalog.gaps)
        yield ExplainedNode(name, explanations.get(result.target), result.error, gaps)
