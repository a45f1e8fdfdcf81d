"""A promise is written to be kept twice in a run, and is kept once.

Why: an agent keeps no promise twice: one with the same text and attributes as another in the same
bundle is passed over without a word, whatever their guards, and so is all that a bundle promises
when it is called or listed a second time with the same arguments. A `comment` or `handle` that
differs makes two promises of them. What is found is so in a simulated run.

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
    """Follow a simulated run, and look at what is passed over as done already."""
    sites = {id(site.promise): site for site in run.sites.all}
    begun: Begun = {}
    # The calls, by calling event: those in which all is done already, and by whom it was.
    calls: dict[int, Event | None] = {}
    told: set[tuple[int, str]] = set()
    for event in run.events if run.whole else ():
        if event.type in UNLOCKED:
            continue
        key = (id(event.bundle), event.type, event.promiser)
        if event.begun:
            begun.setdefault(key, []).append(event)
            if event.within is not None:
                calls[event.within] = None
            continue
        earlier = other_than(event, begun.get(key, []))
        place = (id(event.promise), event.promiser)
        if event.reason != "already_done" or earlier is None or place in told:
            continue
        if earlier.promise is event.promise and earlier.within == event.within:
            if (id(event.promise), "") not in told:
                told |= {place, (id(event.promise), "")}
                yield repeated(sites[id(event.promise)], event.promiser)
        elif earlier.promise is event.promise and event.within is not None:
            calls.setdefault(event.within, earlier)
        elif earlier.promise is not event.promise:
            told.add(place)
            yield equal(sites[id(event.promise)], sites[id(earlier.promise)])
    yield from in_vain(run, calls, sites)
    yield from listed_twice(run)


def other_than(event: Event, earlier: list[Event]) -> Event | None:
    """Return who did what a promise is passed over for, if it was another promise or call."""
    from analyzer.frontends.cfengine.policy.variables import unresolved

    if unresolved(event.promiser):
        return None
    for one in earlier:
        if one.promise is event.promise and one.within == event.within:
            again = one.number == event.number and one.iteration != event.iteration
            return one if again else None
    return earlier[0] if earlier else None


def equal(site: Site, other: Site) -> Problem:
    """Return what is told of two equal promises."""
    alike = site.promise.guard in ("any", other.promise.guard) or other.promise.guard == "any"
    return Problem(
        f"{ref_of(site)} is passed over: an equal promise is kept before it in the same run",
        site.promise.span,
        (ref_of(site),),
        (step_of(other, "is kept instead"),),
        ("a comment or a handle that differs makes it another promise",),
        severity=None if alike else "note",
    )


def repeated(site: Site, promiser: str) -> Problem:
    """Return what is told of a list that gives a promise the same text twice."""
    return Problem(
        f"{ref_of(site)} is kept once, though its lists give '{promiser}' more than once",
        site.promise.span,
        (ref_of(site), promiser),
        severity="note",
    )


def in_vain(
    run: PolicyRun, calls: dict[int, Event | None], sites: dict[int, Site]
) -> Iterator[Problem]:
    """Yield the calls in which nothing is kept, as an earlier call has done it all."""
    told: set[int] = set()
    for number, earlier in calls.items():
        caller = run.events[number]
        if earlier is None or earlier.within is None or caller.type != "methods":
            continue
        first, bundle = run.events[earlier.within], earlier.bundle
        site, other = sites[id(caller.promise)], sites[id(first.promise)]
        if id(caller.promise) in told or not is_plain(site) or not is_plain(other):
            continue
        told.add(id(caller.promise))
        yield Problem(
            f"{ref_of(site)} does nothing: all that the bundle '{bundle_name(bundle)}' promises was"
            " kept in an earlier call",
            place_of(site, "usebundle"),
            (ref_of(site),),
            (step_of(other, "calls it first"),),
            severity=None if site.bundle is other.bundle else "note",
        )


def is_plain(site: Site) -> bool:
    """Return whether a call passes nothing that only a machine knows."""
    from analyzer.frontends.cfengine.policy.reachability import has_variables

    return not has_variables(site)


def listed_twice(run: PolicyRun) -> Iterator[Problem]:
    """Yield the bundles that the bundlesequence has twice, if they keep promises."""
    from analyzer.linter.rules.cfengine.missing_bundle import plain_names

    policy = run.loaded.policy
    for attribute in policy.control("common", "bundlesequence") if run.whole else ():
        seen: set[str] = set()
        for name in plain_names(attribute):
            bundle = policy.bundle(name, "default", "agent", "common")
            keeps = bundle and any(s.type not in UNLOCKED and s.promises for s in bundle.sections)
            if bundle and not bundle.parameters and name in seen and keeps:
                step = Step(f"what '{name}' promises is kept the first time", bundle.span)
                message = f"'{name}' is in the bundlesequence twice; what it kept is not kept again"
                yield Problem(message, attribute.span, (name,), (step,))
            seen.add(name)
