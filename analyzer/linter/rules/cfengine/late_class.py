"""A promise never runs, because its class is set only after its last evaluation.

Why: the agent evaluates each promise of a bundle in three passes. A class that a later type,
promise or bundle sets takes effect only in the next pass. A chain of such classes can need a fourth
pass: the promise never runs, though its class is set in every run. Common bundles are evaluated in
load order, once when each file is loaded and once more afterwards, so a longer chain of classes
against that order is not completed.

Bad:

```cfengine
body classes on_repair(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  commands:
    three::  # <--
      "/bin/echo 4";
    two::
      "/bin/echo 3" classes => on_repair("three");
    one::
      "/bin/echo 2" classes => on_repair("two");
    any::
      "/bin/echo 1" classes => on_repair("one");
}
```

Good:

```cfengine
body classes on_repair(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  commands:
    any::
      "/bin/echo 1" classes => on_repair("one");
    one::
      "/bin/echo 2" classes => on_repair("two");
    two::
      "/bin/echo 3" classes => on_repair("three");
    three::
      "/bin/echo 4";
}
```

Bad:

```cfengine
body common control
{
  bundlesequence => { "restart", "configure" };
}
body classes on_repair(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent restart
{
  commands:
    configured::  # <--
      "/bin/echo restart";
}
bundle agent configure
{
  commands:
    "/bin/echo configure" classes => on_repair("configured");
}
```

Bad:

```cfengine
bundle common a
{
  classes:
    "last" expression => "middle";
}
bundle common b
{
  classes:
    "middle" expression => "next";  # <--
}
bundle common c
{
  classes:
    "next" expression => "first";
}
bundle common d
{
  classes:
    "first" expression => "any";
}
bundle agent main
{
  commands:
    first.next::
      "/bin/echo two";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import (
    bundle_name,
    guard_place,
    in_pass,
    place_of,
    ref_of,
    step_of,
)
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.possible_classes import Moment
    from analyzer.frontends.cfengine.policy.sites import Site


@rule("CG523", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the promises that would run if there were another pass."""
    for site, moment in run.reach.late.items():
        if site not in run.reach.begun and site.type != "reports" and moment.site is not None:
            yield problem(run, site, moment, moment.site)


def problem(run: PolicyRun, site: Site, moment: Moment, owner: Site) -> Problem:
    """Return the problem of a promise whose class another promise sets too late."""
    stop = run.reach.stops[site]
    span = guard_place(run, site) if stop.reason == "guard" else place_of(site, stop.reason)
    if moment.number == 0:
        when = "after the last evaluation of the common bundles"
    elif owner.bundle is site.bundle:
        when = f"in pass {moment.number}, after the last evaluation of the promise"
    else:
        when = f"after the bundle '{bundle_name(owner.bundle)}', which comes later"
    needs = f"'{stop.detail}'" if stop.detail else "its expression"
    return Problem(
        f"{ref_of(site)} never runs: {needs} holds only {when}",
        span,
        (ref_of(site),),
        (step_of(owner, f"sets the class {in_pass(moment)}"),),
        (hint(moment, owner.bundle is site.bundle),),
        # A bundle that is called again may see the classes of an earlier call.
        severity=None if run.whole else "warning",
    )


def hint(moment: Moment, own: bool) -> str:
    """Return a hint about how to fix the problem."""
    if moment.number == 0:
        return "write the bundles in the order of the chain, or list them in the bundlesequence"
    if own:
        return (
            "write the promises in the order of the chain, or set the class in a bundle that is"
            " called earlier"
        )
    return "call that bundle first"
