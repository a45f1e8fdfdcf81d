"""Finds variables of a policy that have no value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.pattern import pattern

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site
    from analyzer.frontends.cfengine.syntax.ast import Bundle
    from analyzer.linter.policies import PolicyRun

# Scopes other than bundles.
SPECIAL = frozenset(("sys", "const", "this", "edit", "match", "mon", "connection", "body", "def"))
SPECIAL_NAMES = frozenset(("this", "with", "edit", "n"))
PLAIN = pattern(r"(?:(?:\w+:)?\w+\.)?\w+(?:\[.*\])?\Z", re.DOTALL)


def missing(run: PolicyRun, site: Site, text: str) -> Iterator[str]:
    """Yield the variables in a text that certainly have no value."""
    from analyzer.frontends.cfengine.policy.variables import references

    # A backslash means literal text, although CFEngine does not need it.
    plain_text = text.replace("\\$", "")
    for name in references(plain_text) if not run.anything else ():
        # A bundle sets its own variables, even if other files are unknown.
        sure = run.whole or "." not in name.partition("[")[0]
        plain = "$" not in name and PLAIN.match(name) is not None
        if sure and plain and not is_given(run, site.bundle, name):
            yield name


def is_given(run: PolicyRun, bundle: Bundle, name: str) -> bool:
    """Return whether a variable may have a value."""
    head = name.partition("[")[0]
    scope, dot, _ = head.rpartition(".")
    if head in SPECIAL_NAMES or (dot and scope.rpartition(":")[2] in SPECIAL):
        return True
    owner, space, place, plain = run.values.place(head, bundle)
    if owner is None or plain in owner.parameters:
        # Modules and augments may create bundles.
        return True
    if (space, place, plain) in run.loaded.policy.augments.variables:
        return True
    if place.removesuffix("_meta") != place:
        return True
    return (
        plain in run.variables_of(space, place)
        or any(pattern.fullmatch(plain) for pattern in run.values.patterns.get((space, place), ()))
        or plain in run.named_in(owner)
        or head in run.named_in(bundle)
    )
