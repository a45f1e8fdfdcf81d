"""A promise depends on a handle whose promise can never run.

Why: the promise with the handle is in a bundle that is never called, is under classes that are
never set, itself waits for such a promise, or is a command with `action_policy => "warn"`, which is
never kept. The agent therefore skips the dependent promise in every run.

Bad:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo install"
      depends_on => { "download" };  # <--
}
bundle agent fetch
{
  commands:
    "/bin/echo download"
      handle => "download";
}
```

Good:

```cfengine
bundle agent main
{
  methods:
    "fetch";
  commands:
    "/bin/echo install"
      depends_on => { "download" };
}
bundle agent fetch
{
  commands:
    "/bin/echo download"
      handle => "download";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import bundle_name, place_of, ref_of, step_of
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site


@rule("CG513", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report dependencies on handles whose promises are all unreachable."""
    for site, handle, owners in out_of_reach(run):
        reasons = [why(run, owner) for owner in owners]
        if site.type == "reports" or not all(reasons):
            continue
        yield Problem(
            f"{ref_of(site)} never runs: it depends on '{handle}', and {reasons[0]}",
            place_of(site, "depends_on"),
            (ref_of(site),),
            tuple(
                step_of(owner, f"has the handle; {reason}")
                for owner, reason in zip(owners, reasons, strict=True)
            ),
        )


def out_of_reach(run: PolicyRun) -> Iterator[tuple[Site, str, list[Site]]]:
    """Yield the promises that wait for unreachable handles, with the owners of the handles."""
    from analyzer.frontends.cfengine.policy.possible_values import WILD, may_equal

    if not run.whole or run.sequence is None:
        return
    reach = run.reach
    exact: dict[str, list[tuple[int, Site]]] = {}
    for number, site in enumerate(run.sites.all):
        for handle in run.sites.handles(site):
            exact.setdefault(handle, []).append((number, site))
    wild = [handle for handle in exact if WILD in handle]
    for site, stop in reach.stops.items():
        waits = stop.reason == "depends_on" and site not in reach.begun
        if waits and id(site.bundle) in reach.called:
            others = exact if WILD in stop.detail else [stop.detail, *wild]
            alike = [handle for handle in others if may_equal(handle, stop.detail)]
            found = sorted({row[0]: row for h in alike for row in exact.get(h, ())}.items())
            having = [owner for _, (_, owner) in found]
            if having and reach.handles.find("", stop.detail) is None:
                yield site, stop.detail, having


def why(run: PolicyRun, owner: Site) -> str:
    """Return why a promise never runs; empty if other rules report it, or the reason is unknown."""
    from analyzer.frontends.cfengine.policy.reachability import only_warns

    reach = run.reach
    if id(owner.bundle) not in reach.called:
        return f"nothing calls '{bundle_name(owner.bundle)}', the bundle of its promise"
    stop = reach.stops.get(owner)
    if owner in reach.begun and only_warns(owner):
        return "its promise is only warned of, which never counts as kept"
    if owner in reach.begun or stop is None:
        return ""
    if stop.reason == "depends_on":
        return f"its promise itself waits for '{stop.detail}'" if not in_loop(run, owner) else ""
    if owner in reach.late:
        return f"the guard {stop.detail} of its promise holds only after the last pass"
    return f"the guard {stop.detail} of its promise never holds" if stop.detail else ""


def in_loop(run: PolicyRun, site: Site) -> bool:
    """Return whether a promise waits for itself."""
    from analyzer.linter.rules.cfengine.dependency_loop import shortest, waiting

    return bool(shortest(waiting(run), site))
