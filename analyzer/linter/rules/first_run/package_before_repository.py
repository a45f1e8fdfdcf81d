"""A package is not ordered after the repository of its name.

Why: On a new machine the package manager does not know the package, and the first run fails. With
the module apt, the repository alone is not enough: `apt-get update` runs at the end of the run
unless Class['apt::update'] is ordered before the package.

Evidence: a repository and a package of the same module with the same first word, and no order of
the package with the repository or with the command that reads it. A package from a file is
accepted.

Bad:

```puppet
yumrepo { 'grafana': baseurl => 'https://example.com' }
package { 'grafana': }  # <--
```

Good:

```puppet
yumrepo { 'grafana-stable': baseurl => 'https://example.com' }
-> package { 'grafana': }
```

Silent:

```puppet
yumrepo { 'grafana-stable': baseurl => 'https://example.com' }
package { 'nginx': }
```

```puppet
yumrepo { 'grafana-stable': ensure => absent }
package { 'grafana': }
```

```puppet
yumrepo { 'grafana-stable': baseurl => 'https://example.com' }
Yumrepo <| |> -> Package <| |>
package { 'grafana': }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.first_run import repository_and_package
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule


@rule("CG325", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each repository and the packages that are named like it."""
    for pair in repository_and_package(compiled):
        message = (
            f"{pair.second} is not ordered after {pair.first}, {pair.thing} that it comes from"
        )
        found = unordered(compiled, pair, message)
        if found:
            yield found
