"""Comments that accept findings, with reasons: `# catgraph:ignore[CG301] reason`.

A comment at the end of a line applies to that line, a comment on a separate line to the next line
of code. A finding with several steps is accepted by a comment at any of them. `ignore-file` applies
to the whole file. A code may be the beginning of codes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.choice import starts
from analyzer.linter.policies import PolicyText
from analyzer.linter.puppet.subjects import Manifest
from analyzer.source import Span, line_starts

COMMENT = re.compile(r"#\s*catgraph:\s*(ignore(?:-file)?)(?![\w-])\s*(?:\[([^\]]*)\])?(.*)")
BARE = re.compile(r"\s*(?:#.*)?\Z")

# Separators between the codes and a reason.
BETWEEN = " \t\r-:"

# Nodes in which a `#` begins no comment.
TEXTS = (a.LiteralString, a.ConcatenatedString, a.HeredocExpression)


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment: its place, the line that it is about (0: all), the codes and the reason."""

    line: int
    column: int
    about: int
    codes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Comments:
    """The comments of a manifest or policy; `vain` are lines and codes that match no finding.

    `known` are all codes. Only codes that were checked count as unused.
    """

    manifest: Manifest | PolicyText
    comments: tuple[Comment, ...]
    vain: frozenset[tuple[int, str]]
    known: tuple[str, ...]

    def span(self, comment: Comment) -> Span:
        """Return the place of a comment."""
        return Span(self.manifest.file, comment.line, comment.column)


@lru_cache(maxsize=1024)
def comments(text: str) -> tuple[Comment, ...]:
    """Return the comments of a manifest."""
    if "catgraph:" not in text:
        return ()
    lines = text.split("\n")
    found = []
    # From the end, so that the next line of code is known.
    below: int | None = None
    for number in range(len(lines) - 1, -1, -1):
        if COMMENT.search(lines[number]):
            found.append(read(lines, number, number if below is None else below))
        if not BARE.match(lines[number]):
            below = number
    return tuple(reversed(found))


@lru_cache(maxsize=1024)
def comments_by_line(text: str) -> dict[int, list[Comment]]:
    """Return the comments of a manifest by the line that they are about (0: all)."""
    found: dict[int, list[Comment]] = {}
    for comment in comments(text):
        found.setdefault(comment.about, []).append(comment)
    return found


def read(lines: list[str], number: int, below: int) -> Comment:
    """Return the comment of a line that has one; `below` is the next line with code."""
    found = COMMENT.search(lines[number])
    assert found is not None
    codes = tuple(dict.fromkeys((found[2] or "").upper().replace(",", " ").split()))
    about = number
    if found[1] == "ignore-file":
        about = -1
    elif not lines[number][: found.start()].strip():
        about = below
    return Comment(number + 1, found.start() + 1, about + 1, codes, found[3].strip(BETWEEN))


class Ledger:
    """The findings that comments accept, and the comments that did.

    Without `obeys`, they accept nothing, and `used` are those that would. `accepted` counts.
    """

    def __init__(self, text_of: Callable[[str], str | None], *, obeys: bool = True) -> None:
        self.text_of = text_of
        self.obeys = obeys
        self.used: set[tuple[str, int, str]] = set()
        self.accepted = 0

    def accepts(self, finding: Finding) -> bool:
        """Return whether a comment accepts a finding, at its place or at one of its steps."""
        accepted = False
        for span in (finding.span, *(step.span for step in finding.steps)):
            if span is None:
                continue
            lines = comments_by_line(self.text_of(span.file) or "")
            for comment in (*lines.get(0, ()), *(lines.get(span.line, ()) if span.line else ())):
                codes = [code for code in comment.codes if starts(finding.code, (code,))]
                accepted = accepted or bool(codes)
                self.used.update((span.file, comment.line, code) for code in codes)
        accepted = accepted and self.obeys
        self.accepted += accepted
        return accepted

    def used_comments(self) -> Iterator[tuple[str, Comment]]:
        """Yield the comments that match findings, by file and line."""
        wanted = sorted({(file, line) for file, line, _ in self.used})
        for file, line in wanted:
            for comment in comments(self.text_of(file) or ""):
                if comment.line == line:
                    yield file, comment

    def comments_of(
        self,
        manifest: Manifest | PolicyText,
        known: Collection[str],
        expected: Collection[str],
        ran: Collection[str],
    ) -> Comments:
        """Return the comments of a manifest, with those that match no finding.

        `known` are all codes, `expected` those that a beginning of codes includes, `ran` those of
        the rules that were applied.
        """
        ends = text_ends(manifest)
        found = tuple(c for c in comments(manifest.text) if not in_text(manifest, c, ends))
        vain = {
            (comment.line, code)
            for comment in found
            for code in comment.codes
            if (manifest.file, comment.line, code) not in self.used
            and is_covered(code, expected, ran)
        }
        return Comments(manifest, found, frozenset(vain), tuple(known))


def is_covered(code: str, expected: Collection[str], ran: Collection[str]) -> bool:
    """Return whether all rules of a code or prefix were applied."""
    meant = [one for one in expected if starts(one, (code,))]
    return bool(meant) and all(one in ran for one in meant)


def in_text(manifest: Manifest | PolicyText, comment: Comment, ends: list[tuple[int, int]]) -> bool:
    """Return whether an apparent comment is part of a string; `ends` are the ends of strings."""
    at = line_starts(manifest.text)[comment.line - 1] + comment.column - 1
    if isinstance(manifest, PolicyText):
        return manifest.in_string(at)
    number = bisect_right(ends, at, key=lambda one: one[0])
    return number > 0 and at < ends[number - 1][1]


def text_ends(manifest: Manifest | PolicyText) -> list[tuple[int, int]]:
    """Return where each string of a manifest begins, and how far those up to it reach, in order."""
    if isinstance(manifest, PolicyText):
        return []
    reach = 0
    found = []
    for start, end in sorted((n.offset, n.offset + n.length) for n, _ in manifest.nodes(*TEXTS)):
        reach = max(reach, end)
        found.append((start, reach))
    return found


def unused_codes(subject: Comments, comment: Comment) -> Iterator[str]:
    """Yield the codes of a comment that match no finding."""
    yield from (code for code in comment.codes if (comment.line, code) in subject.vain)
