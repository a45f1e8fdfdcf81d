"""CFEngine refuses the policy.

Why: an agent that is given a policy it cannot read runs its failsafe policy instead, and nothing
that was promised is kept.

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
    """Tell what CFEngine says."""
    yield Problem(refused.error.message, refused.error.span)
