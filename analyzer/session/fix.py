"""Fixes applied one after the other, each tried on the result of those before it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, unified_diff

from analyzer.diagnostics import Finding
from analyzer.linter.run import identity
from analyzer.linter.texts import Overlay, Texts
from analyzer.linter.verify import edited
from analyzer.session.lint import Lint, Request
from analyzer.source import Span

# Fixes after which a run ends, whatever is left.
MOST = 200


@dataclass(frozen=True, slots=True)
class Mended:
    """What fixes make of the inputs: texts by file, what they mend, and a look at the rest."""

    texts: dict[str, str]
    findings: tuple[Finding, ...]
    rest: Lint


def fix_all(request: Request) -> Mended:
    """Apply every fix that works, to files that the user named."""
    texts: dict[str, str] = {}
    mended: list[Finding] = []
    failed: set[object] = set()
    lint = None
    while True:
        lint = Lint(of_now(request, texts), texts, before=lint)
        finding = next(first_fixed(lint, failed), None) if len(mended) < MOST else None
        if finding is None:
            return Mended(texts, tuple(mended), lint)
        edits = finding.fixes[0].edits
        texts |= edited(edits, {edit.file: lint.texts.get(edit.file) or "" for edit in edits})
        mended.append(finding)


def first_fixed(lint: Lint, failed: set[object]) -> Iterator[Finding]:
    """Yield the findings that have a fix; those that have none are not tried again."""
    for found in lint.found:
        key = identity(found.finding)
        if found.proposals and key not in failed:
            finding = lint.fixed(found)
            own = [f for f in finding.fixes if all(lint.names.names(e.file) for e in f.edits)]
            if own:
                yield replace(finding, fixes=tuple(own))
            failed.add(key)


def of_now(request: Request, texts: dict[str, str]) -> Request:
    """Return a request whose wish for findings counts lines as the files on disk have them."""
    if not texts:
        return request
    before, now = Texts(), Overlay(texts)
    moves = {place: moved(before.get(place) or "", text) for place, text in now.texts.items()}

    def old(span: Span | None) -> Span | None:
        lines = moves.get(os.path.realpath(span.file)) if span else None
        return (
            span if span is None or lines is None else replace(span, line=lines.get(span.line, 0))
        )

    def keep(finding: Finding) -> bool:
        steps = tuple(replace(step, span=old(step.span)) for step in finding.steps)
        return request.keep(replace(finding, span=old(finding.span), steps=steps))

    return replace(request, keep=keep, fixes=False)


def moved(old: str, new: str) -> dict[int, int]:
    """Return the old numbers of a text's lines by the new ones, as far as they are the same."""
    matcher = SequenceMatcher(None, lines_of(old), lines_of(new), autojunk=False)
    found: dict[int, int] = {}
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal" or (tag == "replace" and last - first == end - start):
            found.update((start + n + 1, first + n + 1) for n in range(last - first))
    return found


def diff(changed: dict[str, str]) -> str:
    """Return the changes as a patch, for `patch -p1` and `git apply`."""
    before = Texts()
    parts: list[str] = []
    for file, text in sorted(changed.items()):
        old, new = lines_of(before.get(file) or ""), lines_of(text)
        name = file.lstrip("/")
        # As git has it: a name with a space ends at a tab.
        end = "\t" if " " in name else ""
        for line in unified_diff(old, new, f"a/{name}{end}", f"b/{name}{end}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends; only line feeds end one."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
