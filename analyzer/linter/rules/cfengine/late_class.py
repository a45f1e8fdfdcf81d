"""A promise is guarded by a class that is set only when the last look at the promise is over.

Why: the agent looks at each promise of a bundle in three passes. A class of a later type, a later
promise or a later bundle costs a pass, and a chain of them more than there are: the promise never
runs, though its class is set in every run. A fourth pass would be needed.
Common bundles are settled in load order, once as each file is loaded and once more: a chain of
classes against that order ends in the middle.

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
    """Look at the promises that a further pass would begin."""
    for site, moment in run.reach.late.items():
        if site not in run.reach.begun and site.type != "reports" and moment.site is not None:
            yield problem(run, site, moment, moment.site)


def problem(run: PolicyRun, site: Site, moment: Moment, owner: Site) -> Problem:
    """Return what is told of a promise, and who sets its class when."""
    stop = run.reach.stops[site]
    span = guard_place(run, site) if stop.reason == "guard" else place_of(site, stop.reason)
    if moment.number == 0:
        when = "after the last round in which common bundles are settled"
    elif owner.bundle is site.bundle:
        when = f"in pass {moment.number}, after its last look at the promise"
    else:
        when = f"after the bundle '{bundle_name(owner.bundle)}', which comes later"
    needs = f"'{stop.detail}'" if stop.detail else "its expression"
    return Problem(
        f"{ref_of(site)} is never begun: {needs} holds only {when}",
        span,
        (ref_of(site),),
        (step_of(owner, f"sets the class {in_pass(moment)}"),),
        (hint(moment, owner.bundle is site.bundle),),
        # One that is called more than once may see what an earlier call has set.
        severity=None if run.whole else "warning",
    )


def hint(moment: Moment, own: bool) -> str:
    """Return what would mend it."""
    if moment.number == 0:
        return "let the bundles stand in the order of the chain, or list them in the bundlesequence"
    if own:
        return (
            "write the promises in the order of the chain, or call what sets the class as a bundle"
        )
    return "let that bundle come first"
