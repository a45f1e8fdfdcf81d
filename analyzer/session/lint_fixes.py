"""Applies fixes one after the other, each tested on the result of those before it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, unified_diff

from analyzer.diagnostics import Finding
from analyzer.linter.judged import JudgedCatalog
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.run import cause
from analyzer.linter.texts import Overlay, Texts
from analyzer.linter.verify import edited
from analyzer.session.lint import Lint, Request
from analyzer.source import Span

# Fixes after which a run ends, whatever is left.
MOST = 200


@dataclass(frozen=True, slots=True)
class Fixed:
    """The result of fixes: texts by file, the findings they mend, and a look at the rest.

    `held` counts the findings of the rest that an unsafe fix would mend, where none was wanted.
    `stopped` tells that the run ended at MOST fixes, and more would do.
    """

    texts: dict[str, str]
    findings: tuple[Finding, ...]
    rest: Lint
    held: int = 0
    stopped: bool = False


def fix_all(request: Request, *, unsafe: bool = False) -> Fixed:
    """Apply every fix that works, to files that the user named; unsafe ones if they are wanted."""
    texts: dict[str, str] = {}
    mended: list[Finding] = []
    failed: dict[object, bool] = {}
    lint = None
    while True:
        look = Lint(adjusted_request(request, texts, unsafe), texts, before=lint)
        lint = with_catalogs(look, lint)
        found = fixable_findings(lint, failed, unsafe)
        finding = next(found, None)
        if finding is None or len(mended) >= MOST:
            held = sum(failed.get(cause(one.finding), False) for one in lint.found)
            return Fixed(texts, tuple(mended), lint, held, stopped=finding is not None)
        edits = finding.fixes[0].edits
        texts |= edited(edits, {edit.file: lint.texts.get(edit.file) or "" for edit in edits})
        mended.append(finding)


def with_catalogs(lint: Lint, before: Lint | None) -> Lint:
    """Return a look with the catalogs of the last try, if that compiled all of these texts."""
    tried = before.tried if before else None
    if before and tried and tried.only is not None and not (tried.errors or tried.empty):
        known = Compiled | JudgedCatalog
        whole = all(isinstance(one, known) and one.name in tried.only for one in before.runs)
        if whole and tried.texts.overlay == lint.texts.overlay:
            lint.runs = tried.runs
    return lint


def fixable_findings(lint: Lint, failed: dict[object, bool], unsafe: bool) -> Iterator[Finding]:
    """Yield the findings that have a fix; those that have none are not tried again.

    They are in `failed`, with whether there would be an unsafe one.
    """
    for found in lint.found:
        key = cause(found.finding)
        if found.proposals and key not in failed:
            finding = lint.fixed(found)
            own = [f for f in finding.fixes if all(lint.names.names(e.file) for e in f.edits)]
            wanted = [f for f in own if unsafe or not f.unsafe]
            if wanted:
                yield replace(finding, fixes=tuple(wanted))
            failed[key] = bool(own)


def adjusted_request(request: Request, texts: dict[str, str], unsafe: bool) -> Request:
    """Return a request whose wish for findings counts lines as the files on disk have them.

    Fixes of what is left are told if there may be unsafe ones that were not wanted.
    """
    if not texts:
        return request
    before, now = Texts(), Overlay(texts)
    moves = {
        place: old_line_numbers(before.get(place) or "", text) for place, text in now.texts.items()
    }

    def old(span: Span | None) -> Span | None:
        lines = moves.get(os.path.realpath(span.file)) if span else None
        return (
            span if span is None or lines is None else replace(span, line=lines.get(span.line, 0))
        )

    def keep(finding: Finding) -> bool:
        steps = tuple(replace(step, span=old(step.span)) for step in finding.steps)
        return request.keep(replace(finding, span=old(finding.span), steps=steps))

    return replace(request, keep=keep, fixes=not unsafe)


def old_line_numbers(old: str, new: str) -> dict[int, int]:
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
