"""A resource needs something that another resource removes.

Why: Puppet orders resources with `ensure => absent` like those that are present. A file below a
removed folder, a file of a removed user, or a running service of a removed package fails: in the
first run if the removal comes first, otherwise in the second run.

Evidence: paths and names in the catalog. No order can correct this.

Bad:

```puppet
file { '/srv/old': ensure => absent, force => true }
file { '/srv/old/x': content => 'x' }  # <--
```

```puppet
user { 'app': ensure => absent }
file { '/srv/app': ensure => directory, owner => 'app' }  # <--
```

```puppet
package { 'rsyslog': ensure => purged }
service { 'rsyslog': ensure => running }  # <--
```

Good:

```puppet
file { '/srv/old': ensure => absent, force => true }
file { '/srv/old/x': ensure => absent }
```

Silent:

```puppet
package { 'rsyslog': ensure => purged }
service { 'rsyslog': ensure => stopped }
```

```puppet
user { 'app': ensure => absent }
file { '/srv/app': ensure => absent, owner => 'app' }
```

```puppet
package { 'ntp': ensure => absent }
package { 'ntpsec': }
-> service { 'ntp': ensure => running }
```

```puppet
package { 'bird': ensure => absent }
package { 'bird2': }
service { 'bird': ensure => running }
```

```puppet
package { 'exporter': ensure => purged }
file { '/etc/systemd/system/exporter.service': content => 'x' }
~> service { 'exporter': ensure => running }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.related_resources import (
    has_content,
    is_present,
    module,
    name_of,
    stem,
)
from analyzer.linter.puppet.shared_targets import paths
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource
from analyzer.model.values import Unknown

REMOVED = ("absent", "purged")

# A unit by its name or path, and a script of a service.
STARTED = re.compile(r"([^/]+)\.service\Z|/etc/init\.d/([^/]+)\Z")

# Attributes that name an account which must exist.
NAMING = (
    ("File", "owner", "User"),
    ("File", "group", "Group"),
    ("Exec", "user", "User"),
    ("Exec", "group", "Group"),
    ("Cron", "user", "User"),
    ("Ssh_authorized_key", "user", "User"),
)


@rule("CG324", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check what needs the folders, accounts and packages that are removed."""
    for needer, removed in needs(compiled):
        yield Problem(
            f"{needer} needs {removed}, which is removed",
            needer.span,
            (str(needer), str(removed)),
            (Step(f"{removed} is declared here", removed.span, (str(removed),)),),
        )


def needs(compiled: Compiled) -> Iterator[tuple[Resource, Resource]]:
    """Yield each resource that must exist, with a removed resource that it needs."""
    files = paths(compiled)
    gone = {path: file for path, file in files.items() if path and is_removed(file)}
    for path, file in files.items() if gone else ():
        folder = gone.get(path.rpartition("/")[0])
        if folder is not None and is_wanted(file):
            yield file, folder
    for kind, attribute, target in NAMING:
        accounts = {
            name_of(one): one for one in compiled.by_type.get(target, ()) if is_removed(one)
        }
        for resource in compiled.by_type.get(kind, ()) if accounts else ():
            account = accounts.get(str(resource.parameters.get(attribute)))
            if account is not None and is_wanted(resource):
                yield resource, account
    yield from services(compiled)


def is_wanted(resource: Resource) -> bool:
    """Return whether a resource must exist; a file without `ensure` need not."""
    if isinstance(resource.parameters.get("ensure"), Unknown):
        return False
    created = "ensure" in resource.parameters or has_content(resource)
    return is_present(resource) and (created or resource.type != "File")


def services(compiled: Compiled) -> Iterator[tuple[Resource, Resource]]:
    """Yield running services, and the removed packages of their name and module.

    Another package may provide the service: one that is ordered before it, or one with the same
    name and a version. A resource that manages its unit may provide it too.
    """
    packages = {
        (module(compiled, one), name_of(one)): one
        for one in compiled.by_type.get("Package", ())
        if is_removed(one)
    }
    others = [one for one in compiled.by_type.get("Package", ()) if is_present(one)]
    brought = {stem(name_of(one)) for one in others} | units(compiled) if packages else set()
    numbers = [number for one in others if (number := compiled.number(one)) is not None]
    later = compiled.after(numbers) if packages else set()
    for service in compiled.by_type.get("Service", ()) if packages else ():
        package = packages.get((module(compiled, service), name_of(service)))
        if package is None or service.parameters.get("ensure") not in ("running", True):
            continue
        if compiled.number(service) not in later and stem(name_of(service)) not in brought:
            yield service, package


def units(compiled: Compiled) -> set[str]:
    """Return the names of the services whose units or scripts the catalog manages."""
    named = (str(one.title) for one in compiled.graph.resources)
    found = map(STARTED.search, (*named, *paths(compiled)))
    return {stem(one[1] or one[2]) for one in found if one}


def is_removed(resource: Resource) -> bool:
    """Return whether a resource must not exist."""
    return resource.parameters.get("ensure") in REMOVED
