"""A comment accepts findings without a reason.

Why: without a reason, you cannot tell later whether the comment still applies.

Bad:

```puppet
package { 'ntp': }
service { 'ntp': }
Service['ntp'] <- Package['ntp'] # catgraph:ignore[CG101] # <--
```

Good:

```puppet
package { 'ntp': }
service { 'ntp': }
Service['ntp'] <- Package['ntp'] # catgraph:ignore[CG101] as the vendor's manual has it
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.rule import Problem, rule
from analyzer.linter.suppress import Comments


@rule("CG002", on=Comments, severity="warning", default=False)
def check(subject: Comments) -> Iterator[Problem]:
    """Check each comment for a reason after the codes."""
    for comment in subject.comments:
        if comment.codes and not comment.reason:
            codes = ", ".join(comment.codes)
            yield Problem(f"this comment accepts {codes} without a reason", subject.span(comment))
