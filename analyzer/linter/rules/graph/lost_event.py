"""A notification goes to a container that cannot refresh, or comes from an empty container.

Why: a container passes a refresh event only to resources in it that can refresh. If there are none,
the event is lost, even for resources that depend on the container, and only the order remains.
Often the service is in a class that is included but not contained.

Evidence: a complete catalog. Nothing is reported about a container without resources and classes:
on other systems, or with other parameters, it may have them. It is a note, because the order
remains and may be intended. It is a warning for a fragment of `concat`, which sends no event:
notify from the `concat` resource.

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

Silent:

```puppet
class ntp::service (Boolean $manage = false) {
  if $manage {
    service { 'ntp': }
  }
}
include ntp::service
file { '/etc/ntp.conf': notify => Class['ntp::service'] }
```
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.refs import ResourceRef

# Types that are known not to refresh; a type that is not listed may refresh.
MAYBE = frozenset({"File", "User", "Group", "Package", "Notify", "Cron", "Host", "File_line"})

# A part of a file; only the resource of the whole file changes (type/concat_fragment.rb).
FRAGMENT = {"Concat_fragment"}


@rule("CG308", on=Compiled, severity="note", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the containers at the two ends of each notification."""
    including = {use.within for use in compiled.record.class_uses}
    for relationship in compiled.explicit:
        # An anchor only passes on what it is notified of.
        if not relationship.event or relationship.source.type == "Anchor":
            continue
        source, target = relationship.source, relationship.target
        refs, place = (str(source), str(target)), relationship.origin.span
        if compiled.is_container(target) and cannot_pass_on(compiled, target, including):
            message = f"nothing in {target} can refresh: the notification from {source} is lost"
            yield Problem(message, place, refs)
        elif compiled.types_in(source) == FRAGMENT:
            fragment = compiled.resource(source)
            whole = f"Concat[{fragment.parameters.get('target')}]" if fragment else ""
            if compiled.is_notified(whole, target):
                continue
            message = f"a fragment never changes by itself: {source} never notifies {target}"
            yield Problem(message, place, refs, severity="warning")
        elif str(source) in including and not compiled.types_in(source):
            message = f"{source} contains nothing: it never notifies {target}"
            yield Problem(message, place, refs)


def cannot_pass_on(compiled: Compiled, ref: ResourceRef, including: Container[str]) -> bool:
    """Return whether a container holds only resources that cannot refresh, or includes classes."""
    types = compiled.types_in(ref)
    return types <= MAYBE and (bool(types) or str(ref) in including)
