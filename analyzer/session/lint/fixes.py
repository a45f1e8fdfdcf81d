"""Applies fixes in rounds; each round is tested on the result of earlier rounds."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, unified_diff

from analyzer.diagnostics import Finding
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.run import cause
from analyzer.linter.texts import Overlay, Texts
from analyzer.linter.verify import edited
from analyzer.session.lint.fix_rounds import CheckResults, Fixing, Round
from analyzer.session.lint.lint import Lint
from analyzer.session.lint.request import Request
from analyzer.source import Span

# The most checks of a run.
MOST = 200


@dataclass(frozen=True, slots=True)
class Fixed:
    """The result of fixes: texts by file, the findings that were fixed, and a check of the rest.

    `held` counts the remaining findings with an unsafe fix, if unsafe fixes are not wanted.
    `stopped` is true if the run ended after MOST checks and there may be more fixes.
    """

    texts: dict[str, str]
    fixings: tuple[Fixing, ...]
    rest: Lint
    held: int = 0
    stopped: bool = False

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the findings that were fixed."""
        return tuple(finding for one in self.fixings for finding in one.findings)


def fix_all(request: Request, *, unsafe: bool = False) -> Fixed:
    """Apply every fix that works to files that the user named; unsafe ones only if wanted."""
    texts: dict[str, str] = {}
    done: list[Fixing] = []
    worlds, request = request.worlds, replace(request, worlds=1)
    known = CheckResults()
    lint = None
    while True:
        look = Lint(adjusted_request(request, texts, unsafe), texts, before=lint)
        lint = with_catalogs(look, lint)
        fixing = Round(lint, known, unsafe=unsafe).fixing()
        if fixing is None or len(done) >= MOST:
            held = sum(known.failed.get(cause(one.finding), False) for one in lint.found)
            search_worlds(lint, worlds)
            return Fixed(texts, tuple(done), lint, held, stopped=fixing is not None)
        edits = fixing.fix.edits
        texts |= edited(edits, {edit.file: lint.texts.get(edit.file) or "" for edit in edits})
        done.append(fixing)


def search_worlds(lint: Lint, worlds: int) -> None:
    """Make a check report the findings of other worlds as well; these get no fixes."""
    if worlds > 1:
        lint.request = replace(lint.request, worlds=worlds)
        for name in ("worlds", "found", "to_fix", "seen"):
            vars(lint).pop(name, None)


def with_catalogs(lint: Lint, before: Lint | None) -> Lint:
    """Return a check with the catalogs of the last one, and those compiled with these texts."""
    tried = before.tried if before else None
    if before is None or tried is None or tried.texts.overlay != lint.texts.overlay:
        return lint
    runs = {run.name: run for run in before.catalogs}
    if len(runs) < len(before.runs) or not (is_fine(before) and is_fine(tried)):
        return lint
    fresh = {run.name: run for run in tried.compiled}
    changed = before.texts.overlay.differs(lint.texts.overlay)
    stale = {name for name, run in runs.items() if name not in fresh and uses(run, changed)}
    if stale:
        others = Lint(lint.request, lint.texts.overlay, stale, before)
        if len(others.compiled) < len(stale) or not is_fine(others):
            return lint
        fresh |= {run.name: run for run in others.compiled}
    lint.runs = [fresh.get(name, run) for name, run in runs.items()]
    return lint


def is_fine(lint: Lint) -> bool:
    """Return whether all inputs of a check are catalogs."""
    return len(lint.catalogs) == len(lint.runs) and not (lint.errors or lint.empty)


def uses(run: Compiled | CheckedCatalog, changed: set[str]) -> bool:
    """Return whether a catalog was compiled from one of the changed files."""
    return any(os.path.realpath(file) in changed for file in run.files)


def adjusted_request(request: Request, texts: dict[str, str], unsafe: bool) -> Request:
    """Return a request whose filter of findings uses the line numbers of the files on disk.

    Fixes of the remaining findings are reported if there may be unsafe ones that are not wanted.
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
    """Return the old line numbers of a text by the new ones, for unchanged lines."""
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
        # As in git: a tab ends a name with a space.
        end = "\t" if " " in name else ""
        for line in unified_diff(old, new, f"a/{name}{end}", f"b/{name}{end}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends; only a line feed ends a line."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
