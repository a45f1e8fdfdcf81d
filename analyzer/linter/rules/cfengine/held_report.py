"""A report is never printed.

Why: the report waits for a class that is set after its last evaluation, or for a handle that is
never done. Or it is in a common bundle that is not in the bundlesequence, where the agent evaluates
only variables and classes. In an edit bundle, a report is not printed if one of its variables has
no value.

Bad:

```cfengine
bundle common facts
{
  reports:
    "facts are known";  # <--
}
bundle agent main
{
  commands:
    "/bin/false" handle => "migrate";
  reports:
    "done" depends_on => { "migrated" };  # <--
    any::
      "migrated" handle => "migrated", depends_on => { "never" };  # <--
  methods:
    !any::
      "never" handle => "never";
}
bundle agent never { reports: "never"; }
```

Good:

```cfengine
body common control
{
  bundlesequence => { "facts", "main" };
}
bundle common facts
{
  reports:
    "facts are known";
}
bundle agent main
{
  commands:
    "/bin/true" handle => "migrate";
  reports:
    "done" depends_on => { "migrate" };
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.diagnostics import Step
from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import bundle_name, guard_place, place_of, ref_of, step_of, when_done
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site
    from analyzer.frontends.cfengine.syntax.ast import Bundle
    from analyzer.source import Span


@rule("CG533", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the reports that never run."""
    for site in run.sites.all:
        found = held(run, site) if site.type == "reports" else None
        if found:
            reason, span, steps = found
            yield Problem(
                f"{ref_of(site)} is never printed: {reason}", span, (ref_of(site),), steps
            )


def held(run: PolicyRun, site: Site) -> tuple[str, Span, tuple[Step, ...]] | None:
    """Return the reason why a report is never printed, with its place and its steps."""
    reach = run.reach
    if run.whole and run.sequence is not None and id(site.bundle) not in reach.called:
        if site.bundle.type != "common" or site.promise.guard == "!any":
            return None
        name = bundle_name(site.bundle)
        reason = f"the common bundle '{name}' is not in the bundlesequence, nor called"
        return reason, site.promise.span, ()
    if site in reach.begun:
        return unresolved(run, site)
    stop, moment = reach.stops.get(site), reach.late.get(site)
    if moment is not None and moment.site is not None and stop is not None:
        reason = f"{stop.detail} holds only from pass {moment.number}, after its last evaluation"
        span = guard_place(run, site) if stop.reason == "guard" else place_of(site, stop.reason)
        return reason, span, (step_of(moment.site, "sets the class"),)
    if stop is not None and stop.reason == "depends_on":
        return waiting(run, site, stop.detail)
    return None


def waiting(run: PolicyRun, site: Site, handle: str) -> tuple[str, Span, tuple[Step, ...]] | None:
    """Return why a handle is never done in time; other rules report cycles and unknown handles."""
    from analyzer.linter.rules.cfengine.dependency_loop import shortest, waiting

    owners = run.sites.owners(handle)
    if not owners or shortest(waiting(run), site):
        return None
    moment = run.reach.handles.find("", handle)
    done = f"is done only {when_done(site, moment)}" if moment else "is never done"
    steps = tuple(step_of(owner, "has the handle") for owner in owners)
    return f"'{handle}', on which it depends, {done}", place_of(site, "depends_on"), steps


def early(run: PolicyRun, bundle: Bundle) -> bool:
    """Return whether all calls of an edit bundle are in the first pass: the last prints all."""
    callers = [s for s in run.sites.all if any(b is bundle for b, _ in run.reach.callees(s))]
    conditions = ("if", "ifvarclass", "unless", "depends_on")
    return bool(callers) and all(
        site.promise.guard == "any"
        and site.promise.promiser.replace("$(sys.", "").find("$") < 0
        and all(site.get(name) is None for name in conditions)
        for site in callers
    )


def unresolved(run: PolicyRun, site: Site) -> tuple[str, Span, tuple[Step, ...]] | None:
    """Return why a report of an edit bundle is not printed: nothing sets one of its variables."""
    from analyzer.linter.variables import missing

    if not site.bundle.type.startswith("edit") or not early(run, site.bundle):
        return None
    for name in missing(run, site, site.promise.promiser):
        reason = f"nothing sets $({name}), and an edit bundle prints no report without its values"
        return reason, site.promise.span, ()
    return None
