"""A resource default sets a relationship.

Why: `File { require => ... }` reaches every file declared below it by dynamic scope: also those in
classes and defines that this scope is the first to declare, whoever wrote them. What waits for
what then depends on which class happens to be included first.

Bad:

```puppet
package { 'ntp': }
File { require => Package['ntp'] }  # <--
file { '/etc/ntp.conf': }
```

Good:

```puppet
package { 'ntp': }
file { '/etc/ntp.conf': require => Package['ntp'] }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.frontends.puppet import ast as a
from analyzer.linter.rule import Problem, rule
from analyzer.linter.subjects import Manifest

RELATIONSHIPS = ("before", "notify", "require", "subscribe")


@rule("CG105", on=Manifest, severity="warning")
def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at the attributes of each default."""
    for node, _ in manifest.nodes(a.ResourceDefaultsExpression):
        kind = manifest.source(node.type_ref)
        for operation in node.operations:
            name = getattr(operation, "attribute_name", "")
            if name in RELATIONSHIPS:
                yield Problem(
                    f"the default `{name}` for {kind} leaks into everything "
                    "that is declared from here, other modules included",
                    manifest.span(operation),
                )
