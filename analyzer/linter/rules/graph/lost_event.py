"""A notification goes to a container in which nothing can refresh, or comes from an empty one.

Why: an event goes through a container only to resources in it that can refresh. Where there are
none it dies, also for those that wait for the container behind: the order is kept, the refresh
is lost. Often the service is in a class that is included there, but not contained.

Bad:

```puppet
class ntp::service {
  include ntp::daemon
}
class ntp::daemon {
  service { 'ntp': }
}
include ntp::service
file { '/etc/ntp.conf': notify => Class['ntp::service'] }  # <--
```

Good:

```puppet
class ntp::service {
  contain ntp::daemon
}
class ntp::daemon {
  service { 'ntp': }
}
include ntp::service
file { '/etc/ntp.conf': notify => Class['ntp::service'] }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.refs import ResourceRef

# Types whose refresh is known here; what is neither this nor Puppet's own may have one.
MAYBE = frozenset({"File", "User", "Group", "Package", "Notify", "Cron", "Host", "File_line"})


@rule("CG308", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at the containers at the two ends of each notification."""
    for relationship in compiled.explicit:
        if not relationship.event:
            continue
        source, target = relationship.source, relationship.target
        refs, place = (str(source), str(target)), relationship.origin.span
        if compiled.is_container(target) and hears_nothing(compiled, target):
            message = f"nothing in {target} can refresh: the notification from {source} is lost"
            yield Problem(message, place, refs)
        elif compiled.is_container(source) and not compiled.types_in(source):
            message = f"{source} contains nothing: it never notifies {target}"
            yield Problem(message, place, refs)


def hears_nothing(compiled: Compiled, ref: ResourceRef) -> bool:
    """Tell whether a container holds only what is known not to refresh."""
    return compiled.types_in(ref) <= MAYBE
