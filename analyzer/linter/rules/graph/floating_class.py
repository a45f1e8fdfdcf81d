"""A class includes another class without containing it, and is itself ordered.

Why: `include` does not put a class inside the including class. `Class[a] -> Service[x]` orders only
what `a` contains, so a class that `a` includes may still be applied after the service. Use
`contain`.

Evidence: a catalog whose graph does not order resources of the included class with the other end of
the relationship. For a class of another module it is a note, unless the class contains nothing
itself, so that its relationships order nothing. Classes that a profile requires for itself do not
count. A class that was included elsewhere before stays in its run stage; one that is declared with
a stage of its own is meant to be there.

Bad:

```puppet
class app {
  include app::install  # <--
  file { '/srv/app': ensure => directory }
}
class app::install {
  package { 'app': }
}
include app
service { 'web': require => Class['app'] }
```

```puppet
class profile::base {
  include ntp  # <--
}
class ntp {
  package { 'ntp': }
}
include profile::base
service { 'web': require => Class['profile::base'] }
```

```puppet
stage { 'pre': before => Stage['main'] }
class keys {
  file { '/etc/apt/keyrings/corp.asc': content => 'key' }
}
class repos {
  include keys  # <--
  exec { '/usr/bin/apt-get update': }
}
include keys
class { 'repos': stage => 'pre' }
```

Good:

```puppet
class app {
  contain app::install
  file { '/srv/app': ensure => directory }
}
class app::install {
  package { 'app': }
}
include app
service { 'web': require => Class['app'] }
```

Silent:

```puppet
stage { 'pre': before => Stage['main'] }
class keys {
  file { '/etc/apt/keyrings/corp.asc': content => 'key' }
}
class repos {
  include keys
  exec { '/usr/bin/apt-get update': }
}
class { 'repos': stage => 'pre' }
```

```puppet
stage { 'post': require => Stage['main'] }
class base {
  class { 'base::post': stage => 'post' }
}
class base::post {
  exec { '/usr/bin/updatedb': }
}
include base
```

```puppet
class app {
  include app::install
}
class app::install {
  package { 'app': before => Service['web'] }
}
include app
service { 'web': require => Class['app'] }
```

```puppet
class app {
  include app::install, app::service
  Class['app::install'] -> Class['app::service'] -> Class['app']
}
class app::install {
  package { 'app': }
}
class app::service {
  service { 'app': }
}
include app
```

```puppet
class profile::web {
  require base
  include monitoring
}
class base {
  notify { 'base': }
}
class monitoring {
  notify { 'monitoring': }
}
include profile::web
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import contain_below, replace_word
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, Proposal, rule
from analyzer.model.relationship import Relationship
from analyzer.model.statements import ClassUse

# Classes that combine others: they are meant to contain what they include, of any module.
PROFILE = re.compile(r"Class\[(?:Role|Profile)s?::")

# Ways to declare a class without containing it.
BRINGS = {"include": "includes", "class": "declares"}


@rule("CG108", on=Compiled, severity="warning", absence="relationships")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each class that has relationships and includes a class that it should contain."""
    contained = {str(r.target) for r in compiled.graph.containment() if r.source.type == "Class"}
    against = relationships_by_class(compiled)
    for use in compiled.record.class_uses:
        yield from in_another_stage(compiled, use)
        if use.within not in against or use.name in contained or not is_uncontained(compiled, use):
            continue
        unheard = [
            r
            for r in against[use.within]
            if not is_own_need(use, r) and is_afloat(compiled, use, r)
        ]
        if unheard:
            yield problem(compiled, use, unheard)


