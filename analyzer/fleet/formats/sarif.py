"""The answer as SARIF: a result a cause, with its nodes as a property."""

from __future__ import annotations

import os

from analyzer.diagnostics import ISSUES, Finding, Issue, Results, Step
from analyzer.export.reports import sarif
from analyzer.fleet.causes import ClusteredCause, by_node, text_of
from analyzer.fleet.report import FleetReport, headline, some
from analyzer.fleet.values import CauseStatement
from analyzer.model.nouns import counted
from analyzer.source import Span


def render(report: FleetReport) -> str:
    """Return a log with one run."""
    codes = dict.fromkeys(cause.code for cause in report.causes)
    known = {**rules(), **ISSUES}
    issues = tuple(known.get(code) or Issue(code, code, "note", code) for code in codes)
    failed = tuple((one.node, one.reason) for one in by_node(report.failed))
    findings = tuple(finding(cause, report) for cause in report.causes)
    return sarif.render(Results(findings, issues, (), failed, report.summary))


def rules() -> dict[str, Issue]:
    """Return the rules of the lint by code."""
    from analyzer.linter.registry import all_rules

    return {code: rule.issue for code, rule in all_rules().items()}


def finding(cause: ClusteredCause, report: FleetReport) -> Finding:
    """Return a cause as a finding; its message does not change with the number of nodes."""
    texts = [text_of(one) for one in cause.statements]
    places = [span_of(one, report.root) for one in cause.statements]
    steps = tuple(map(Step, map(text_of, cause.statements), places))
    nodes = counted(len(cause.nodes), "node")
    notes = (
        f"{nodes} of {report.total:,}: {some(cause.nodes)}",
        f"for example {cause.example}: {' => '.join(cause.path)}",
    )
    return Finding(
        cause.code,
        cause.severity,
        "; ".join(dict.fromkeys([headline(cause), *filter(None, texts)])),
        next(filter(None, places), None),
        steps if len(steps) > 1 else (),
        notes,
        input=cause.example,
        path=report.source,
        also=tuple(Finding(cause.code, cause.severity, "", input=node) for node in cause.nodes),
    )


def span_of(statement: CauseStatement, root: str) -> Span | None:
    """Return the place of a statement, in its environment or from here."""
    file = statement.relative
    return Span(os.path.join(root, file), statement.line) if file else None
