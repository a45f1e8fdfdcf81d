"""Findings as JSON, for scripts."""

from __future__ import annotations

from analyzer.diagnostics import Finding, Fix, Results, Step
from analyzer.export.encode import json_text
from analyzer.export.values import gap_row
from analyzer.frontends.puppet.worlds.tests import Absent
from analyzer.source import Span


def render(results: Results) -> str:
    """Return the findings, unreadable inputs, gaps and the summary."""
    return json_text(
        {
            "findings": [finding_row(finding) for finding in results.findings],
            "unreadable": [
                {"input": name, "message": message} for name, message in results.unreadable
            ],
            "incomplete": [gap_row(gap) for gap in results.gaps],
            "summary": results.summary,
            **({"coverage": results.coverage} if results.coverage else {}),
        }
    )


def finding_row(finding: Finding) -> dict[str, object]:
    """Return one finding."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        **place(finding.span),
        "refs": list(finding.refs),
        "steps": [step_row(step) for step in finding.steps],
        "notes": list(finding.notes),
        "input": finding.input,
        "catalogs": list(finding.inputs),
        "also": [
            {"message": one.message, "refs": list(one.refs), "input": one.input}
            | ({} if one.span == finding.span else place(one.span))
            for one in finding.also
        ],
        "condition": [condition_row(*part) for part in finding.condition],
        "fixes": [fix_row(fix) for fix in finding.fixes],
    }


def condition_row(name: str, operator: str, value: object) -> dict[str, object]:
    """Return a part of a condition; a value that is missing is null."""
    if isinstance(value, tuple):
        given: object = [None if isinstance(one, Absent) else one for one in value]
    else:
        given = None if isinstance(value, Absent) else value
    return {"input": name, "op": operator, "value": given}


def place(span: Span | None) -> dict[str, object]:
    """Return a place, with null for unknown parts."""
    if span is None:
        return {"file": None, "line": None, "column": None}
    return {"file": span.file, "line": span.line or None, "column": span.column or None}


def step_row(step: Step) -> dict[str, object]:
    """Return one step."""
    return {"text": step.text, **place(step.span), "refs": list(step.refs)}


def fix_row(fix: Fix) -> dict[str, object]:
    """Return one fix; the edits count characters from the start of the file."""
    return {
        "what": fix.what,
        "unsafe": fix.unsafe,
        "doubt": fix.doubt or None,
        "edits": [
            {"file": e.file, "start": e.start, "end": e.end, "text": e.text} for e in fix.edits
        ],
        "gained": [list(pair) for pair in fix.gained],
        "lost": [list(pair) for pair in fix.lost],
        "gained_count": fix.gained_count,
        "lost_count": fix.lost_count,
    }
