"""A comment accepts a finding that is not there.

Why: what it was written for is mended, or it stands at another line than it was meant for. Left
where it is, it will hide the next such finding. Comments that name no rule accept nothing at all.

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
from analyzer.linter.suppress import Comment, Comments, codes_in_vain


@rule("CG001", on=Comments, severity="note")
def check(subject: Comments) -> Iterator[Problem]:
    """Look at each comment: what it names, and whether that was found."""
    for comment in subject.comments:
        for message in messages(subject, comment):
            yield Problem(message, subject.span(comment))


def messages(subject: Comments, comment: Comment) -> Iterator[str]:
    """Yield what is wrong with a comment."""
    if not comment.codes:
        yield "this comment accepts nothing: it names no rule, as `catgraph:ignore[CG301]` does"
    for code in comment.codes:
        if not any(starts(known, (code,)) for known in subject.known):
            near = get_close_matches(code, subject.known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            yield f"this comment accepts nothing: there is no rule '{code}'{hint}"
    vain = ", ".join(codes_in_vain(subject, comment))
    if vain:
        where = "in this file" if not comment.about else f"at line {comment.about}"
        yield f"this comment accepts nothing: {vain} is not found {where}"
