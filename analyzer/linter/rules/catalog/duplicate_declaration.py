"""A resource is declared twice.

Why: a catalog can hold each resource only once. If two classes need it, move it to a third class
that both include, or declare it virtual and realize it in both.

Bad:

```puppet
package { 'curl': }
package { 'curl': }  # <--
```

Good:

```puppet
@package { 'curl': }
realize Package['curl']
realize Package['curl']
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Refusal
from analyzer.linter.rule import Problem, rule

# How Puppet begins to say so: of a resource, and of another name for it.
BEGINNINGS = ("Duplicate declaration: ", "Cannot alias ")


@rule("CG202", on=Refusal, severity="error")
def check(refusal: Refusal) -> Iterator[Problem]:
    """Check what ended a compile."""
    if is_duplicate(refusal) and not is_alone(refusal):
        yield Problem(refusal.error.message, refusal.error.span)


def is_alone(refusal: Refusal) -> bool:
    """Return whether a class of a module was declared twice for being compiled by itself."""
    kind, _, rest = refusal.error.message.partition("Class[")
    name = refusal.name.removeprefix("class ").partition(" ")[0]
    return refusal.partial and bool(kind) and rest.partition("]")[0].lower() == name


def is_duplicate(refusal: Refusal) -> bool:
    """Return whether a compile ended with a second declaration."""
    return refusal.error.message.startswith(BEGINNINGS)