def in_another_stage(compiled: Compiled, use: ClassUse) -> Iterator[Problem]:
    """Yield the problem of a class that stays in a later stage than the class that includes it."""
    inner, outer = (compiled.class_around(one) for one in (use.name, use.within))
    are_stages = inner.startswith("Stage[") and outer.startswith("Stage[")
    declared = compiled.resource(use.name) if use.form == "class" else None
    is_placed = declared is not None and "stage" in declared.parameters
    is_wanted = use.form in BRINGS and not is_placed and bool(compiled.types_in(use.name))
    if are_stages and is_wanted and compiled.is_before(outer, inner):
        yield Problem(
            f"{use.name} stays in {inner}: {use.within} {BRINGS[use.form]} it, but is in the "
            f"earlier {outer}",
            use.span,
            (use.name, use.within, inner),
        )


def is_uncontained(compiled: Compiled, use: ClassUse) -> bool:
    """Return whether a class includes another class that it is expected to contain.

    A module that is compiled by itself, or an incomplete catalog, does not show whether a class of
    another module should be contained.
    """
    wanted = is_part(use) or (compiled.complete and not compiled.partial)
    return use.form in BRINGS and wanted and bool(compiled.types_in(use.name))


def is_part(use: ClassUse) -> bool:
    """Return whether the included class is certainly meant to be contained."""
    return is_below(use.name, use.within) or PROFILE.match(use.within) is not None


def problem(compiled: Compiled, use: ClassUse, unheard: list[Relationship]) -> Problem:
    """Return the problem of one include."""
    first = unheard[0]
    other = first.target if str(first.source) == use.within else first.source
    word = "after" if other == first.target else "before"
    return Problem(
        f"{use.name} is not contained: {use.within} {BRINGS[use.form]} it, so relationships of "
        f"{use.within} do not order it",
        use.span,
        (use.name, use.within, str(other)),
        tuple(
            Step(f"{r.source} -> {r.target}", r.origin.span, (str(r.source), str(r.target)))
            for r in unheard[:3]
        ),
        (f"{other} is {word} {use.within}, but not {word} {use.name}",),
        contained(compiled, use),
        None if is_part(use) or not compiled.types_in(use.within) else "note",
    )


def contained(compiled: Compiled, use: ClassUse) -> tuple[Proposal, ...]:
    """Return the proposal to contain a class."""
    if use.form == "include":
        return replace_word(compiled, use.span, "include", "contain")
    return contain_below(compiled, use.span, use.name.removeprefix("Class[").rstrip("]").lower())


def relationships_by_class(compiled: Compiled) -> dict[str, list[Relationship]]:
    """Return the relationships that each class is an end of."""
    found: dict[str, list[Relationship]] = {}
    for relationship in compiled.explicit:
        for end in (relationship.source, relationship.target):
            if end.type == "Class":
                found.setdefault(str(end), []).append(relationship)
    return found


def is_own_need(use: ClassUse, relationship: Relationship) -> bool:
    """Return whether a relationship comes from a requirement of the class itself.

    A class that calls `require` in its body needs the other class first; the classes that it
    includes may not.
    """
    origin = relationship.origin
    here = origin.span is not None and use.span is not None and origin.span.file == use.span.file
    own = str(origin.declared_by) == use.within and not origin.arrow
    return here and own


def is_afloat(compiled: Compiled, use: ClassUse, relationship: Relationship) -> bool:
    """Return whether a relationship of a class leaves the class that it includes unordered.

    If the resources of that class are ordered one by one, containing it would add nothing. If parts
    of a class are ordered one after the other, their order replaces that of the class.
    """
    first, second = relationship.source, relationship.target
    inner = compiled.resources_in(use.name)
    if str(first) == use.within:
        opposite = any(compiled.is_before(second, r) for r in inner)
        ordered = str(second) == use.name or all(compiled.is_before(r, second) for r in inner)
    else:
        opposite = any(compiled.is_before(r, first) for r in inner)
        ordered = str(first) == use.name or all(compiled.is_before(first, r) for r in inner)
    of_parts = is_below(str(first), use.within) or is_below(str(second), use.within)
    return not ordered and not (of_parts and opposite)


def is_below(ref: str, other: str) -> bool:
    """Return whether a class has a name below that of another: `a::b` below `a`."""
    return ref.startswith(f"{other.removesuffix(']')}::")
