"""A collector without a condition orders every resource of its type.

Why: `Package <| |>` in a chain matches all packages of the catalog, including those of other
modules, now and later. This is a common cause of unexplained cycles, and one failure skips all
matched resources.

Evidence: the text of one manifest. It is a note, because the order may be intended. Types that few
modules declare are accepted, as are collectors inside a condition and, in the code of a control
repo itself, repositories before all packages, and a reload of systemd before all services.

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

Silent:

```puppet
class apt {
  notify { 'updated': } -> Apt::Source <| |>
}
```

```puppet
class slurm {
  service { 'slurmd': }
  Mount <| |> -> Service['slurmd']
}
```

```puppet
class repos(Boolean $first = true) {
  exec { '/usr/bin/apt-get update': }
  if $first {
    Exec['/usr/bin/apt-get update'] -> Package <| |>
  }
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.linter.puppet.ancestors import Ancestors
from analyzer.linter.puppet.site_texts import in_control_repo
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.rule import Problem, rule

# Types that modules of every kind declare.
COMMON_TYPES = frozenset(
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

# What makes repositories of packages known, and the units of services.
NEEDED = {
    "Package": re.compile(r"repo|\bapt(?:_|::|\b)|yum|zypp|epel|sources?\b", re.IGNORECASE),
    "Service": re.compile(r"systemd|systemctl|daemon.?reload", re.IGNORECASE),
}


@rule("CG102", on=Manifest, severity="note")
def check(manifest: Manifest) -> Iterator[Problem]:
    """Check each collector next to an arrow."""
    for node, around in manifest.nodes(a.CollectExpression):
        query: a.VirtualQuery | a.ExportedQuery = node.query
        kind = manifest.source(node.type_expr)
        if query.expr is not None or manifest.owns(kind) or not is_common_type(kind):
            continue
        above = around[-1]
        if not isinstance(above, a.RelationshipExpression) or is_barrier(manifest, above, node):
            continue
        if not (is_chosen(node, around) or is_needed_by_all(manifest, above)):
            yield Problem(
                f"`{kind} <| |>` matches every {kind} of the catalog, "
                "including those of other modules",
                manifest.span(node),
                notes=("add a condition (a tag or a title), or use references",),
            )


def is_common_type(kind: str) -> bool:
    """Return whether a type is one of those that modules of every kind declare."""
    return kind.removeprefix("::") in COMMON_TYPES


def is_barrier(
    manifest: Manifest, chain: a.RelationshipExpression, node: a.CollectExpression
) -> bool:
    """Return whether a chain only makes a chosen resource wait for all resources of a type.

    Such a chain is deliberate.
    """
    first, last = ordered(chain)
    if chain.operator not in ("->", "<-") or first is not node:
        return False
    if isinstance(last, a.CollectExpression):
        filtered = getattr(last.query, "expr", None) is not None
        return filtered or not is_common_type(manifest.source(last.type_expr))
    return True


def is_needed_by_all(manifest: Manifest, chain: a.RelationshipExpression) -> bool:
    """Return whether a site's own code lets all packages or services wait for what they need."""
    if not in_control_repo(manifest.file):
        return False
    first, last = ordered(chain)
    if isinstance(first, a.RelationshipExpression):
        first = ordered(first)[1]
    needed = NEEDED.get(manifest.source(getattr(last, "type_expr", last)))
    return needed is not None and needed.search(manifest.source(first)) is not None


def ordered(chain: a.RelationshipExpression) -> tuple[Node, Node]:
    """Return the two sides of an arrow in the order that it gives them."""
    sides = chain.left_expr, chain.right_expr
    return sides[::-1] if chain.operator in ("<-", "<~") else sides


def is_chosen(node: a.CollectExpression, around: Ancestors) -> bool:
    """Return whether a collector is inside a condition, so that somebody chose the order."""
    within = pairwise((*around, node))
    return any(isinstance(one, a.IfExpression) and part is not one.test for one, part in within)
