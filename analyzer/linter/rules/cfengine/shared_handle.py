"""Several promises that may all run have the same handle, and other promises depend on it.

Why: a dependent promise runs as soon as one promise with the handle is done. The others may not be
done yet.

Bad:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo download"  # <--
      handle => "ready";
    linux::
      "/bin/echo unpack"
        handle => "ready";
  reports:
    "go on"
      depends_on => { "ready" };
}
```

Good:

```cfengine
bundle agent main
{
  commands:
    linux::
      "/bin/echo download"
        handle => "ready";
    !linux::
      "/bin/echo nothing to download"
        handle => "ready";
  reports:
    "go on"
      depends_on => { "ready" };
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import ref_of, step_of
from analyzer.linter.rule import Problem, rule
from analyzer.linter.rules.cfengine.early_else import conjuncts
from analyzer.linter.rules.cfengine.impossible_guard import is_possible

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site


@rule("CG515", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report handles that several promises have and other promises depend on."""
    wanted = {handle for site in run.sites.all for handle in run.sites.dependencies(site)}
    owners: dict[str, list[Site]] = {}
    for site in run.sites.all if wanted else ():
        for handle in run.sites.handles(site):
            if handle in wanted and "\0" not in handle:
                owners.setdefault(handle, []).append(site)
    for handle, sites in owners.items():
        first = sites[0]
        both = [other for other in sites[1:] if may_both(first, other)]
        if both:
            steps = tuple(step_of(site, f"has the handle '{handle}'") for site in [first, *both])
            yield Problem(
                f"{len(steps)} promises have the handle '{handle}': dependent promises wait only"
                " for the first of them",
                first.promise.span,
                (ref_of(first), handle),
                steps,
            )


def may_both(site: Site, other: Site) -> bool:
    """Return whether two promises may both run in one run."""
    (needs, excludes), (others, forbids) = conjuncts(site), conjuncts(other)
    both = f"({site.promise.guard}).({other.promise.guard})"
    return not (needs & forbids or others & excludes) and is_possible(both)
