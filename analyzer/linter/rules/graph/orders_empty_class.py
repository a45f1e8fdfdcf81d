"""A relationship leads to a class that contains nothing.

Why: the order of an empty class puts nothing in order, unless it stands between others. Mostly
its resources are in classes that it includes and does not contain, or a parameter switches them
off.

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
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, fine, rule
from analyzer.linter.rules.graph.floating_class import floats
from analyzer.model.refs import ResourceRef


@rule("CG313", on=Compiled, severity="note", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at the classes at the ends of each relationship."""
    brought_in: dict[str, list[str]] = {}
    for use in compiled.record.class_uses:
        brought_in.setdefault(use.within, []).append(use.name)
    afloat = {u.within for u in compiled.record.class_uses if floats(compiled, u)}
    # Of events that are lost another rule tells.
    for relationship in (r for r in compiled.explicit if not r.event):
        for end, other in (
            (relationship.source, relationship.target),
            (relationship.target, relationship.source),
        ):
            if end.type != "Class" or str(end) in afloat or compiled.types_in(end):
                continue
            if leads_on(compiled, end, onward=end == relationship.target):
                continue
            inner = sorted(set(brought_in.get(str(end), ())))
            # On a real node, a parameter may well switch its resources on.
            if compiled.partial and not inner:
                continue
            yield Problem(
                f"{end} contains nothing: its order with {other} puts nothing in order",
                relationship.origin.span,
                (str(end), str(other)),
                notes=(f"it includes {', '.join(inner)}, which it does not contain",)
                if inner
                else (),
                unless_fine=True,
            )
            break
        else:
            yield fine(relationship.origin.span)


def leads_on(compiled: Compiled, ref: ResourceRef, *, onward: bool) -> bool:
    """Tell whether resources are after an empty class, or before it if not `onward`."""
    start = compiled.number(ref)
    if start is None:
        return False
    if onward:
        return compiled.graph.completed[start] in compiled.before_resources
    return start in compiled.after_resources
