"""Findings as workflow commands: GitHub shows them at the line in a pull request."""

from __future__ import annotations

from analyzer.diagnostics import ISSUES, Finding
from analyzer.export.encode import printable, relative_path, slashes
from analyzer.graph.findings import Check, Report

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report) -> str:
    """Return a command a line; for several inputs the last line sums up, as a notice."""
    lines = [command(check, finding) for check in report.checks for finding in check.findings]
    for name, message in report.unreadable:
        place = f"file={escape_property(name)},title=catgraph: cannot be read"
        lines.append(f"::error {place}::{escape(message)}")
    if len(report.checks) + len(report.unreadable) > 1:
        lines.append(f"::notice title=catgraph::{escape(report.summary)}")
    return printable("".join(f"{line}\n" for line in lines))


def command(check: Check, finding: Finding) -> str:
    """Return the command for one finding; without a known place it is about the catalog."""
    properties = {}
    if finding.span:
        file = relative_path(finding.span.file, check.graph.catalog.environment)
        properties["file"] = slashes(file)
        if finding.span.line > 0:
            properties["line"] = str(finding.span.line)
    else:
        properties["file"] = check.graph.catalog.path
    properties["title"] = f"{finding.code} {ISSUES[finding.code].name}"
    shown = ",".join(f"{key}={escape_property(value)}" for key, value in properties.items())
    return f"::{COMMANDS[finding.severity]} {shown}::{escape(message(finding))}"


def message(finding: Finding) -> str:
    """Return the lines below the title."""
    steps = [f"{step.text} [{step.span}]" if step.span else step.text for step in finding.steps]
    return "\n".join([f"{finding.input}: {finding.message}", *steps, *finding.notes])


def escape(text: str) -> str:
    """Escape the data of a command (actions/toolkit, escapeData)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape a property of a command (actions/toolkit, escapeProperty)."""
    return escape(text).replace(":", "%3A").replace(",", "%2C")
