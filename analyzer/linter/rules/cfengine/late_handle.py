"""A promise depends on a handle that is done only when its own last look is over.

Why: the agent looks at a promise three times. What it waits for is done in a bundle that comes
later, or at the end of a chain written backwards, of which each link costs a pass: it is skipped
in every run, though all it waits for is done.

Bad:

```cfengine
body common control
{
  bundlesequence => { "install", "download" };
}
bundle agent install
{
  commands:
    "/bin/echo install"
      depends_on => { "download" };  # <--
}
bundle agent download
{
  commands:
    "/bin/echo download"
      handle => "download";
}
```

Good:

```cfengine
body common control
{
  bundlesequence => { "download", "install" };
}
bundle agent install
{
  commands:
    "/bin/echo install"
      depends_on => { "download" };
}
bundle agent download
{
  commands:
    "/bin/echo download"
      handle => "download";
}
```

Bad:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo 4" depends_on => { "three" };  # <--
    "/bin/echo 3" handle => "three", depends_on => { "two" };
    "/bin/echo 2" handle => "two", depends_on => { "one" };
    "/bin/echo 1" handle => "one";
}
```

Good:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo 1" handle => "one";
    "/bin/echo 2" handle => "two", depends_on => { "one" };
    "/bin/echo 3" handle => "three", depends_on => { "two" };
    "/bin/echo 4" depends_on => { "three" };
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import place_of, ref_of, step_of, when_done
from analyzer.linter.rule import Problem, rule


@rule("CG514", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Look at those that never begin, though what they wait for is done at last."""
    if not run.whole or run.sequence is None:
        return
    reach = run.reach
    for site, stop in reach.stops.items():
        if stop.reason != "depends_on" or site in reach.begun or site.type == "reports":
            continue
        moment = reach.handles.find("", stop.detail)
        if moment is None or moment.site is None or id(site.bundle) not in reach.called:
            continue
        done = when_done(site, moment)
        yield Problem(
            f"{ref_of(site)} is never begun: '{stop.detail}', on which it depends, is done {done}",
            place_of(site, "depends_on"),
            (ref_of(site),),
            (step_of(moment.site, f"is done first in pass {moment.number}"),),
        )
