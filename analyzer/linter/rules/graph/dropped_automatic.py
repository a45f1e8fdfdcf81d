"""Puppet drops an automatic relationship because of an opposite relationship.

Why: Puppet orders a file after its directory and its owner, unless a relationship says the
opposite. The first run on a new machine then fails, or runs in an order that the types do not
expect. (A file before the directory that purges it is accepted: modules do this to keep the file.)

Evidence: an explicit relationship is the opposite of an automatic one. Relationships to generated
resources are not explicit. A folder or an account that every system has need not come first. There
is no fix, because only the author knows the reason for the order.

Bad:

```puppet
file { '/srv/app': ensure => directory }
file { '/srv/app/conf': before => File['/srv/app'] }  # <--
```

```puppet
group { 'www': }
user { 'www': gid => 'www' }
User <| |> -> Group <| |>  # <--
```

Good:

```puppet
file { '/srv/app': ensure => directory }
file { '/srv/app/conf': }
```

```puppet
file { '/srv/mods': ensure => directory, recurse => true, purge => true }
file { '/srv/mods/ssl': before => File['/srv/mods'] }
```

Silent:

```puppet
file { '/etc/pam.d': ensure => directory, require => File['/etc/pam.d/app'] }
file { '/etc/pam.d/app': content => 'x' }
```

```puppet
cron { 'backup': ensure => absent, user => 'app', before => User['app'] }
user { 'app': ensure => absent }
```

```puppet
file { '/bin/zsh': owner => 'root', group => 'root' }
user { 'root': shell => '/bin/zsh', require => File['/bin/zsh'] }
```

```puppet
file { '/srv': ensure => directory }
file { '/srv/a': before => Notify['done'] }
notify { 'done': }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.graph.phrases import sentence
from analyzer.linter.puppet.needs.paths import BASE_FOLDERS
from analyzer.linter.puppet.related_resources import GONE, path_of
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.refs import ResourceRef

BASE_ACCOUNTS = frozenset({"User[root]", "Group[root]", "Group[wheel]"})


@rule("CG305", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each automatic relationship that was dropped because of an explicit one."""
    told = set()
    for automatic, opposite in compiled.graph.provenance.opposed():
        # Generated resources come after the resource that generates them: nobody wrote that order.
        if opposite.origin.automatic:
            continue
        if is_purged(compiled, str(opposite.target)) or is_there(compiled, str(automatic.source)):
            continue
        # What is removed goes before the resource that it needed.
        if all(is_gone(compiled, end) for end in (automatic.source, automatic.target)):
            continue
        # Report a statement in a define once for all its instances.
        place = opposite.origin.span
        if place in told:
            continue
        told.add(place)
        yield Problem(
            f"{sentence(opposite)}, so Puppet drops the automatic relationship: "
            f"{sentence(automatic)}",
            place,
            (str(opposite.source), str(opposite.target)),
        )


def is_gone(compiled: Compiled, ref: ResourceRef) -> bool:
    """Return whether a resource is removed."""
    resource = compiled.resource(ref)
    return resource is not None and resource.parameters.get("ensure") in GONE


def is_there(compiled: Compiled, ref: str) -> bool:
    """Return whether a resource is a folder or an account that every system has."""
    resource = compiled.resource(ref)
    if resource is None or resource.type != "File":
        return ref in BASE_ACCOUNTS
    return path_of(resource) in BASE_FOLDERS


def is_purged(compiled: Compiled, ref: str) -> bool:
    """Return whether a resource is a directory that Puppet purges."""
    resource = compiled.resource(ref)
    given = resource.parameters if resource is not None else {}
    return any(given.get(name) in (True, "true") for name in ("purge", "recurse"))
