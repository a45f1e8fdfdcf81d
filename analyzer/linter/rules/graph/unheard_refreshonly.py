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

from analyzer.graph.queries import event_edges
from analyzer.linter.rule import Problem, fine, rule
from analyzer.linter.subjects import Compiled


@rule("CG309", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Go from each such exec against the events."""
    execs = [
        r for r in compiled.by_type.get("Exec", ()) if is_true(r.parameters.get("refreshonly"))
    ]
    if not execs or compiled.partial:
        return
    kernel = compiled.graph.kernel
    heard: dict[int, list[int]] = {}
    for s, targets in enumerate(event_edges(kernel)):
        for t in targets:
            heard.setdefault(t, []).append(s)
    for resource in execs:
        if is_notified(compiled, compiled.number(resource), heard):
            yield fine(resource.span, str(resource))
        else:
            yield Problem(
                f"{resource} runs on events only, and nothing notifies it",
                resource.span,
                (str(resource),),
                unless_fine=True,
            )


def is_notified(compiled: Compiled, start: int | None, heard: dict[int, list[int]]) -> bool:
    """Tell whether some resource sends events that reach a node."""
    kernel = compiled.graph.kernel
    pending = [] if start is None else [start]
    seen: set[int] = set()
    while pending:
        for s in heard.get(pending.pop(), ()):
            if kernel.end_of(s)[0] == "resource":
                return True
            if s not in seen:
                seen.add(s)
                pending.append(s)
    return False


def is_true(value: object) -> bool:
    """Tell whether an attribute is true as the type `exec` reads it."""
    return value is True or value == "true"
