"""A chain connects two collectors.

Why: every resource of the first collector comes before every resource of the second, however many a
node has. One relationship between two classes is usually enough.

Evidence: the text of one manifest. The rule is off by default, because the order may be intended.

Bad:

```puppet
package { 'httpd': tag => 'web' }
service { 'httpd': tag => 'web' }
Package <| tag == 'web' |> -> Service <| tag == 'web' |>  # <--
```

Good:

```puppet
class web::install {
  package { 'httpd': }
}
class web::service {
  service { 'httpd': }
}
include web::install, web::service
Class['web::install'] -> Class['web::service']
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.rule import Problem, rule


@rule("CG103", on=Manifest, severity="note", default=False)
def check(manifest: Manifest) -> Iterator[Problem]:
    """Check the two sides of each arrow."""
    for node, _ in manifest.nodes(a.RelationshipExpression):
        left, right = last_of(node.left_expr), node.right_expr
        if isinstance(left, a.CollectExpression) and isinstance(right, a.CollectExpression):
            first, second = manifest.source(left.type_expr), manifest.source(right.type_expr)
            yield Problem(
                f"every collected {first} is related to every collected {second}",
                manifest.span_at(left.offset),
            )


def last_of(node: object) -> object:
    """Return the left operand of an arrow to the right of a chain."""
    return node.right_expr if isinstance(node, a.RelationshipExpression) else node
