"""Finds the lines that a branch changed, so that only findings on them are reported."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.git import GitRepository, blob_name
from analyzer.linter.input_files import POLICY
from analyzer.linter.puppet.subjects import Manifest, manifest_of
from analyzer.linter.texts import read
from analyzer.source import Span

# Stands for all lines of a file.
EVERY = 0

# In longer files, all lines between the first and the last change count as changed.
MOST_LINES = 20_000

LIST = ("ls-files", "--full-name")
COMPARE = (
    *("diff-index", "--cached", "--raw", "--no-abbrev", "--find-renames"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules=all"),
)

# Statements that a finding affects as a whole, even if it names only one line.
STATEMENTS = (
    a.ResourceExpression,
    a.ResourceBody,
    a.ResourceOverrideExpression,
    a.ResourceDefaultsExpression,
    a.CollectExpression,
    a.RelationshipExpression,
    a.CallNamedFunctionExpression,
)


class Changes:
    """The lines that changed, staged or not, since this branch left a revision.

    The repository is that of the working folder; each of `paths` must be in it. All lines of a file
    that git does not track are new. Line ends of Windows and of Unix are equal, because git may
    convert them on checkout.

    Raises:
        InputError: there is no repository, or no such revision.
    """

    def __init__(self, revision: str, paths: Iterable[str]) -> None:
        self.repository = GitRepository("--changed-since")
        for path in paths:
            self.repository.inside(path)
        base = self.repository.merge_base("HEAD", revision)
        self.before = dict(in_index(self.repository)) | dict(differing(self.repository, base))
        self.found: dict[str, set[int]] = {}

    def of(self, file: str) -> set[int]:
        """Return the numbers of a file's lines that changed; EVERY among them means all."""
        real = os.path.realpath(file)
        if real not in self.found:
            self.found[real] = self._compared(real)
        return self.found[real]

    def _compared(self, file: str) -> set[int]:
        name = os.path.relpath(file, self.repository.top)
        before = self.before.get(name, "")
        if not before:
            return {EVERY} if name in self.before or name in self.unknown else set()
        try:
            with open(file, "rb") as opened:
                data = opened.read()
        except OSError:
            return set()
        if before == blob_name(data, before):
            return set()
        (old,) = self.repository.blobs([before])
        return changed_lines(old, data)

    @cached_property
    def unknown(self) -> frozenset[str]:
        """Return the files that git neither tracks nor ignores."""
        listed = self.repository.rows(*LIST, "--others", "--exclude-standard")
        return frozenset(listed)


def in_index(repository: GitRepository) -> Iterator[tuple[str, str]]:
    """Yield the paths of the files in the index, with the names of their contents."""
    for row in repository.rows(*LIST, "--stage"):
        about, _, path = row.partition("\t")
        yield path, about.split(" ")[1]


def differing(repository: GitRepository, base: str) -> Iterator[tuple[str, str]]:
    """Yield the paths of the files whose contents in the index differ from those of a commit.

    Each comes with the object name of its old content, even if it was renamed; the name is empty if
    the file is new.
    """
    rows = iter(repository.rows(*COMPARE, base))
    for about in rows:
        _, _, old, _, status = about.split(" ")
        path = next(rows)
        if status[0] in "RC":
            path = next(rows)
        yield path, old.strip("0") and old


def changed_lines(before: bytes, after: bytes) -> set[int]:
    """Return the numbers of the lines that changed.

    If lines were only deleted, the lines around them count as changed.
    """
    old, new = (text.replace(b"\r\n", b"\n").split(b"\n") for text in (before, after))
    same = alike_at_start(old, new)
    alike = alike_at_start(old[same:][::-1], new[same:][::-1])
    gone, come = old[same : len(old) - alike], new[same : len(new) - alike]
    if max(len(gone), len(come)) > MOST_LINES:
        return set(range(same + 1, same + len(come) + 1))
    lines: set[int] = set()
    for what, _, _, first, end in SequenceMatcher(None, gone, come).get_opcodes():
        if what == "delete":
            lines |= {max(same + first, 1), same + first + 1}
        elif what != "equal":
            lines.update(range(same + first + 1, same + end + 1))
    return lines


def alike_at_start(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """Return the number of equal lines at the start of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def touched(finding: Finding, changes: Changes) -> bool:
    """Return whether one of the statements behind a finding is among the changed lines.

    A failed compilation is always reported, because it hides all other findings.
    """
    if finding.code == "CG200":
        return True
    spans = (finding.span, *(step.span for step in finding.steps))
    return any(is_touched(span, changes) for span in spans if span)


def is_touched(span: Span, changes: Changes) -> bool:
    """Return whether the statement at a place is among the changed lines."""
    there = changes.of(span.file)
    if not there or EVERY in there:
        return bool(there)
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
