"""Puppet purges something that another catalog of the same machine contains.

Why: `resources { 'host': purge => true }` removes every host that is not in the catalog. If a
resource is declared only for certain facts or parameters, or if a class is compiled without another
class, a run with one catalog removes what a run with the other catalog created.

Evidence: two catalogs of a node with different facts purge the same type, and a class that both
contain declares the resource in only one of them. Or one class of a module creates what another
class of the module purges (CG323). It is a note, because it is unknown whether a machine ever gets
both.

Bad:

```puppet facts=@debian-12,@rocky-9
resources { 'host': purge => true }
class app {
  if $facts['os']['family'] == 'Debian' {
    host { 'db': ip => '10.0.0.1' }  # <--
  }
}
include app
```

Good:

```puppet facts=@debian-12,@rocky-9
resources { 'host': purge => true }
class app {
  host { 'db': ip => '10.0.0.1' }
}
include app
```

Silent:

```puppet facts=@debian-12,@rocky-9
class app {
  if $facts['os']['family'] == 'Debian' {
    host { 'db': ip => '10.0.0.1' }
  }
}
include app
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.purges import Purged, purged, purged_types, traces_of
from analyzer.linter.puppet.related_resources import is_present
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.together import Together
from analyzer.linter.rule import Problem, rule
from analyzer.model.names import capitalize_type


@rule("CG332", on=Together, severity="note", default=False)
def check(together: Together) -> Iterator[Problem]:
    """Compare what one catalog purges with what another one contains."""
    purging = {id(one) for one in together.catalogs if traces_of(one).purges}
    for first, second in together.pairs():
        if id(first) not in purging:
            continue
        found = of_classes(first, second) if first.partial else of_worlds(first, second)
        for purge, maker, what in found:
            yield Problem(
                f"{purge} removes {what} in {first.name}, which {maker} makes in {second.name}",
                maker.span,
                (str(maker), str(purge)),
                (Step(f"{purge} is declared here", purge.span, (str(purge),)),),
            )


def of_classes(first: Compiled, second: Compiled) -> Iterator[Purged]:
    """Yield what one class purges and another one creates, unless one of the two does both."""
    for purge, maker, what in purged(first, second):
        if first.number(maker) is None and second.number(purge) is None:
            yield purge, maker, what


def of_worlds(first: Compiled, second: Compiled) -> Iterator[Purged]:
    """Yield resources that only the second catalog contains, of types that both purge.

    The class of the resource must be in both catalogs.
    """
    for purge, kind in purged_types(first):
        if second.number(purge) is None:
            continue
        for resource in second.by_type.get(capitalize_type(kind), ()):
            home = second.class_around(resource)
            is_gone = is_present(resource) and first.number(resource) is None
            if is_gone and home and first.number(home) is not None:
                yield purge, resource, str(resource)
