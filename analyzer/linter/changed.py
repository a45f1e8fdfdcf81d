"""Which lines a branch changes, as git tells it, so that only findings about them are shown."""

from __future__ import annotations

import os
import re
import subprocess

from analyzer.diagnostics import Finding, InputError
from analyzer.source import Span

HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")

# Seconds after which git is given up.
PATIENCE = 60


def changed_lines(revision: str, folder: str = ".") -> dict[str, set[int]]:
    """Return the lines of each file, by absolute path, that are not as in a revision.

    Files that git does not know are new as a whole: line 0 stands for every line.

    Raises:
        InputError: this is no repository, or there is no such revision.
    """
    top = git(folder, "rev-parse", "--show-toplevel").strip()
    base = git(folder, "merge-base", "HEAD", "--end-of-options", revision).strip()
    found: dict[str, set[int]] = {}
    options = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-prefix")
    current: set[int] = set()
    for line in git(top, "-c", "core.quotePath=false", "diff", *options, base, "--").split("\n"):
        if line.startswith("+++ "):
            current = found.setdefault(os.path.join(top, line[4:].rstrip("\t")), set())
        elif hunk := HUNK.match(line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            current.update(range(first, first + max(count, 1)))
    for name in git(top, "ls-files", "--others", "--exclude-standard", "-z").split("\0"):
        if name:
            found[os.path.join(top, name)] = {0}
    return found


def git(folder: str, *arguments: str) -> str:
    """Return what git prints.

    Raises:
        InputError: it fails, or is not there.
    """
    try:
        done = subprocess.run(
            ["git", "-C", folder, *arguments],
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"git cannot be run: {error}", Span(folder), "no-git") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().split("\n")[0]
        raise InputError(f"git: {said}", Span(folder), "no-git")
    return done.stdout.decode(errors="surrogateescape")


def touched(finding: Finding, lines: dict[str, set[int]]) -> bool:
    """Tell whether one of the statements behind a finding is among the changed lines."""
    for span in (finding.span, *(step.span for step in finding.steps)):
        there = lines.get(os.path.realpath(span.file), set()) if span else set()
        if 0 in there or (span and span.line in there):
            return True
    return False
