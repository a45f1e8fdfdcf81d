"""A collector changes an attribute that a resource was given explicitly.

Why: `File <| |> { mode => ... }` wins over what stands in the resource itself, in whatever module
that is, and no error tells of it. Who reads the resource cannot see which value it will have.

Bad:

```puppet
file { '/etc/motd': mode => '0644' }
File <| title == '/etc/motd' |> { mode => '0600' }  # <--
```

Good:

```puppet
file { '/etc/motd': }
File <| title == '/etc/motd' |> { mode => '0600' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


@rule("CG107", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at what each collector overrides."""
    for collection in compiled.record.collections:
        for ref, name in collection.overridden:
            resource = compiled.resource(ref)
            place = resource.span if resource else None
            yield Problem(
                f"the collector changes `{name}` of {ref}, which was given explicitly",
                collection.span,
                (ref,),
                (Step(f"{ref} is declared here", place, (ref,)),) if place else (),
            )
