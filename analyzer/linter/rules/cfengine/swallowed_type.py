"""A promise type stands on the line of a class guard, and is read as a part of the guard.

Why: CFEngine reads the longest text before `::` as the guard, blanks and colons too. The promises
below are still of the type before, guarded by a class of a namespace that nobody meant.

Bad:

```cfengine
bundle agent main
{
  reports:
    "first";
  commands: any::  # <--
    "/bin/echo printed, not run";
}
```

Good:

```cfengine
bundle agent main
{
  reports:
    "first";
  commands:
    any::
      "/bin/echo second";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import guard_place, ref_of, swallowed_type
from analyzer.linter.rule import Problem, rule


@rule("CG526", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Look for guards that begin as a promise type does."""
    first = set()
    for site in run.sites.all:
        guard = site.promise.guard
        kind = swallowed_type(guard)
        if not kind:
            continue
        place = guard_place(run, site)
        if place not in first:
            first.add(place)
            yield Problem(
                f"'{guard}' is read as one guard of {site.type} promises",
                place,
                (ref_of(site), guard),
                notes=(f"'{kind}:' has to end its line, with the class on the next one",),
            )
