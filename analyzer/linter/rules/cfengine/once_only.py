"""A promise is written twice, but runs only once.

Why: an agent never runs a promise twice. It skips a promise with the same text and attributes as
another one of the same bundle, whatever their guards. It also skips all promises of a bundle that
is called or listed a second time with the same arguments. A different `comment` or `handle` makes
promises different. This rule checks a simulated run.

Bad:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo reload" handle => "one";
    "/bin/true";
    "/bin/true";  # <--
}
```

Good:

```cfengine
bundle agent main
{
  commands:
    "/bin/true" comment => "before";
    "/bin/true" comment => "after";
}
```

Bad:

```cfengine
bundle agent main
{
  methods:
    "before" usebundle => reload;
    "after" usebundle => reload;  # <--
}
bundle agent reload
{
  commands:
    "/bin/echo reload";
}
```

Good:

```cfengine
bundle agent main
{
  methods:
    "before" usebundle => reload("before");
    "after" usebundle => reload("after");
}
bundle agent reload(when)
{
  commands:
    "/bin/echo reload" comment => "$(when)";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.diagnostics import Step
from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import bundle_name, place_of, ref_of, step_of
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.events import Event
    from analyzer.frontends.cfengine.policy.sites import Site

    Begun = dict[tuple[int, str, str], list[Event]]

UNLOCKED = ("meta", "vars", "defaults", "classes", "build_xpath")


@rule("CG542", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the promises that a simulated run skips because they are done already."""
    sites = {id(site.promise): site for site in run.sites.all}
    begun: Begun = {}
    # The earlier event of each calling event, if all promises of that call are already done.
    calls: dict[int, Event | None] = {}
    reported: set[tuple[int, str]] = set()
    for event in run.events if run.whole else ():
        # What may have run, or may run, is not skipped for certain.
        if event.type in UNLOCKED or event.outcome == "unknown":
            continue
        key = (id(event.bundle), event.type, event.promiser)
        if event.begun:
            begun.setdefault(key, []).append(event)
            if event.within is not None:
                calls[event.within] = None
            continue
        earlier = other_than(event, begun.get(key, []))
        place = (id(event.promise), event.promiser)
        if event.reason != "already_done" or earlier is None or place in reported:
            continue
        if earlier.promise is event.promise and earlier.within == event.within:
            if (id(event.promise), "") not in reported:
                reported |= {place, (id(event.promise), "")}
                yield repeated(sites[id(event.promise)], event.promiser)
        elif earlier.promise is event.promise and event.within is not None:
            calls.setdefault(event.within, earlier)
        elif earlier.promise is not event.promise:
            reported.add(place)
            yield equal(sites[id(event.promise)], sites[id(earlier.promise)])
    yield from redundant_calls(run, calls, sites)
    yield from listed_twice(run)


def other_than(event: Event, earlier: list[Event]) -> Event | None:
    """Return the earlier event that makes the agent skip a promise, if it has another origin."""
    from analyzer.frontends.cfengine.policy.variables import unresolved

    if unresolved(event.promiser):
        return None
    for one in earlier:
        if one.promise is event.promise and one.within == event.within:
            again = one.number == event.number and one.iteration != event.iteration
            return one if again else None
    return earlier[0] if earlier else None


def equal(site: Site, other: Site) -> Problem:
    """Return the problem of two equal promises."""
    alike = site.promise.guard in ("any", other.promise.guard) or other.promise.guard == "any"
    return Problem(
        f"{ref_of(site)} is skipped: an equal promise runs earlier in the same run",
        site.promise.span,
        (ref_of(site),),
        (step_of(other, "runs instead"),),
        ("to run both, give them different comments or handles",),
        severity=None if alike else "note",
    )


def repeated(site: Site, promiser: str) -> Problem:
    """Return the problem of a promise that a list repeats with the same text."""
    return Problem(
        f"{ref_of(site)} runs once for '{promiser}', though its lists have it more than once",
        site.promise.span,
        (ref_of(site), promiser),
        severity="note",
    )


def redundant_calls(
    run: PolicyRun, calls: dict[int, Event | None], sites: dict[int, Site]
) -> Iterator[Problem]:
    """Yield the calls that do nothing, because an earlier call did everything."""
    reported: set[int] = set()
    for number, earlier in calls.items():
        caller = run.events[number]
        if earlier is None or earlier.within is None or caller.type != "methods":
            continue
        first, bundle = run.events[earlier.within], earlier.bundle
        site, other = sites[id(caller.promise)], sites[id(first.promise)]
        if id(caller.promise) in reported or not is_plain(site) or not is_plain(other):
            continue
        reported.add(id(caller.promise))
        yield Problem(
            f"{ref_of(site)} does nothing: all promises of the bundle '{bundle_name(bundle)}' ran"
            " in an earlier call",
            place_of(site, "usebundle"),
            (ref_of(site),),
            (step_of(other, "calls it first"),),
            severity=None if site.bundle is other.bundle else "note",
        )


def is_plain(site: Site) -> bool:
    """Return whether a call contains no variables."""
    from analyzer.frontends.cfengine.policy.reachability import has_variables

    return not has_variables(site)


def listed_twice(run: PolicyRun) -> Iterator[Problem]:
    """Yield the bundles with promises that the bundlesequence lists twice."""
    from analyzer.linter.rules.cfengine.missing_bundle import plain_names

    policy = run.loaded.policy
    for attribute in policy.control("common", "bundlesequence") if run.whole else ():
        seen: set[str] = set()
        for name in plain_names(attribute):
            bundle = policy.bundle(name, "default", "agent", "common")
            keeps = bundle and any(s.type not in UNLOCKED and s.promises for s in bundle.sections)
            if bundle and not bundle.parameters and name in seen and keeps:
                step = Step(f"the promises of '{name}' run the first time", bundle.span)
                message = f"'{name}' is in the bundlesequence twice; its promises run only once"
                yield Problem(message, attribute.span, (name,), (step,))
            seen.add(name)
