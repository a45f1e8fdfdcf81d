"""A collector without a condition orders every resource of its type.

Why: `Package <| |>` in a chain means all packages of the catalog, also those that other modules
declare today or will declare tomorrow. Each of them gets the relationship; this is where most
cycles come from that nobody can explain, and one failure then skips all of them. (A module's own
types are its own matter. Types that few modules use are a note, and so is what a class does only
`if` it is asked to.)

Bad:

```puppet
yumrepo { 'corp': }
package { 'httpd': }
Yumrepo['corp'] -> Package <| |>  # <--
```

Good:

```puppet
yumrepo { 'corp': }
package { 'httpd': tag => 'corp' }
Yumrepo['corp'] -> Package <| tag == 'corp' |>
```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.ancestors import Around
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.rule import Problem, rule

# Types that modules of every kind declare: everybody's business.
EVERYBODYS = frozenset(
    {
        "Augeas",
        "Concat",
        "Concat::Fragment",
        "Cron",
        "Exec",
        "File",
        "File_line",
        "Group",
        "Host",
        "Ini_setting",
        "Mount",
        "Notify",
        "Package",
        "Service",
        "Ssh_authorized_key",
        "User",
        "Yumrepo",
    }
)


@rule("CG102", on=Manifest, severity="warning")
def check(manifest: Manifest) -> Iterator[Problem]:
    """Look at each collector that stands beside an arrow."""
    for node, around in manifest.nodes(a.CollectExpression):
        query: a.VirtualQuery | a.ExportedQuery = node.query
        kind = manifest.source(node.type_expr)
        if query.expr is not None or manifest.owns(kind):
            continue
        if isinstance(around[-1], a.RelationshipExpression):
            yield Problem(
                f"`{kind} <| |>` stands for every {kind} of the whole catalog, "
                "those of other modules included",
                manifest.span(node),
                notes=("say which: a tag, a title, or references",),
                severity=None if is_everybodys(kind) and not is_asked_for(node, around) else "note",
            )


def is_everybodys(kind: str) -> bool:
    """Tell whether a type is one of those that modules of every kind declare."""
    return kind.removeprefix("::") in EVERYBODYS


def is_asked_for(node: a.CollectExpression, around: Around) -> bool:
    """Tell whether a collector stands in what is done if some condition holds."""
    within = pairwise((*around, node))
    return any(isinstance(one, a.IfExpression) and part is one.then_expr for one, part in within)
