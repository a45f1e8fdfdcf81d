"""Promises wait for each other in a circle by `depends_on`.

Why: a promise is begun when every handle it depends on is done. In a circle none is ever done, so
the agent skips all of them in every pass, without a word but in its verbose log.

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

from collections import deque
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from analyzer.diagnostics import Step
from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import place_of, ref_of
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site

    Waits = Mapping[Site, Mapping[Site, str]]


@rule("CG511", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Tell of the shortest circle through each promise that is in one, each circle once."""
    waits = waiting(run)
    told: set[Site] = set()
    for site in waits:
        if site in told:
            continue
        loop = shortest(waits, site)
        if loop:
            told.update(loop)
            yield problem(loop, waits)


@lru_cache(maxsize=4)
def waiting(run: PolicyRun) -> dict[Site, dict[Site, str]]:
    """Return for each promise those that it waits for, with the handle.

    A handle that several promises have is there when one of them is done, so that none is needed.
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
    """Return the shortest way from a promise back to itself, empty if there is none."""
    before: dict[Site, Site] = {}
    pending = deque([start])
    while pending:
        site = pending.popleft()
        for other in waits.get(site, ()):
            if other is start:
                way = [site]
                while way[-1] is not start:
                    way.append(before[way[-1]])
                return way[::-1]
            if other not in before:
                before[other] = site
                pending.append(other)
    return []


def problem(loop: list[Site], waits: Waits) -> Problem:
    """Return what is told of a circle."""
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
        f"{count} promises wait for each other, none is ever begun: {names}"
        if count > 1
        else f"{ref_of(loop[0])} waits for itself, and is never begun"
    )
    return Problem(message, loop[0].promise.span, tuple(map(ref_of, loop)), steps)
