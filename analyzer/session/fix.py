"""Fixes applied one after the other, each tried on the result of those before it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from analyzer.diagnostics import Finding
from analyzer.linter.run import identity
from analyzer.linter.texts import Texts
from analyzer.linter.verify import edited
from analyzer.session.lint import Lint, Request

# Fixes after which a run ends, whatever is left.
MOST = 200


def fix_all(request: Request) -> tuple[dict[str, str], list[Finding]]:
    """Return the changed texts by file, and the findings that are mended by them."""
    overlay: dict[str, str] = {}
    mended: list[Finding] = []
    failed: set[object] = set()
    while len(mended) < MOST:
        lint = Lint(request, overlay)
        finding = next(first_fixed(lint, failed), None)
        if finding is None:
            return overlay, mended
        edits = finding.fixes[0].edits
        texts = {edit.file: lint.texts.get(edit.file) or "" for edit in edits}
        overlay |= edited(edits, texts)
        mended.append(finding)
    return overlay, mended


def first_fixed(lint: Lint, failed: set[object]) -> Iterator[Finding]:
    """Yield the findings that have a fix; those that have none are not tried again."""
    for found in lint.found:
        key = identity(found.finding)
        if found.proposals and key not in failed:
            finding = lint.fixed(found)
            if finding.fixes:
                yield finding
            failed.add(key)


def diff(changed: dict[str, str]) -> str:
    """Return the changes as a patch."""
    before = Texts()
    parts: list[str] = []
    for file, text in sorted(changed.items()):
        old = (before.get(file) or "").splitlines(keepends=True)
        new = text.splitlines(keepends=True)
        name = file.lstrip("/")
        for line in unified_diff(old, new, f"a/{name}", f"b/{name}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)
