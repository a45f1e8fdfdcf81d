"""An attribute names a body that does not exist.

Why: the agent checks the policy before a run. If a body is missing, it runs the failsafe policy
instead.

Bad:

```cfengine
body classes if_repaired(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  commands:
    "/bin/echo configure"
      classes => if_repared("configured");  # <--
}
```

Good:

```cfengine
body classes if_repaired(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  commands:
    "/bin/echo configure"
      classes => if_repaired("configured");
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import hint, near, ref_of, renamed
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site


@rule("CG502", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report names of bodies that are not defined."""
    for site in run.sites.all if run.loaded.whole else ():
        if site.unknown:
            yield from (found for found in unknown(run, site) if run.whole or found.proposals)


def unknown(run: PolicyRun, site: Site) -> Iterator[Problem]:
    """Yield the bodies of a promise that are not defined."""
    from analyzer.frontends.cfengine.policy.bodies import named
    from analyzer.frontends.cfengine.syntax.vocabulary import syntax

    policy = run.loaded.policy
    for attribute in site.promise.attributes:
        wanted = syntax().known_attribute(site.bundle.type, site.type, attribute.name)
        name = named(attribute.value)[0]
        if wanted is None or wanted.type != "body" or not name or "$" in name or "@" in name:
            continue
        if policy.body(attribute.name, name, site.bundle.namespace) is None:
            own = [
                plain if space == site.bundle.namespace else f"{space}:{plain}"
                for kind, space, plain in policy.bodies
                if kind == attribute.name
            ]
            other = near(name, own)
            yield Problem(
                f"there is no body {attribute.name} '{name}'{hint(other)}",
                attribute.span,
                (ref_of(site), name),
                proposals=(renamed(run, site, (attribute.name,), name, other),) if other else (),
            )
