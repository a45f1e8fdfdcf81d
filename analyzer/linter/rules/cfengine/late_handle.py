"""A promise never runs, because a handle that it depends on is done only after its last evaluation.

Why: the agent evaluates a promise three times. The promise with the handle is in a later bundle, or
at the end of a chain that is written backwards, in which each link takes one pass. The agent
therefore skips the dependent promise in every run.

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
    """Report the promises that never run although the handle is done in the end."""
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
            f"{ref_of(site)} never runs: '{stop.detail}', on which it depends, is done {done}",
            place_of(site, "depends_on"),
            (ref_of(site),),
            (step_of(moment.site, f"is done first in pass {moment.number}"),),
        )
