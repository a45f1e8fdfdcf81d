"""The blocks `autorequire`, ... of a type, evaluated for a resource (Type#autorelation)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.frontends.puppet.ruby_types import calls
from analyzer.frontends.puppet.ruby_types.attributes import data, is_known, value_of
from analyzer.frontends.puppet.ruby_types.declarations import DeclaredRelation, TypeDeclarations
from analyzer.frontends.puppet.ruby_types.scope import Block, Jump, Receiver, RubyScope
from analyzer.frontends.puppet.ruby_types.tokens import Unreadable
from analyzer.frontends.puppet.ruby_types.values import Opaque

# Methods of a type after which its attributes may be others.
UNSEEN = frozenset({"[]", "initialize", "should", "value", "set_parameters"})


class RubyResource(Receiver):
    """A resource as the self of its type's blocks."""

    def __init__(self, type: TypeDeclarations, title: str, given: Mapping[str, object]) -> None:
        self.type = type
        self.title = title
        self.given = given
        self.scope: RubyScope | None = None

    def attribute(self, name: str) -> object:
        """Return the value of an attribute."""
        type, keys = self.type, [*self.type.keys]
        if name == "name" and name not in type.attributes and len(keys) == 1:
            name = keys[0]
        attribute = type.attributes.get(name)
        if attribute is None or self.scope is None or type.methods.keys() & UNSEEN:
            if name == "ensure" and name in self.given and name in type.properties:
                return data(self.given[name])
            return Opaque(f"{name} is unknown")
        return value_of(attribute, data(self.given.get(name)), self.scope)

    def element(self, key: object) -> object:
        """`self[:name]`."""
        return self.attribute(key) if isinstance(key, str) else Opaque("an attribute")

    def variable(self, name: str) -> object:
        """`@parameters`; others are not known."""
        return Objects(self) if name == "@parameters" else Opaque(name)

    def call(
        self, name: str, arguments: list[object], block: Block | None, scope: RubyScope
    ) -> Any:
        """Call a method of the type, or ask for an attribute."""
        own = self.type.methods.get(name)
        if own is not None:
            return calls.invoke(own, arguments, block, self, scope)
        if name in ("value", "should", "[]") and len(arguments) == 1:
            return self.element(arguments[0])
        if name == "title":
            return self.title
        return self.attribute("name") if name == "name" else Opaque(f"the result of {name}")

    def titles(self, relation: DeclaredRelation) -> list[str] | None:
        """Return the titles that a block names, None where that is not known."""
        if not isinstance(relation.names, Block):
            return None if relation.names is None else self.listed(relation.names)
        scope = relation.names.scope
        world = scope.world
        before, world.steps = world.misread, 0
        self.scope = RubyScope(world, self, scope.nesting)
        try:
            found = calls.call(relation.names, [], self)
        except (Unreadable, RecursionError, Jump, TimeoutError):
            return None
        return None if world.misread > before else named(found)

    def listed(self, names: list[Any]) -> list[str] | None:
        """Return the titles of a list of the Resource API."""
        is_attribute = [isinstance(one, str) and one.startswith("$") for one in names]
        return named(
            [
                data(self.given.get(one[1:])) if own else one
                for one, own in zip(names, is_attribute, strict=True)
            ]
        )


class Objects(Receiver):
    """`@parameters`: the attributes that have a value, as objects."""

    def __init__(self, of: RubyResource) -> None:
        self.of = of

    def element(self, key: object) -> object:
        """`@parameters[:name]`."""
        value = self.of.element(key)
        return value if value is None or isinstance(value, Opaque) else Object(value)


class Object(Receiver):
    """An attribute that has a value."""

    def __init__(self, value: object) -> None:
        self.value = value

    def call(
        self, name: str, arguments: list[object], block: Block | None, scope: RubyScope
    ) -> Any:
        """Return its value."""
        known = name in ("value", "should") and not arguments
        return self.value if known else Opaque(f"the result of {name}")


def named(found: object) -> list[str] | None:
    """Return the result of a block as titles, None where that is not known."""
    values = found if isinstance(found, list) else [found]
    if not is_known(values):
        return None
    return [str(one) for one in values if one is not None and one is not False]
