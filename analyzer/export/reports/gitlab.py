"""Findings as GitLab's Code Quality report: shown at the line in a merge request."""

from __future__ import annotations

from hashlib import sha256

from analyzer.diagnostics import Finding, Results
from analyzer.export.encode import json_text, relative_path, slashes
from analyzer.export.reports.sarif import fingerprints

SEVERITIES = {"error": "critical", "warning": "major", "note": "info"}


def render(results: Results) -> str:
    """Return a list with an entry for each finding, and for each input that cannot be read."""
    marks = fingerprints(results.findings)
    rows = [row(finding, mark) for finding, mark in zip(results.findings, marks, strict=True)]
    rows += [unreadable(name, message) for name, message in results.unreadable]
    return json_text(rows)


def row(finding: Finding, mark: str) -> dict[str, object]:
    """Return one finding; GitLab needs a place, so the input replaces an unknown one."""
    span = finding.span
    file = relative_path(span.file, finding.environment) if span else relative_path(finding.path)
    return entry(
        finding.code,
        finding.message,
        SEVERITIES[finding.severity],
        slashes(file),
        max(span.line, 1) if span else 1,
        mark,
    )


def unreadable(name: str, message: str) -> dict[str, object]:
    """Return an input that could not be checked."""
    mark = sha256(f"unreadable {name}".encode("utf-8", "surrogatepass")).hexdigest()
    return entry("unreadable", message, "blocker", slashes(relative_path(name)), 1, mark)


def entry(
    name: str, text: str, severity: str, file: str, line: int, mark: str
) -> dict[str, object]:
    """Return a row of the report."""
    return {
        "description": text,
        "check_name": name,
        "fingerprint": mark,
        "severity": severity,
        "location": {"path": file, "lines": {"begin": line}},
    }
