"""A policy uses a class that nothing sets.

Why: promises under it never run, and promises under its negation always do. If the policy sets a
class with a similar name, the name is probably misspelled. Otherwise the class can only come from
outside (`--define`, `def.json` or an earlier run), and the finding is a note.

Bad:

```cfengine
bundle agent main
{
  classes:
    "is_webserver" expression => "linux";
  commands:
    is_websever::  # <--
      "/bin/echo configure";
}
```

Good:

```cfengine
bundle agent main
{
  classes:
    "is_webserver" expression => "linux";
  commands:
    is_webserver::
      "/bin/echo configure";
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import (
    guard_place,
    hint,
    near,
    place_of,
    ref_of,
    renamed,
    renamed_in_guard,
    swallowed_type,
)
from analyzer.linter.rule import Problem, Proposal, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site

IN_GUARDS = ("if", "ifvarclass", "unless", "expression", "and", "or", "xor", "not")


@rule("CG521", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report classes that are used but not set."""
    from analyzer.frontends.cfengine.policy.possible_classes import key_of

    uses: dict[tuple[str, str], list[tuple[Site, str, bool]]] = {}
    for site in run.sites.all if run.whole else ():
        for name, attribute, wanted in asked(site):
            uses.setdefault(key_of(name, site.bundle), []).append((site, attribute, wanted))
    for (space, name), places in uses.items():
        if not is_known(run, space, name, [site for site, _, _ in places]):
            yield from problems(run, space, name, places)


def asked(site: Site) -> Iterator[tuple[str, str, bool]]:
    """Yield the classes that a promise uses, the attribute, and whether it needs them to be set."""
    from analyzer.frontends.cfengine.syntax.ast import ListValue, Scalar
    from analyzer.frontends.cfengine.syntax.class_expressions import names, parsed

    guard = site.promise.guard
    texts = [] if swallowed_type(guard) else [(guard, "", True)]
    for attribute in site.promise.attributes:
        if attribute.name in IN_GUARDS and (
            attribute.name in IN_GUARDS[:3] or site.type == "classes"
        ):
            value = attribute.value
            items = value.items if isinstance(value, ListValue) else (value,)
            wanted = attribute.name not in ("unless", "not")
            texts += [(i.text, attribute.name, wanted) for i in items if isinstance(i, Scalar)]
    for text, attribute_name, positive in texts:
        expression = None if "$" in text or "@" in text else parsed(text)
        for name, wanted in names(expression) if expression else ():
            yield name, attribute_name, wanted is positive


def is_known(run: PolicyRun, space: str, name: str, sites: list[Site]) -> bool:
    """Return whether something may set a class that some promises use."""
    from analyzer.frontends.cfengine.policy.possible_values import WILD, may_equal
    from analyzer.frontends.cfengine.policy.system_classes import comes_from_outside

    reach = run.reach
    if name in ("true", "false", *reach.defined) or comes_from_outside(name):
        return True
    if (space, name) in reach.setters or (space, name) in reach.lasting:
        return True
    # A name that consists only of a variable is no evidence for the classes of other bundles.
    within = {id(site.bundle) for site in sites}
    return any(
        shared or text.strip(WILD) or id(setter.bundle) in within
        for other, text, setter, shared in reach.wild_setters
        if other == space and may_equal(text, name)
    )


def problems(
    run: PolicyRun, space: str, name: str, places: list[tuple[Site, str, bool]]
) -> Iterator[Problem]:
    """Yield a problem at each place of a misspelled class, or at the first place of any other."""
    other = near_class(run, space, name)
    wanted = [place for place in places if place[2]]
    for site, attribute, _ in places if other else wanted[:1]:
        span = place_of(site, attribute) if attribute else guard_place(run, site)
        count = len(wanted) - 1
        rest = (
            (f"it is used at {count} more place{'s' * (count > 1)}",) if count and not other else ()
        )
        proposal: Proposal | None = None
        if other:
            change = (attribute,)
            proposal = (
                renamed(run, site, change, name, other)
                if attribute
                else renamed_in_guard(run, site, name, other)
            )
        yield Problem(
            f"nothing sets the class '{name}'{hint(other)}",
            span,
            (ref_of(site), name),
            notes=rest,
            proposals=(proposal,) if proposal else (),
            severity=None if other else "note",
        )


def near_class(run: PolicyRun, space: str, name: str) -> str:
    """Return the class with the most similar name, or an empty string."""
    from analyzer.frontends.cfengine.policy.system_classes import SYSTEMS

    elsewhere = [f"{other}:{plain}" for other, plain in run.reach.setters if plain == name]
    if elsewhere:
        return elsewhere[0]
    own = [plain for other, plain in run.reach.setters if other == space]
    found = near(name, own) or near(name, SYSTEMS.split())
    # Names that differ only in a number are a series.
    return "" if re.sub(r"\d", "", found) == re.sub(r"\d", "", name) else found
