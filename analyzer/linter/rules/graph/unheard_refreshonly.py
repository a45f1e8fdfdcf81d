"""An exec with `refreshonly` is notified by nothing, so that it never runs.

Why: such an exec acts on an event only. Without a resource that sends one the command is dead
code, unless it is notified on another node. (And with one, a run that fails between the change and
the exec loses the event for ever: `unless`, `onlyif` or `creates` look at the machine and not at
what happened.)

Bad:

```puppet
exec { '/usr/bin/newaliases':  # <--
  refreshonly => true,
}
```

Good:

```puppet
file { '/etc/aliases': }
exec { '/usr/bin/newaliases':
  refreshonly => true,
  subscribe   => File['/etc/aliases'],
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, fine, rule


@rule("CG309", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Go from each such exec against the events."""
    execs = [
        r for r in compiled.by_type.get("Exec", ()) if is_true(r.parameters.get("refreshonly"))
    ]
    if not execs or compiled.partial:
        return
    told = notified(compiled)
    for resource in execs:
        if compiled.number(resource) in told:
            yield fine(resource.span, str(resource))
        else:
            yield Problem(
                f"{resource} runs on events only, and nothing notifies it",
                resource.span,
                (str(resource),),
                unless_fine=True,
            )


def notified(compiled: Compiled) -> set[int | None]:
    """Return the nodes that events of some resource reach, straight through ends of containers."""
    graph, succ = compiled.graph, compiled.events
    plain = [v for v in range(len(succ)) if graph.end_of(v)[0] == "resource"]
    found: set[int | None] = set()
    pending = plain
    while pending:
        for t in succ[pending.pop()]:
            if t not in found:
                found.add(t)
                if graph.end_of(t)[0] != "resource":
                    pending.append(t)
    return found


def is_true(value: object) -> bool:
    """Tell whether an attribute is true as the type `exec` reads it."""
    return value is True or value == "true"
