"""Findings of an older text: below an edit they move, in it they are left out."""

import pytest

from analyzer.diagnostics import Finding, Step
from analyzer.lsp.checks.moved import moved
from analyzer.source import Span

OLD = "a\nb\nc\nd\n"


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        (OLD, [1, 2, 3, 4]),
        ("a\nx\nb\nc\nd\n", [1, 3, 4, 5]),
        ("a\nc\nd\n", [1, 2, 3]),
        ("a\nb2\nc\nd\n", [1, 3, 4]),
        ("", []),
        ("a\nb\nc\nd\nd\n", [1, 2, 3, 4]),
        ("a\na\nb\nc\nd\n", [1, 3, 4, 5]),
    ],
)
def test_lines(new: str, lines: list[int]) -> None:
    findings = [Finding("X", "error", "m", Span("/p", line, 1)) for line in (1, 2, 3, 4)]
    found = [one.span.line for one in moved(findings, "/p", OLD, new) if one.span]
    assert found == lines
    rows = new.split("\n")
    assert [rows[line - 1] for line in found] == [row for row in OLD.split() if row in rows]


def test_other_files_stay() -> None:
    """A finding elsewhere with a step here moves with the step."""
    step = Step("s", Span("/p", 3, 1))
    (one,) = moved([Finding("X", "error", "m", Span("/q", 9), (step,))], "/p", OLD, f"x\n{OLD}")
    assert (one.span, one.steps[0].span) == (Span("/q", 9), Span("/p", 4, 1))
