"""Lists what a change adds to the accepted findings: comments, and entries of the baseline."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from analyzer.diagnostics import InputError
from analyzer.git import file_at
from analyzer.linter.baseline import Baseline, folder_of, parse, read
from analyzer.linter.changed import EVERY, Changes
from analyzer.linter.suppress import Comment
from analyzer.model.nouns import counted
from analyzer.session.lint.check import LintCheck
from analyzer.source import Span

OPTION = "--changed-since"


def added_acceptances(revision: str, done: LintCheck, baseline: str | None) -> Iterator[str]:
    """Yield a line for each comment that accepts findings, and one about the baseline's entries.

    Only what the working folder has and the branch point of `revision` lacks is listed.

    Raises:
        InputError: there is no repository or no such revision, or the baseline cannot be read.
    """
    request = done.sources.request
    changes = Changes(revision, (path for path in request.paths if path != "-"))
    verb = "accepts" if request.comments else "would accept"
    for file, comment in done.ledger.used_comments():
        if not changes.of(file).isdisjoint({comment.line, EVERY}):
            yield f"{Span(file, comment.line, comment.column)}: {described(comment, verb)}"
    if baseline is not None and os.path.lexists(baseline):
        count = added_entries(revision, baseline).total()
        if count:
            entries = counted(count, "entry", "entries")
            yield f"{baseline}: the change adds {entries} to the baseline"


def described(comment: Comment, verb: str) -> str:
    """Return the words about a comment that a change adds."""
    where = "" if comment.about else " in this file"
    reason = f": {comment.reason}" if comment.reason else ", without a reason"
    return f"the change adds a comment that {verb} {', '.join(comment.codes)}{where}{reason}"


def added_entries(revision: str, path: str) -> Counter[str]:
    """Return the fingerprints of a baseline that it did not have at a revision.

    Raises:
        InputError: one of the two baselines cannot be read.
    """
    try:
        data = file_at(OPTION, revision, path)
    except InputError:
        # A baseline outside of the repository: no change of the code adds to it.
        return Counter()
    empty = Baseline(folder_of(path))
    before = empty if data is None else parse(data.decode("utf-8", "replace"), path)
    return entries_of(read(path)) - entries_of(before)


def entries_of(baseline: Baseline) -> Counter[str]:
    """Return the fingerprints of a baseline."""
    return Counter(row["fingerprint"] for row in (*baseline.findings, *(baseline.gaps or ())))
