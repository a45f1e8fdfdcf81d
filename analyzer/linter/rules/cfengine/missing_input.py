"""An input does not exist, though its folder does.

Why: if an input is missing, the agent runs the failsafe policy instead. CG500 reports the first
missing input, and this rule reports the others. If the folder does not exist either, nothing is
reported: the input may exist on the machine, like the standard library.

Bad:

```cfengine
body common control
{
  inputs => { "lost.cf" };
  bundlesequence => { "main" };
}
body file control
{
  inputs => { "gone.cf" };  # <--
}
bundle agent main
{
  reports:
    "hello";
}
```

Good:

```cfengine
body common control
{
  inputs => { "lib/stdlib.cf" };
  bundlesequence => { "main" };
}
bundle agent main
{
  reports:
    "hello";
}
```
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from analyzer.linter.policies import PolicyRun
from analyzer.linter.rule import Problem, rule


@rule("CG506", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the inputs that were not found."""
    ignored = run.loaded.policy.control("common", "ignore_missing_inputs")
    refused = run.refusal.span if run.refusal else None
    for attribute, name in run.loaded.missing if not ignored else ():
        if attribute.span == refused:
            continue
        if attribute.guard == "any" and os.path.isdir(os.path.dirname(name) or "."):
            shown = os.path.relpath(name, os.path.dirname(run.name) or ".")
            yield Problem(f"there is no input '{shown}'", attribute.span, (shown,))
