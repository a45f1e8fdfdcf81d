"""A body of the first file of a policy is never used.

Why: changing it has no effect. The other files are not checked: they may be libraries, which always
have unused bodies.

Bad:

```cfengine
body classes if_repaired(x)
{
  promise_repaired => { "$(x)" };
}
body classes if_kept(x)  # <--
{
  promise_kept => { "$(x)" };
}
bundle agent main
{
  commands:
    "/bin/echo configure" classes => if_repaired("configured");
}
```

Good:

```cfengine
body classes if_repaired(x)
{
  inherit_from => if_kept("$(x)_kept");
  promise_repaired => { "$(x)" };
}
body classes if_kept(x)
{
  promise_kept => { "$(x)" };
}
bundle agent main
{
  commands:
    "/bin/echo configure" classes => if_repaired("configured");
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.policies import PolicyRun
from analyzer.linter.rule import Problem, rule


@rule("CG504", on=PolicyRun, severity="note")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the bodies of the first file that nothing names."""
    if not run.whole or run.sequence is None:
        return
    named = names(run)
    for body in run.loaded.policy.files[0].bodies:
        # These bodies apply without being named.
        unnamed = body.name == "control" or body.namespace == "bodydefault"
        if not unnamed and body.name not in named and "$" not in named:
            message = f"nothing uses the body {body.type} '{body.name}'"
            yield Problem(message, body.span, (f"{body.type} {body.name}",))


def names(run: PolicyRun) -> set[str]:
    """Return all possible names of bodies, without namespaces; `$` stands for any name."""
    from analyzer.frontends.cfengine.policy.bodies import named
    from analyzer.frontends.cfengine.syntax.vocabulary import syntax

    policy = run.loaded.policy
    attributes = [a for site in run.sites.all for a in site.promise.attributes]
    attributes += [a for body in policy.bodies.values() for a in body.attributes]
    attributes += [a for block in policy.promise_types.values() for a in block.attributes]
    found = set()
    for attribute in attributes:
        name = named(attribute.value)[0].rpartition(":")[2]
        is_open = "$" in name and attribute.name in syntax().bodies
        found.add("$" if is_open else name)
    return found
