"""A relationship names a class that contains nothing.

Why: a relationship with an empty class orders nothing, unless the class connects others. Usually
the class includes its resources without containing them, or a parameter disables them.

Evidence: a complete catalog in which the class contains no resource. A class that is required for
its variables (`params`, `globals`) is accepted, because it must be evaluated first.

Bad:

```puppet
class base { }
include base
package { 'app': require => Class['base'] }  # <--
```

Good:

```puppet
class between { }
include between
package { 'app': require => Class['between'] }
package { 'lib': before => Class['between'] }
```

```puppet
class base {
  package { 'curl': }
}
include base
package { 'app': require => Class['base'] }
```

Silent:

```puppet
class app::params {
  $port = 80
}
class app {
  require app::params
}
include app
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, no_problem, rule
from analyzer.linter.rules.graph.floating_class import is_uncontained
from analyzer.model.refs import ResourceRef

# Classes that hold values for others (the Puppet language style guide).
VALUES = ("::Params", "::Globals")


@rule("CG313", on=Compiled, severity="note", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the classes at the ends of each relationship."""
    brought_in: dict[str, list[str]] = {}
    for use in compiled.record.class_uses:
        brought_in.setdefault(use.within, []).append(use.name)
    afloat = {u.within for u in compiled.record.class_uses if is_uncontained(compiled, u)}
    # CG308 reports lost events.
    for relationship in (r for r in compiled.explicit if not r.event):
        if relationship.source.title.endswith(VALUES):
            continue
        for end, other in (
            (relationship.source, relationship.target),
            (relationship.target, relationship.source),
        ):
            if end.type != "Class" or str(end) in afloat or compiled.types_in(end):
                continue
            if orders_others(compiled, end, onward=end == relationship.target):
                continue
            inner = sorted(set(brought_in.get(str(end), ())))
            # On a real node, a parameter may enable its resources.
            if compiled.partial and not inner:
                continue
            yield Problem(
                f"{end} contains nothing: its relationship with {other} orders nothing",
                relationship.origin.span,
                (str(end), str(other)),
                notes=(f"it does not contain {', '.join(inner)}, which it includes",)
                if inner
                else (),
                unless_ok=True,
            )
            break
        else:
            yield no_problem(relationship.origin.span)


def orders_others(compiled: Compiled, ref: ResourceRef, *, onward: bool) -> bool:
    """Return whether resources come after an empty class, or before it if not `onward`."""
    start = compiled.number(ref)
    if start is None:
        return False
    if onward:
        return compiled.graph.completed[start] in compiled.before_resources
    return start in compiled.after_resources
