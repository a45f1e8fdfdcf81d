"""A comment accepts a finding that does not exist.

Why: the problem is fixed, or the comment is on the wrong line. If the comment stays, it will hide
the next finding there. Comments that name no rule accept nothing.

Bad:

```puppet
# catgraph:ignore[CG101] read from right to left, as the vendor's manual has it  # <--
Package['ntp'] -> Service['ntp']
package { 'ntp': }
service { 'ntp': }
```

Good:

```puppet
# catgraph:ignore[CG101] read from right to left, as the vendor's manual has it
Service['ntp'] <- Package['ntp']
package { 'ntp': }
service { 'ntp': }
```
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from analyzer.linter.choice import starts
from analyzer.linter.rule import Problem, rule
from analyzer.linter.suppress import Comment, Comments, unused_codes


@rule("CG001", on=Comments, severity="note")
def check(subject: Comments) -> Iterator[Problem]:
    """Check whether each comment matches a finding."""
    for comment in subject.comments:
        for message in messages(subject, comment):
            yield Problem(message, subject.span(comment))


def messages(subject: Comments, comment: Comment) -> Iterator[str]:
    """Yield problems of a comment."""
    if not comment.codes:
        yield "this comment accepts nothing: write the rule in brackets, `catgraph:ignore[CG301]`"
    for code in comment.codes:
        if not any(starts(known, (code,)) for known in subject.known):
            near = get_close_matches(code, subject.known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            yield f"this comment accepts nothing: unknown rule '{code}'{hint}"
    vain = ", ".join(unused_codes(subject, comment))
    if vain:
        where = "in this file" if not comment.about else f"at line {comment.about}"
        yield f"this comment accepts nothing: {vain} is not found {where}"
