"""An arrow between collectors puts a resource before the one that it needs.

Why: `File <| |> -> Package <| |>` orders all files and all packages of the catalog, also a
configuration file and its package. The file is then written before the package is installed, on
every new machine. The author meant a few of the resources.

Evidence: both operands are collectors without a condition, and the arrow orders two resources of
which the second one provides what the first one needs.

Bad:

```puppet
class ntp {
  package { 'ntp': }
  file { '/etc/ntp.conf': content => 'server pool.ntp.org' }
}
include ntp
File <| |> -> Package <| |>  # <--
```

```puppet
package { 'ntpdate': }
exec { 'clock': command => '/usr/sbin/ntpdate pool.ntp.org' }
Exec <| |> -> Package <| |>  # <--
```

Good:

```puppet
class ntp {
  package { 'ntp': }
  file { '/etc/ntp.conf': content => 'server pool.ntp.org', require => Package['ntp'] }
}
include ntp
file { '/etc/apt/apt.conf.d/proxy': content => 'x', tag => 'apt' }
File <| tag == 'apt' |> -> Package <| |>
```

Silent:

```puppet
package { 'ntp': }
file { '/etc/ntp.conf': content => 'server pool.ntp.org' }
Package <| |> -> File <| |>
```

```puppet
package { 'ntp': }
file { '/etc/apt/apt.conf.d/proxy': content => 'x' }
File <| |> -> Package <| |>
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain as joined
from itertools import pairwise

from analyzer.diagnostics import Step
from analyzer.linter.puppet.needs.finders import NEEDS
from analyzer.linter.puppet.related_resources import (
    RelatedResources,
    config_files,
    module,
    name_of,
    to_install,
)
from analyzer.linter.puppet.shared_targets import Pair, pairs
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule

# A collector that matches all resources of its type.
UNFILTERED = re.compile(r"[\w:]+\s*<<?\|\s*\|>>?")


@rule("CG113", on=Compiled, severity="warning", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each arrow between two collectors without a condition."""
    needs: list[Pair] | None = None
    for chain in compiled.record.chains:
        for (left, right), link in zip(pairwise(chain.operands), chain.links, strict=True):
            if not all(UNFILTERED.fullmatch(one.text) for one in (left, right)):
                continue
            before, after = (right, left) if link.reversed else (left, right)
            firsts, seconds = set(before.refs), set(after.refs)
            needs = [*needs_of(compiled)] if needs is None else needs
            turned = [
                pair for pair in needs if str(pair.second) in firsts and str(pair.first) in seconds
            ]
            if turned:
                first, second, thing = turned[0]
                more = f"; and {len(turned) - 1:,} more pairs" if turned[1:] else ""
                yield Problem(
                    f"this arrow puts {second} before {first}, though it needs {thing}{more}",
                    link.span,
                    (str(second), str(first)),
                    (
                        Step(f"{second} is declared here", second.span, (str(second),)),
                        Step(f"{first} is declared here", first.span, (str(first),)),
                    ),
                )


def needs_of(compiled: Compiled) -> Iterator[Pair]:
    """Yield the pairs whose second resource is ordered first, though it needs the first one."""
    packages = RelatedResources(compiled, to_install(compiled))
    files = (
        Pair(package, file, f"the package {name_of(package)}")
        for file, path in config_files(compiled)
        for package in packages.of_config(path, module(compiled, file))[:1]
    )
    for pair in joined(files, pairs(compiled), *(find(compiled) for find in NEEDS)):
        if compiled.is_before(pair.second, pair.first):
            yield pair
