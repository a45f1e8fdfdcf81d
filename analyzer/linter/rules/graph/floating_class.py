"""A class includes another class without containing it, and is itself ordered.

Why: `include` does not put a class inside the including class. `Class[a] -> Service[x]` orders
only what `a` contains; a class that `a` includes may still be applied after the service. Use
`contain`.

Evidence: the graph of a catalog in which resources of the included class have no order with the
other end. What a profile requires for itself does not count.

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

# Classes that put others together: what they include is meant to be theirs, whoever wrote it.
PROFILE = re.compile(r"Class\[(?:Role|Profile)s?::")

# Ways to bring a class in that do not put it anywhere.
BRINGS = {"include": "includes", "class": "declares"}


@rule("CG108", on=Compiled, severity="warning", absence="relationships")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each class that includes a part of itself, and that others are ordered against."""
    contained = {str(r.target) for r in compiled.graph.containment() if r.source.type == "Class"}
    against = relationships_by_class(compiled)
    for use in compiled.record.class_uses:
        if use.within not in against or use.name in contained or not is_uncontained(compiled, use):
            continue
        unheard = [
            r
            for r in against[use.within]
            if not is_own_need(use, r) and is_afloat(compiled, use, r)
        ]
        if unheard:
            yield problem(compiled, use, unheard)


def is_uncontained(compiled: Compiled, use: ClassUse) -> bool:
    """Return whether a class brings in another that it may be thought to contain.

    A module by itself says nothing of what other modules' classes are to it, and an incomplete
    catalog too little.
    """
    wanted = is_part(use) or (compiled.complete and not compiled.partial)
    return use.form in BRINGS and wanted and bool(compiled.types_in(use.name))


def is_part(use: ClassUse) -> bool:
    """Return whether the one is certainly meant to be in the other."""
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
        None if is_part(use) else "note",
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
    """Return whether a class requires something for itself.

    A class that calls `require` in its body wants that first; what it includes may not.
    """
    origin = relationship.origin
    here = origin.span is not None and use.span is not None and origin.span.file == use.span.file
    own = str(origin.declared_by) == use.within and not origin.arrow
    return here and own


def is_afloat(compiled: Compiled, use: ClassUse, relationship: Relationship) -> bool:
    """Return whether a relationship of a class does not order the class it includes.

    The resources of that class may be ordered one by one: then nothing is left to contain. Parts
    of a class that are ordered one after the other, and then the class, are in its stead.
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
    """Return whether a class is called as a part of another: `a::b` of `a`."""
    return ref.startswith(f"{other.removesuffix(']')}::")
