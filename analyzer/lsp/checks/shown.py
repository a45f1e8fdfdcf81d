"""Turns findings into diagnostics for an editor."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from lsprotocol import types

from analyzer.diagnostics import Finding, Step
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.source import Span, line_starts, without_secrets

SOURCE = "catgraph"

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "deprecation": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}

# Rules whose findings editors show as unused code.
UNUSED = ("CG001", "CG302", "CG309", "CG313", "CG314", "CG506", "CG510")
TAGS = {code: [types.DiagnosticTag.Unnecessary] for code in UNUSED}

# The text to mark if only a start is known: a word, a quoted text, or an operator.
WORD = re.compile(r"[\w:$@]+|'[^'\n]*'|\"[^\"\n]*\"|[-~<>=|]+|\S")

# The most related places of one diagnostic.
MOST_RELATED = 20


def diagnostics_of(
    snapshot: Snapshot, path: str, findings: Iterable[Finding]
) -> Iterator[types.Diagnostic]:
    """Yield diagnostics of the findings with a place in a file, with the places of their steps."""
    for finding in findings:
        span = place_in(finding, path)
        if span is not None:
            yield types.Diagnostic(
                range=range_of(snapshot, path, span),
                message=below_roots("\n".join([finding.message, *finding.notes]), snapshot.roots),
                severity=SEVERITIES[finding.severity],
                code=finding.code,
                source=SOURCE,
                tags=TAGS.get(finding.code),
                related_information=[*related(snapshot, finding.steps)] or None,
            )


def below_roots(message: str, roots: Iterable[str]) -> str:
    """Return a message with paths relative to the folders of the workspace."""
    for root in roots:
        message = message.replace(os.path.join(root, ""), "")
    return message


def place_in(finding: Finding, path: str) -> Span | None:
    """Return the place of a finding in a file: its own, else that of its first step there."""
    spans = [finding.span, *(step.span for step in finding.steps)]
    return next((span for span in spans if span and same_file(span.file, path)), None)


def same_file(file: str, path: str) -> bool:
    """Return whether two paths lead to one file."""
    return os.path.basename(file) == os.path.basename(path) and os.path.realpath(
        file
    ) == os.path.realpath(path)


def range_of(snapshot: Snapshot, path: str, span: Span) -> types.Range:
    """Return the range to mark at a place: the word there, or the line if no column is known."""
    text = snapshot.text(path)
    starts = line_starts(text)
    line = max(1, min(span.line, len(starts) - 1))
    begin, end = starts[line - 1], starts[line] - 1
    row = text[begin:end]
    if not span.column:
        return snapshot.range(path, begin + len(row) - len(row.lstrip()), begin + len(row.rstrip()))
    start = min(begin + span.column - 1, end)
    match = WORD.match(text, start)
    return snapshot.range(path, start, match.end() if match else start)


def related(
    snapshot: Snapshot, steps: tuple[Step, ...]
) -> Iterator[types.DiagnosticRelatedInformation]:
    """Yield the places of steps, such as the edges of a cycle."""
    for step in steps[:MOST_RELATED]:
        if step.span is not None and step.span.line:
            path = os.path.abspath(step.span.file)
            where = types.Location(snapshot.uri(path), range_of(snapshot, path, step.span))
            yield types.DiagnosticRelatedInformation(where, step.text)


def hidden(message: str, text: str) -> str:
    """Return a message without the text's Sensitive values."""
    return without_secrets(message, text)
