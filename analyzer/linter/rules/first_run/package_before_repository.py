"""A package is not ordered after the repository of the same name.

Why: on a new machine the package manager does not find the package, and the first run fails. With
the apt module, the repository alone is not enough: `apt-get update` runs at the end of the run
unless Class['apt::update'] is ordered before the package.

Evidence: a repository and a package of the same module with the same first word, and no order
between the package and the repository or the command that reads it. A package that comes from a
file, or whose provider reads no repositories, is accepted. If the site has a chain such as
`Class['apt::update'] -> Package <| |>`, incomplete catalogs and classes that are compiled by
themselves are accepted too.

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

```puppet
yumrepo { 'puppet': baseurl => 'https://example.com' }
package { 'puppet-lint': provider => 'gem' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.repositories import repository_and_package
from analyzer.linter.puppet.site_texts import installs_after_index, site_of
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource


@rule("CG325", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each repository and the packages with a similar name."""
    for pair in repository_and_package(compiled):
        is_whole = compiled.complete and not compiled.partial
        if not is_whole and is_ordered_elsewhere(pair.second):
            continue
        message = (
            f"{pair.second} is not ordered after {pair.first}, {pair.thing} that it comes from"
        )
        found = unordered(compiled, pair, message)
        if found:
            yield found


def is_ordered_elsewhere(package: Resource) -> bool:
    """Return whether the site of a package orders all packages after their repositories."""
    return package.span is not None and installs_after_index(site_of(package.span.file))
