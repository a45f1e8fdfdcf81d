"""A guard never holds: its classes exclude each other.

Why: the promises under it never run. `!any` is not reported, because it is a common way to disable
promises.

Bad:

```cfengine
bundle agent main
{
  commands:
    linux.windows::  # <--
      "/bin/echo never";
    linux.!linux::  # <--
      "/bin/echo never either";
}
```

Good:

```cfengine
bundle agent main
{
  commands:
    linux|windows::
      "/bin/echo both";
    !any::
      "/bin/echo switched off";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import guard_place, ref_of
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site
    from analyzer.frontends.cfengine.syntax.class_expressions import Expression

MOST = 10


@rule("CG525", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Evaluate each guard with every combination of its classes."""
    first: dict[str, Site] = {}
    possible = cache(is_possible)
    for site in run.sites.all:
        guard = site.promise.guard
        place = f"{site.promise.span.file}:{site.bundle.name}:{site.type}:{guard}"
        if place not in first and not possible(guard):
            first[place] = site
            yield Problem(f"'{guard}' never holds", guard_place(run, site), (ref_of(site), guard))


def is_possible(text: str) -> bool:
    """Return whether an expression may hold, has too many classes to try, or is disabled on
    purpose."""
    from analyzer.frontends.cfengine.policy.system_classes import EXCLUSIVE
    from analyzer.frontends.cfengine.syntax.class_expressions import names, parsed

    expression = None if "$" in text or "@" in text else parsed(text)
    if expression is None:
        return True
    known = sorted({name for name, _ in names(expression)})
    if (len(known) < 2 and "any" in known) or len(known) > MOST or "!any" in text:
        return True
    free = [name for name in known if name not in ("any", "true", "false")]
    for choice in product((True, False), repeat=len(free)):
        given = dict(zip(free, choice, strict=True))
        given |= {"any": True, "true": True, "false": False}
        if sum(given.get(name, False) for name in EXCLUSIVE) < 2 and value(expression, given):
            return True
    return False


def value(expression: Expression, given: dict[str, bool]) -> bool:
    """Return the value of an expression with given classes."""
    from analyzer.frontends.cfengine.syntax.class_expressions import And, Name, Not

    if isinstance(expression, Name):
        return given[expression.text]
    if isinstance(expression, Not):
        return not value(expression.operand, given)
    left, right = value(expression.left, given), value(expression.right, given)
    return (left and right) if isinstance(expression, And) else (left or right)
