"""An arrow points to the left, against the reading direction.

Why: `A <- B` means "B, then A", but readers expect A to come first. If the right side is a
collector that matches nothing, Puppet makes the left side depend on itself, which is a dependency
cycle.

Evidence: the text of one manifest. It is a note, because only readability suffers.

Bad:

```puppet
package { 'ntp': }
service { 'ntp': }
Service['ntp'] <~ Package['ntp']  # <--
```

Good:

```puppet
package { 'ntp': }
service { 'ntp': }
Package['ntp'] ~> Service['ntp']
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.rule import Problem, Proposal, rule

TURNED = {"<-": "->", "<~": "~>"}


@rule("CG101", on=Manifest, severity="note")
def check(manifest: Manifest) -> Iterator[Problem]:
    """Check each arrow."""
    for node, around in manifest.nodes(a.RelationshipExpression):
        if node.operator in TURNED:
            alone = not any(isinstance(n, a.RelationshipExpression) for n in (around[-1], node[3]))
            yield Problem(
                f"the arrow `{node.operator}` points to the left, against the reading direction",
                manifest.span(node),
                proposals=(turned(manifest, node),) if alone else (),
            )


def turned(manifest: Manifest, node: a.RelationshipExpression) -> Proposal:
    """Return the edit that swaps the two sides and keeps the text between them."""
    left, right = node.left_expr, node.right_expr
    start, end = left.offset + left.length, right.offset
    arrow = manifest.text.rindex(node.operator, start, end)
    between = manifest.text[start:arrow], manifest.text[arrow + len(node.operator) : end]
    middle = TURNED[node.operator].join(between)
    text = f"{manifest.source(right)}{middle}{manifest.source(left)}"
    edit = Edit(manifest.file, left.offset, right.offset + right.length, text)
    return Proposal("reverse the arrow", (edit,))
