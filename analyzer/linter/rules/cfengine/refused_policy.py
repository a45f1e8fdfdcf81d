"""CFEngine refuses the policy.

Why: an agent that cannot read its policy runs the failsafe policy instead, and keeps none of the
promises.

Bad:

```cfengine
bundle agent main
{
  reports:
    "hello" handel => "greeting";  # <--
}
```

Good:

```cfengine
bundle agent main
{
  reports:
    "hello" handle => "greeting";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.policies import RefusedPolicy
from analyzer.linter.rule import Problem, rule


@rule("CG500", on=RefusedPolicy, severity="error")
def check(refused: RefusedPolicy) -> Iterator[Problem]:
    """Report an error of CFEngine."""
    yield Problem(refused.error.message, refused.error.span)
