"""A promise depends on a handle that no promise has.

Why: the agent skips the promise in every pass of every run, with a message only in its verbose log.
Handles have no namespaces: `space:name` matches no handle, although the documentation describes it.

Bad:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo download"
      handle => "download";
    "/bin/echo install"
      depends_on => { "dowload" };  # <--
}
```

Good:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo download"
      handle => "download";
    "/bin/echo install"
      depends_on => { "download" };
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import hint, near, place_of, ref_of, renamed
from analyzer.linter.rule import Problem, rule


@rule("CG512", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report dependencies on handles that no promise has."""
    from analyzer.frontends.cfengine.policy.possible_values import WILD, may_equal

    handles = dict.fromkeys(h for site in run.sites.all for h in run.sites.handles(site))
    wild = [handle for handle in handles if WILD in handle]
    for site in run.sites.all if run.whole else ():
        for handle in run.sites.dependencies(site):
            known = WILD in handle or handle in handles
            if known or any(may_equal(one, handle) for one in wild):
                continue
            plain = handle.rpartition(":")[2]
            other = plain if plain in handles and plain != handle else near(handle, handles)
            proposals = (renamed(run, site, ("depends_on",), handle, other),) if other else ()
            yield Problem(
                f"{ref_of(site)} never runs: it depends on '{handle}', but no promise has that"
                f" handle{hint(other)}",
                place_of(site, "depends_on"),
                (ref_of(site),),
                proposals=proposals,
            )
