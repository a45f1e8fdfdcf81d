"""A collector overrides an attribute that a resource sets explicitly.

Why: `File <| |> { mode => ... }` overrides the value in the resource, in any module and without a
message. Readers of the resource see a value that is not used.

Evidence: a compiled catalog in which the attribute had another value. Nothing is reported for a
collector of exported resources, which belong to other nodes: this is how one adapts them. It is a
note if a node block names exactly that resource, or a class that includes the class of the
resource, because the override may be intended.

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

Silent:

```puppet
file { '/etc/motd': mode => '0600' }
File <| title == '/etc/motd' |> { mode => '0600' }
```

```puppet
@@file { '/etc/motd': mode => '0644' }
File <<| |>> { mode => '0600' }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.statements import Collection

# A query for one resource by its title or name.
TITLE = re.compile(r"<\|\s*(?:title|name)\s*==\s*['\"][^'\"]+['\"]\s*\|>")


@rule("CG107", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the attributes that each collector overrides."""
    for collection in compiled.record.collections:
        if collection.exported:
            continue
        for ref, name in collection.overridden:
            resource = compiled.resource(ref)
            place = resource.span if resource else None
            yield Problem(
                f"the collector overrides `{name}` of {ref}, which is set explicitly",
                collection.span,
                (ref,),
                (Step(f"{ref} is declared here", place, (ref,)),) if place else (),
                severity="note" if is_meant(compiled, collection, ref) else None,
            )


def is_meant(compiled: Compiled, collection: Collection, ref: str) -> bool:
    """Return whether the only resource to override is named by a node, or where its class is
    included."""
    owner, by = compiled.class_around(ref), collection.within
    uses = {(str(use.within), str(use.name)) for use in compiled.record.class_uses}
    is_named = TITLE.search(collection.text) is not None
    return is_named and (by.startswith("Node[") or (by, owner) in uses)
