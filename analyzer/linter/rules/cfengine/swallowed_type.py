"""A promise type is on the line of a class guard, and is parsed as part of the guard.

Why: CFEngine reads the longest text before `::` as the guard, including spaces and colons. The
promises below keep the previous type, and their guard names a class of another namespace.

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
    """Report guards that begin with a promise type."""
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
                f"'{guard}' is parsed as one guard of {site.type} promises",
                place,
                (ref_of(site), guard),
                notes=(f"end the line after '{kind}:', and write the class on the next line",),
            )
