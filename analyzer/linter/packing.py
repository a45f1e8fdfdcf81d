"""Results of rules as plain values, for files and other processes: rules are not stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from analyzer.compiles.result import OF_THE_MOMENT
from analyzer.diagnostics import CompileError, Edit, Finding, Fix, Step
from analyzer.linter.checked import CheckedCatalog, Results
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.purges import Traces
from analyzer.linter.puppet.subjects import Refusal
from analyzer.linter.rule import Proposal, Rule
from analyzer.linter.run import Found
from analyzer.model.completeness import Gap
from analyzer.source import Span

Run = CheckedCatalog | Refusal | Failure


@dataclass(frozen=True, slots=True)
class PackedError:
    """A refusal as plain values, because exceptions do not keep their arguments."""

    name: str
    partial: bool
    message: str
    span: Span
    code: str
    snippet: str
    nodes: list[str]
    refusal: bool
    node: str


# The classes of which findings and results consist.
OF_FINDINGS = (Finding, Span, Step, Fix, Edit)
OF_RESULTS = (*OF_FINDINGS, CheckedCatalog, Failure, Gap, PackedError, Proposal, Traces)


def pack(run: Run) -> object:
    """Return a result as plain values."""
    if isinstance(run, CheckedCatalog):
        return replace(run, found=pack_results(run.found))
    if isinstance(run, Failure):
        return run
    e = run.error
    parts = (e.message, e.span, e.code, e.snippet, e.nodes, e.refusal, e.node)
    return PackedError(run.name, run.partial, *parts)


def unpack(packed: Any, rules: Mapping[str, Rule]) -> Run:
    """Return the result from plain values."""
    if isinstance(packed, CheckedCatalog):
        return replace(packed, found=unpack_results(packed.found, rules))
    if isinstance(packed, Failure):
        return packed
    error = CompileError(packed.message, packed.span, packed.code, packed.snippet)
    error.nodes, error.refusal, error.node = packed.nodes, packed.refusal, packed.node
    return Refusal(packed.name, error, packed.partial)


def pack_results(found: Mapping[str, Results]) -> Any:
    """Return the results of rules as plain values, without rules that found nothing."""
    return {
        code: ([(f.finding, f.proposals, f.unless_ok, f.is_ok) for f in results], failures)
        for code, (results, failures) in found.items()
        if results or failures
    }


def unpack_results(packed: Any, rules: Mapping[str, Rule]) -> dict[str, Results]:
    """Return the results of the rules that found something."""
    found: dict[str, Results] = {}
    for code, (results, failures) in packed.items():
        rule = rules[code]
        made = [Found(finding, rule, *rest) for finding, *rest in results]
        found[code] = (made, failures)
    return found


def may_keep(run: Run) -> bool:
    """Return whether another run would have the same result."""
    if isinstance(run, CheckedCatalog):
        return not any(failures for _, failures in run.found.values())
    return isinstance(run, Refusal) and run.error.code not in OF_THE_MOMENT
