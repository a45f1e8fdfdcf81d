"""An exec with `refreshonly` never runs, because nothing notifies it.

Why: such an exec runs only on a refresh event. Without a resource that sends one, it is dead code,
unless it is notified on another node. (Even with one, an event is lost if a run fails between the
change and the exec; `unless`, `onlyif` or `creates` check the state of the machine instead.)

Evidence: a complete catalog in which no event reaches the command.

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
from analyzer.linter.rule import Problem, no_problem, rule


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
            yield no_problem(resource.span, str(resource))
        else:
            yield Problem(
                f"{resource} never runs: it has refreshonly, and nothing notifies it",
                resource.span,
                (str(resource),),
                unless_ok=True,
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
    """Return whether an attribute is true as the type `exec` reads it."""
    return value is True or value == "true"
