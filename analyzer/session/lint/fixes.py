"""Applies fixes in rounds; each round is tested on the result of earlier rounds."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, unified_diff

from analyzer.compiles.overlay import Overlay
from analyzer.diagnostics import Finding
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.run import cause
from analyzer.linter.texts import Texts
from analyzer.linter.verify import edited
from analyzer.session.lint.catalogs import (
    CompiledInputs,
    compile_inputs,
    compiles_of,
    with_graphs,
)
from analyzer.session.lint.check import LintCheck, check_sources
from analyzer.session.lint.fix_rounds import CheckResults, Fixing, Round
from analyzer.session.lint.read import Sources, read
from analyzer.session.lint.request import Request
from analyzer.session.lint.trials import FixTrials
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
    rest: LintCheck
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
    trials: FixTrials | None = None
    while True:
        sources = read(adjusted_request(request, texts, unsafe), texts)
        reused = None if trials is None else compiled_before(sources, trials)
        check = check_sources(sources, reused, trials.compiled if trials else None)
        trials = FixTrials(sources, check.compiled)
        fixing = Round(check, trials, known, unsafe=unsafe).fixing()
        if fixing is None or len(done) >= MOST:
            held = sum(known.failed.get(cause(one.finding), False) for one in check.found)
            rest = with_worlds(check, worlds)
            return Fixed(texts, tuple(done), rest, held, stopped=fixing is not None)
        edits = fixing.fix.edits
        texts |= edited(edits, {edit.file: sources.texts.get(edit.file) or "" for edit in edits})
        done.append(fixing)


def with_worlds(check: LintCheck, worlds: int) -> LintCheck:
    """Return a check that reports the findings of other worlds as well; these get no fixes."""
    if worlds <= 1:
        return check
    sources = replace(check.sources, request=replace(check.sources.request, worlds=worlds))
    return check_sources(sources, check.compiled)


def compiled_before(sources: Sources, trials: FixTrials) -> CompiledInputs | None:
    """Return the catalogs of the last check, and those compiled with these texts.

    None: all must be compiled again.
    """
    before, last = trials.compiled, trials.last
    overlay = sources.texts.overlay
    if last is None or last.sources.texts.overlay != overlay:
        return None
    runs = {run.name: run for run in before.catalogs}
    if len(runs) < len(before.runs) or not (is_fine(before) and is_fine(last)):
        return None
    fresh = {run.name: run for run in with_graphs(last, last.catalogs)}
    changed = before.sources.texts.overlay.differs(overlay)
    stale = {name for name, run in runs.items() if name not in fresh and uses(run, changed)}
    if stale:
        others = compile_inputs(sources, before, stale)
        found = with_graphs(others, others.catalogs)
        if len(found) < len(stale) or not is_fine(others):
            return None
        fresh |= {run.name: run for run in found}
    merged = [fresh.get(name, run) for name, run in runs.items()]
    return CompiledInputs(sources, compiles_of(sources, before), merged)


def is_fine(compiled: CompiledInputs) -> bool:
    """Return whether all inputs were compiled to catalogs."""
    return len(compiled.catalogs) == len(compiled.runs) and not (compiled.errors or compiled.empty)


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
