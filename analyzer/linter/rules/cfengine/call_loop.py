"""A bundle calls itself, directly or through others, with the same arguments.

Why: the agent evaluates each call once in a run. It skips the inner call without a message, because
the promise of that call is still being evaluated.

Bad:

```cfengine
bundle agent main
{
  methods:
    "start" usebundle => retry;
}
bundle agent retry
{
  commands:
    "/bin/echo try";
  methods:
    "again" usebundle => again;  # <--
}
bundle agent again
{
  methods:
    "retry" usebundle => retry;
}
```

Good:

```cfengine
bundle agent main
{
  methods:
    "start" usebundle => retry("1");
}
bundle agent retry(number)
{
  commands:
    "/bin/echo try $(number)";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import bundle_name, place_of, ref_of, shortest_loop, step_of
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site

    Calls = dict[int, list[tuple[Site, int]]]


@rule("CG505", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the shortest chain of calls from each bundle to itself."""
    calls = plain_calls(run)
    reported: set[int] = set()
    for place in calls:
        way = [] if place in reported else shortest_loop(place, lambda one: calls.get(one, ()))
        if way:
            reported.update(id(site.bundle) for site in way)
            names = " => ".join(bundle_name(site.bundle) for site in [*way, way[0]])
            steps = tuple(step_of(site, "calls the next") for site in way)
            yield Problem(
                f"the bundle calls itself, and the agent skips that call: {names}",
                place_of(way[0], "usebundle"),
                tuple(map(ref_of, way)),
                steps,
            )


def plain_calls(run: PolicyRun) -> Calls:
    """Return the calls without variables and the ids of their bundles, by the id of the caller."""
    from analyzer.frontends.cfengine.policy.reachability import has_variables

    found: Calls = {}
    for site in run.sites.all:
        if site.type == "methods" and not has_variables(site):
            for bundle, _ in run.reach.callees(site):
                found.setdefault(id(site.bundle), []).append((site, id(bundle)))
    return found
