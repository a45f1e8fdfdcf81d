"""Findings as workflow commands: GitHub shows them at the line in a pull request."""

from __future__ import annotations

from analyzer.diagnostics import Finding, Results
from analyzer.escape import joined, shown
from analyzer.export.encode import relative_path, slashes
from analyzer.model.completeness import hiding, statement

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(results: Results) -> str:
    """Return one command on each line; for several inputs, the last one is a summary."""
    names = {issue.code: issue.name for issue in results.issues}
    lines = [command(names, finding) for finding in results.findings]
    for name, message in results.unreadable:
        place = f"file={escape_property(name)},title=catgraph: cannot be read"
        lines.append(f"::error {place}::{escape(message)}")
    for line in statement(hiding(results.gaps)):
        lines.append(f"::warning title=catgraph incomplete::{escape(line)}")
    for line in statement(gap for gap in results.gaps if not gap.hides):
        lines.append(f"::notice title=catgraph::{escape(line)}")
    if len(results.inputs) + len(results.unreadable) > 1:
        lines.append(f"::notice title=catgraph::{escape(shown(results.summary))}")
    return "".join(f"{line}\n" for line in lines)


def command(names: dict[str, str], finding: Finding) -> str:
    """Return the command for one finding; without a known place, it is for the catalog."""
    properties = {}
    if finding.span:
        file = relative_path(finding.span.file, finding.environment)
        properties["file"] = slashes(file)
        if finding.span.line > 0:
            properties["line"] = str(finding.span.line)
        if finding.span.column > 0:
            properties["col"] = str(finding.span.column)
    else:
        properties["file"] = finding.path
    properties["title"] = f"{finding.code} {names[finding.code]}"
    shown = ",".join(f"{key}={escape_property(value)}" for key, value in properties.items())
    return f"::{COMMANDS[finding.severity]} {shown}::{escape(message(finding))}"


def message(finding: Finding) -> str:
    """Return the lines below the title, with the input if the place does not show it."""
    steps = [f"{step.text} [{step.span}]" if step.span else step.text for step in finding.steps]
    plain = finding.input in (".", finding.span.file if finding.span else "")
    first = finding.message if plain else f"{finding.input}: {finding.message}"
    return joined([first, *steps, *finding.notes])


def escape(text: str) -> str:
    """Escape the data of a command (actions/toolkit, escapeData)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape a property of a command (actions/toolkit, escapeProperty)."""
    return escape(shown(text)).replace(":", "%3A").replace(",", "%2C")
