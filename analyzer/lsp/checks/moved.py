"""Moves the findings of the last compile in a text that was edited since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from analyzer.diagnostics import Finding
from analyzer.lsp.checks.shown import place_in, same_file
from analyzer.source import Span


def moved(findings: Iterable[Finding], path: str, before: str, now: str) -> list[Finding]:
    """Return the findings at their current lines, without those whose own lines changed."""
    if before == now:
        return [*findings]
    old, new = before.split("\n"), now.split("\n")
    first = alike(old, new)
    same = len(old) - alike(old[first:][::-1], new[first:][::-1])
    delta = len(new) - len(old)

    def place(span: Span | None) -> Span | None:
        if span is None or not same_file(span.file, path) or span.line <= first:
            return span
        return replace(span, line=span.line + delta) if span.line > same else None

    found = []
    for one in findings:
        if place_in(one, path) is not None and place(place_in(one, path)) is None:
            continue
        steps = tuple(replace(step, span=place(step.span)) for step in one.steps)
        found.append(replace(one, span=place(one.span), steps=steps))
    return found


def alike(one: list[str], other: list[str]) -> int:
    """Return how many lines two lists share at their beginnings."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
