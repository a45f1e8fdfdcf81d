"""A collector asks for an attribute that no resource of its type is given.

Why: a collector sees what manifests say, not what Puppet will choose: `provider == yum` finds
no package, although all of them are installed by yum, unless the manifest says so. The collector
is empty, and what should be ordered by it is not.

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
from analyzer.linter.rule import Problem, fine, rule
from analyzer.model.statements import Collection


@rule("CG104", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at what each collector asks for."""
    for collection in compiled.record.collections:
        missing = [] if compiled.partial else unset(compiled, collection)
        if not missing and collection.attributes:
            yield fine(collection.span)
        for name in missing:
            yield Problem(
                f"no {collection.type} of this catalog is given a `{name}`: "
                f"`{collection.text}` asks for what is not there",
                collection.span,
                notes=("a collector sees the attributes as written, not what Puppet chooses",),
                unless_fine=True,
            )


def unset(compiled: Compiled, collection: Collection) -> list[str]:
    """Return the attributes that a collector asks for and no resource of its type is given."""
    asked = collection.attributes
    return [name for name in asked if (collection.type, name) in compiled.record.unset]
