"""A collector searches for an attribute that no resource of its type sets.

Why: a collector sees only attributes that manifests set, not values that Puppet chooses. `provider
== yum` matches no package unless a manifest sets the provider, even if yum installs all of them.
The collector is empty and orders nothing.

Evidence: a complete catalog. If resources may be missing, nothing is reported.

Bad:

```puppet
package { 'httpd': }
yumrepo { 'corp': }
Yumrepo['corp'] -> Package <| provider == 'yum' |>  # <--
```

Good:

```puppet
package { 'httpd': provider => 'yum' }
yumrepo { 'corp': }
Yumrepo['corp'] -> Package <| provider == 'yum' |>
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, no_problem, rule
from analyzer.model.statements import Collection


@rule("CG104", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the attributes that each collector searches for."""
    for collection in compiled.record.collections:
        missing = [] if compiled.partial else unset(compiled, collection)
        if not missing and collection.attributes:
            yield no_problem(collection.span)
        for name in missing:
            yield Problem(
                f"`{collection.text}` matches nothing: "
                f"no {collection.type} of this catalog sets `{name}`",
                collection.span,
                notes=(
                    "a collector sees only attributes that manifests set, not values that "
                    "Puppet chooses",
                ),
                unless_ok=True,
            )


def unset(compiled: Compiled, collection: Collection) -> list[str]:
    """Return the attributes that a collector searches for and no resource of its type sets."""
    asked = collection.attributes
    return [name for name in asked if (collection.type, name) in compiled.record.unset]
