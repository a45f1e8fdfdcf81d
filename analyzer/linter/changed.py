"""Which lines a branch changes, as git tells it, so that only findings about them are shown."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from functools import lru_cache

from analyzer.diagnostics import Finding, InputError
from analyzer.frontends.puppet import ast as a
from analyzer.linter.inputs import POLICY
from analyzer.linter.subjects import Manifest, manifest_of
from analyzer.linter.texts import read
from analyzer.source import Span

HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")

# How git writes a character of a quoted name.
ESCAPE = re.compile(r"\\([0-7]{3}|.)")
ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}

# A patch without context, whatever the user's configuration has.
DIFF = (
    *("-c", "core.quotePath=false", "diff", "--unified=0", "--inter-hunk-context=0", "--text"),
    *("--no-color", "--no-ext-diff", "--no-textconv", "--no-prefix", "--find-renames"),
)

# Seconds after which git is given up.
PATIENCE = 60

# What a hook of git is given about its own repository; the folder tells which is meant here.
OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")

# The lines of each file, by its real path, that are not as they were; EVERY stands for all.
Lines = dict[str, set[int]]
EVERY = 0

# Statements that a finding is about as a whole, whichever of their lines it names.
STATEMENTS = (
    a.ResourceExpression,
    a.ResourceBody,
    a.ResourceOverrideExpression,
    a.ResourceDefaultsExpression,
    a.CollectExpression,
    a.RelationshipExpression,
    a.CallNamedFunctionExpression,
)


def changed_lines(revision: str, paths: Iterable[str]) -> Lines:
    """Return the lines that are not as where this branch left a revision, staged or not.

    The repositories are those of the paths. Files that git does not know are new as a whole.

    Raises:
        InputError: there is no repository, or no such revision.
    """
    found: Lines = {}
    for top in dict.fromkeys(top_of(path) for path in paths):
        base = git(top, "merge-base", "--end-of-options", "HEAD", revision).strip()
        for file, lines in hunks(git(top, *DIFF, base, "--")):
            found.setdefault(os.path.realpath(os.path.join(top, file)), set()).update(lines)
        for name in git(top, "ls-files", "--others", "--exclude-standard", "-z").split("\0"):
            if name:
                found[os.path.realpath(os.path.join(top, name))] = {EVERY}
    return found


def top_of(path: str) -> str:
    """Return the folder of the repository that a path is in.

    Raises:
        InputError: it is in none.
    """
    folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise InputError("cannot be read: No such file or directory", Span(path))
    return git(folder, "rev-parse", "--show-toplevel").removesuffix("\n")


def hunks(patch: str) -> Iterator[tuple[str, set[int]]]:
    """Yield the lines that a patch changes, hunk by hunk, with their files.

    Of lines that are only taken away, the ones around them are changed.
    """
    file = ""
    lines = iter(patch.split("\n"))
    for line in lines:
        if line.startswith("+++ "):
            file = unquoted(line[4:].removesuffix("\t"))
            continue
        hunk = HUNK.match(line)
        if hunk is None:
            continue
        gone, first, count = int(hunk[1] or 1), int(hunk[2]), int(hunk[3] or 1)
        # Content may look like a header; a backslash begins what git says of it.
        left = gone + count
        while left and (content := next(lines, None)) is not None:
            left -= not content.startswith("\\")
        yield file, set(range(first, first + count)) if count else {max(first, 1), first + 1}


def unquoted(name: str) -> str:
    """Return a name as it is: git quotes one with a control character, a quote or a backslash."""
    if not name.startswith('"'):
        return name
    parts = ESCAPE.split(name[1:-1])
    data = parts[0].encode(errors="surrogateescape")
    for escape, text in zip(parts[1::2], parts[2::2], strict=True):
        code = int(escape, 8) if escape.isdigit() else ESCAPES.get(escape, ord(escape))
        data += bytes([code]) + text.encode(errors="surrogateescape")
    return os.fsdecode(data)


def git(folder: str, *arguments: str) -> str:
    """Return what git prints.

    Raises:
        InputError: it fails, or is not there.
    """
    environment = {name: value for name, value in os.environ.items() if name not in OF_HOOKS}
    try:
        done = subprocess.run(
            ["git", "-C", folder, *arguments],
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
            env=environment | {"LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"git cannot be run: {error}", Span(folder), "no-git") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().split("\n")[0]
        raise InputError(said_of(said, arguments), Span(folder), "no-git")
    return done.stdout.decode(errors="surrogateescape")


def said_of(said: str, arguments: tuple[str, ...]) -> str:
    """Return what a failure of git is to the user."""
    if "not a git repository" in said:
        return "--changed-since: this is in no git repository"
    if arguments[0] == "merge-base" and not said:
        return f"--changed-since: this branch has nothing in common with {arguments[-1]}"
    hint = "; a shallow clone may lack it (git fetch)" if arguments[0] == "merge-base" else ""
    return f"--changed-since: git says: {said}{hint}"


def touched(finding: Finding, lines: Lines) -> bool:
    """Tell whether one of the statements behind a finding is among the changed lines.

    What cannot be compiled is always of interest, as nothing else can be said then.
    """
    if finding.code == "CG200":
        return True
    spans = (finding.span, *(step.span for step in finding.steps))
    return any(is_touched(span, lines) for span in spans if span)


def is_touched(span: Span, lines: Lines) -> bool:
    """Tell whether the statement at a place is among the changed lines."""
    there = lines.get(os.path.realpath(span.file))
    if not there or EVERY in there:
        return there is not None and EVERY in there
    return not there.isdisjoint(extent(span.file, read(span.file) or "", span.line))


@lru_cache(maxsize=4096)
def extent(file: str, text: str, line: int) -> range:
    """Return the lines of the statements that begin in a line of a manifest or policy."""
    if file.endswith(POLICY):
        from analyzer.linter.policies import promise_at

        return promise_at(file, text, line)
    manifest = manifest_of(file, text) if file.endswith(".pp") else None
    last = line
    for node, _ in manifest.nodes(*STATEMENTS) if manifest else ():
        if line_at(manifest, node.offset) == line:
            last = max(last, line_at(manifest, node.offset + node.length))
    return range(line, last + 1)


def line_at(manifest: Manifest | None, offset: int) -> int:
    """Return the line of a character."""
    return manifest.span_at(offset).line if manifest else 0
