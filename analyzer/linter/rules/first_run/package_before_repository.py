"""A package is not ordered after the repository of the same name.

Why: on a new machine the package manager does not find the package, and the first run fails. With
the apt module, the repository alone is not enough: `apt-get update` runs at the end of the run
unless Class['apt::update'] is ordered before the package. A repository in an earlier stage than the
file with its key does not help either: packages may come before the key that verifies them.

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

```puppet
yumrepo { 'site': gpgkey => 'file:///etc/pki/rpm-gpg/SITE' }
-> file { '/etc/pki/rpm-gpg/SITE': content => 'x' }  # <--
Yumrepo['site'] -> package { 'nginx': }
```

Good:

```puppet
yumrepo { 'grafana-stable': baseurl => 'https://example.com' }
-> package { 'grafana': }
```

```puppet
file { '/etc/pki/rpm-gpg/SITE': content => 'x' }
-> yumrepo { 'site': baseurl => 'https://example.com', gpgkey => 'file:///etc/pki/rpm-gpg/SITE' }
-> package { 'nginx': }
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
from analyzer.linter.puppet.related_resources import path_of
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
    yield from late_keys(compiled)


def late_keys(compiled: Compiled) -> Iterator[Problem]:
    """Check each repository whose key comes after it; packages of it come after it, too."""
    repositories = [(one, keys_of(one)) for one in compiled.by_type.get("Yumrepo", ())]
    files = compiled.by_type.get("File", ()) if any(keys for _, keys in repositories) else ()
    by_path = {path_of(one): one for one in files}
    packages = compiled.by_type.get("Package", ())
    for repository, keys in repositories:
        for file in (by_path[key] for key in keys if key in by_path):
            late = (
                one
                for one in packages
                if compiled.is_before(repository, one) and not compiled.is_before(file, one)
            )
            first = next(late, None) if compiled.is_before(repository, file) else None
            if first is not None:
                yield Problem(
                    f"{file} has the key of {repository}, but comes after it: it is not ordered "
                    f"before {first}, which may come from there",
                    file.span,
                    (str(file), str(repository), str(first)),
                )


def keys_of(repository: Resource) -> list[str]:
    """Return the local files with the keys of a repository that checks them."""
    given = repository.parameters
    if str(given.get("gpgcheck", "1")).lower() in ("0", "false", "no", "off", "absent"):
        return []
    return [word.removeprefix("file://") for word in str(given.get("gpgkey", "")).split()]


def is_ordered_elsewhere(package: Resource) -> bool:
    """Return whether the site of a package orders all packages after their repositories."""
    return package.span is not None and installs_after_index(site_of(package.span.file))
