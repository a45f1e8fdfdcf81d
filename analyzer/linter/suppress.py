"""Comments in manifests that say why a finding is accepted: `# catgraph:ignore[CG301] reason`.

At the end of a line the comment is about that line, on a line of its own about the next one; a
finding of several steps is accepted by a comment at any of them. `ignore-file` is about the whole
file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from analyzer.diagnostics import Finding
from analyzer.linter.choice import starts

COMMENT = re.compile(r"#\s*catgraph:(ignore(?:-file)?)\[([A-Z0-9,\s]+)\]")

# Lines of a file, 0 for all, and the codes accepted there.
Accepted = dict[int, tuple[str, ...]]


@lru_cache(maxsize=1024)
def comments(text: str) -> Accepted:
    """Return what the comments of a manifest accept."""
    found: Accepted = {}
    if "catgraph:ignore" not in text:
        return found
    for number, line in enumerate(text.split("\n"), 1):
        comment = COMMENT.search(line)
        if comment is None:
            continue
        codes = tuple(comment[2].replace(",", " ").split())
        alone = not line[: comment.start()].strip()
        at = 0 if comment[1] == "ignore-file" else number + alone
        found[at] = found.get(at, ()) + codes
    return found


def accepts(finding: Finding, text_of: Callable[[str], str | None]) -> bool:
    """Tell whether a comment accepts a finding, at its place or at one of its steps."""
    for span in (finding.span, *(step.span for step in finding.steps)):
        if span is None:
            continue
        accepted = comments(text_of(span.file) or "")
        if any(starts(finding.code, accepted.get(line, ("-",))) for line in (0, span.line)):
            return True
    return False
