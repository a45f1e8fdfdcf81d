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
    from analyzer.frontends.cfengine.policy.blocks import Policy
    from analyzer.frontends.cfengine.policy.sites import Site


@rule("CG502", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report names of bodies that are not defined.

    An entry without a control body may be part of another policy, which has them: then these are
    reported that have a similar name, or all if they have the names of other blocks.
    """
    sites = [site for site in run.sites.all if site.unknown] if run.loaded.whole else []
    found = [row for site in sites for row in unknown(run, site)]
    sure = run.whole or (run.sequence is not None and all(other for _, other in found))
    yield from (problem for problem, _ in found if sure or problem.proposals)


def unknown(run: PolicyRun, site: Site) -> Iterator[tuple[Problem, str]]:
    """Yield the bodies of a promise that are not defined, with other blocks of their names."""
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
            instead = another(policy, name, site.bundle.namespace)
            other = near(name, own)
            problem = Problem(
                f"there is no body {attribute.name} '{name}'{hint(other) or instead}",
                attribute.span,
                (ref_of(site), name),
                proposals=(renamed(run, site, (attribute.name,), name, other),) if other else (),
            )
            yield problem, instead


def another(policy: Policy, name: str, namespace: str) -> str:
    """Return the end of a message: which block of another type has the name."""
    for word, blocks in (("body", policy.bodies), ("bundle", policy.bundles)):
        for kind, space, plain in blocks:
            if (space, plain) == (namespace, name):
                return f"; '{name}' is a {word} {kind}"
    return ""
