"""Attributes that a resource gets besides those of its declaration: defaults and overrides."""

from __future__ import annotations

from analyzer.frontends.puppet.compiler.declared.entry import (
    INHERITED,
    RELATIONSHIPS,
    Attribute,
    Entry,
    checked_tags,
)
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.model.values import Value

# The attributes that every resource may be given besides its own parameters (Type.metaparams).
METAPARAMETERS = ("name", *RELATIONSHIPS, *INHERITED)


class Override:
    """Attributes to change on a resource: what is given, from which scope and statement.

    A collector may change what was declared `anywhere`, and brings the defaults of its scope.
    """

    __slots__ = ("anywhere", "given", "node", "scope", "source", "unit")

    def __init__(
        self,
        given: list[Attribute],
        scope: Scope,
        unit: Unit | None,
        node: Node | None,
        anywhere: bool = False,
    ) -> None:
        self.given = given
        for name, value, _ in given:
            if name == "tag" and value is not None:
                checked_tags(value, unit, node)
        self.scope = scope
        self.source = scope.source
        self.anywhere = anywhere
        self.unit = unit
        self.node = node

    def of(self, entry: Entry) -> list[Attribute]:
        """Return the overrides of a resource."""
        if not self.anywhere:
            return self.given
        names = {name for name, _, _ in self.given}
        found = defaults_of(entry.type, self.scope)
        return [*self.given, *((n, v, False) for n, v in found.items() if n not in names)]


def add_defaults(entry: Entry, scope: Scope) -> None:
    """Give a resource the defaults of its type: the innermost scope's, in the outermost's order."""
    at: Scope | None = scope
    around: list[Scope] = []
    while at is not None:
        if entry.type in at.defaults:
            around.append(at)
        at = at.caller
    if not around:
        return
    owners = {name: one for one in reversed(around) for name in one.defaults[entry.type]}
    for name, owner in owners.items():
        if name not in entry.parameters:
            entry.set(name, owner.defaults[entry.type][name])
            entry.set_by[name] = Override([], owner, *owner.default_places[entry.type, name])


def defaults_of(kind: str, scope: Scope | None) -> dict[str, object]:
    """Return the defaults of a resource's type, the innermost scope's over those around."""
    found: dict[str, Value] = {}
    at = scope
    while at is not None:
        found = {**at.defaults.get(kind, {}), **found}
        at = at.caller
    return found
