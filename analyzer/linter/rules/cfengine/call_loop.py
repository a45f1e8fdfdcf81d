"""A bundle calls itself, directly or through others, with the same arguments.

Why: the agent makes a call once in a run. It skips the inner call without a message, because the
promise of that call is still being evaluated.

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

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import bundle_name, place_of, ref_of, step_of
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site
    from analyzer.frontends.cfengine.syntax.ast import Bundle

    Calls = dict[int, list[tuple[Site, Bundle]]]


@rule("CG505", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the shortest chain of calls from each bundle to itself."""
    calls = plain_calls(run)
    reported: set[int] = set()
    for place in calls:
        way = way_back(calls, place) if place not in reported else []
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
    """Return the calls without variables, by the id of the caller."""
    from analyzer.frontends.cfengine.policy.reachability import has_variables

    found: Calls = {}
    for site in run.sites.all:
        if site.type == "methods" and not has_variables(site):
            for bundle, _ in run.reach.callees(site):
                found.setdefault(id(site.bundle), []).append((site, bundle))
    return found


def way_back(calls: Calls, start: int) -> list[Site]:
    """Return the shortest chain of calls from a bundle to itself, empty if there is none."""
    before: dict[int, tuple[int, Site]] = {}
    pending = deque([start])
    while pending:
        place = pending.popleft()
        for site, bundle in calls.get(place, ()):
            if id(bundle) == start:
                way, at = [site], place
                while at != start:
                    at, caller = before[at]
                    way.append(caller)
                return way[::-1]
            if id(bundle) not in before:
                before[id(bundle)] = (place, site)
                pending.append(id(bundle))
    return []
