"""Promises depend on each other in a cycle of `depends_on`.

Why: a promise runs only when all handles that it depends on are done. In a cycle, none of them is
ever done, so the agent skips all of them in every pass, with a message only in its verbose log.

Bad:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo first"   # <--
      handle => "first",
      depends_on => { "second" };
    "/bin/echo second"
      handle => "second",
      depends_on => { "first" };
}
```

Good:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo first"
      handle => "first";
    "/bin/echo second"
      handle => "second",
      depends_on => { "first" };
}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from analyzer.diagnostics import Step
from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import place_of, ref_of, shortest_loop
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site

    Waits = Mapping[Site, Mapping[Site, str]]


@rule("CG511", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the shortest cycle through each promise, and each cycle once."""
    waits = waiting(run)
    reported: set[Site] = set()
    for site in waits:
        if site in reported:
            continue
        loop = shortest(waits, site)
        if loop:
            reported.update(loop)
            yield problem(loop, waits)


@lru_cache(maxsize=4)
def waiting(run: PolicyRun) -> dict[Site, dict[Site, str]]:
    """Return the promises that each promise waits for, with the handles.

    Handles that several promises have are left out, because none of those promises is needed alone.
    """
    from analyzer.frontends.cfengine.policy.possible_values import WILD

    providers: dict[str, list[Site]] = {}
    wild = False
    for site in run.sites.all:
        for handle in run.sites.handles(site):
            wild = wild or handle == WILD
            providers.setdefault(handle, []).append(site)
    found: dict[Site, dict[Site, str]] = {}
    for site in run.sites.all if not wild else ():
        for handle in run.sites.dependencies(site):
            owners = providers.get(handle, [])
            if len(owners) == 1:
                found.setdefault(site, {})[owners[0]] = handle
    return found


def shortest(waits: Waits, start: Site) -> list[Site]:
    """Return the shortest cycle through a promise, empty if there is none."""
    return shortest_loop(start, lambda site: ((site, other) for other in waits.get(site, ())))


def problem(loop: list[Site], waits: Waits) -> Problem:
    """Return the problem of a cycle."""
    following = [*loop[1:], loop[0]]
    steps = tuple(
        Step(
            f"{ref_of(site)} waits for {waits[site][other]!r}, which is {ref_of(other)}",
            place_of(site, "depends_on"),
            (ref_of(site),),
        )
        for site, other in zip(loop, following, strict=True)
    )
    names = " => ".join(ref_of(site) for site in [*loop, loop[0]])
    count = len(loop)
    message = (
        f"{count} promises wait for each other and never run: {names}"
        if count > 1
        else f"{ref_of(loop[0])} waits for itself and never runs"
    )
    return Problem(message, loop[0].promise.span, tuple(map(ref_of, loop)), steps)
