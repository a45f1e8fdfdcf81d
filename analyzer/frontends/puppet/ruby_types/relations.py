"""The blocks `autorequire`, ... of a type, evaluated for a resource (Type#autorelation)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.ruby_types import control
from analyzer.frontends.puppet.ruby_types.attributes import AttributeOf, data, is_known, value_of
from analyzer.frontends.puppet.ruby_types.scope import Receiver, Scope
from analyzer.frontends.puppet.ruby_types.tokens import Unreadable
from analyzer.frontends.puppet.ruby_types.values import Block, Opaque

if TYPE_CHECKING:
    from analyzer.frontends.puppet.ruby_types.declarations import Declarations

# In the order in which Puppet asks for them (Type#eachautorequire, ...).
KINDS = ("autorequire", "autosubscribe", "autobefore", "autonotify")

# Methods of a type after which its attributes may be others.
UNSEEN = frozenset({"[]", "initialize", "should", "value", "set_parameters"})


class Asked(Receiver):
    """A resource, as the blocks of its type ask it."""

    def __init__(self, type: Declarations, title: str, given: Mapping[str, Any]) -> None:
        self.type = type
        self.title = title
        self.given = given
        self.scope: Scope | None = None

    def attribute(self, name: str) -> Any:
        """Return the value of an attribute."""
        type, keys = self.type, [*self.type.keys]
        if name == "name" and name not in type.attributes and len(keys) == 1:
            name = keys[0]
        attribute = type.attributes.get(name)
        if attribute is None or self.scope is None or type.methods.keys() & UNSEEN:
            if name == "ensure" and name in self.given and name in type.properties:
                return data(self.given[name])
            return Opaque(f"{name} is not known")
        return value_of(attribute, data(self.given.get(name)), self.scope)

    def element(self, key: Any) -> Any:
        """`self[:name]`."""
        return self.attribute(key) if isinstance(key, str) else Opaque("an attribute")

    def variable(self, name: str) -> Any:
        """`@parameters`; others are not known."""
        return Objects(self) if name == "@parameters" else Opaque(name)

    def call(self, name: str, arguments: list[Any], block: Block | None, scope: Scope) -> Any:
        """Call a method of the type, or ask for an attribute."""
        own = self.type.methods.get(name)
        if own is not None:
            return control.invoke(own, arguments, block, self, scope)
        if name in ("value", "should", "[]") and len(arguments) == 1:
            return self.element(arguments[0])
        if name == "title":
            return self.title
        return self.attribute("name") if name == "name" else Opaque(f"what {name} gives")


class Objects(Receiver):
    """`@parameters`: the attributes that have a value, as objects."""

    def __init__(self, of: Asked) -> None:
        self.of = of

    def element(self, key: Any) -> Any:
        """`@parameters[:name]`."""
        value = self.of.element(key)
        return value if value is None or isinstance(value, Opaque) else Object(value)


class Object(Receiver):
    """An attribute that has a value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def call(self, name: str, arguments: list[Any], block: Block | None, scope: Scope) -> Any:
        """Return its value."""
        known = name in ("value", "should") and not arguments
        return self.value if known else Opaque(f"what {name} gives")


class Relation:
    """One block, or a list of titles and `$attributes` of the Resource API in its place.

    It is None where it is not certain that it counts.
    """

    def __init__(self, kind: str, target: str, names: Block | list[Any] | None) -> None:
        self.kind = kind
        self.target = target
        self.names = names

    def titles(self, asked: Asked) -> list[str] | None:
        """Return the titles that a resource names, None where that is not known."""
        if not isinstance(self.names, Block):
            return None if self.names is None else self.listed(self.names, asked)
        scope = self.names.scope
        world = scope.world
        before, world.steps = world.misread, 0
        asked.scope = Scope(world, asked, scope.nesting)
        try:
            found = control.call(self.names, [], asked)
        except (Unreadable, RecursionError, control.Jump, TimeoutError):
            return None
        return None if world.misread > before else named(found)

    def listed(self, names: list[Any], asked: Asked) -> list[str] | None:
        """Return the titles of a list of the Resource API."""
        is_attribute = [isinstance(one, str) and one.startswith("$") for one in names]
        return named(
            [
                data(asked.given.get(one[1:])) if own else one
                for one, own in zip(names, is_attribute, strict=True)
            ]
        )


def named(found: Any) -> list[str] | None:
    """Return what a block gives as titles, None where that is not known."""
    values = found if isinstance(found, list) else [found]
    if not is_known(values):
        return None
    return [str(one) for one in values if one is not None and one is not False]


def relation(type: Declarations, kind: str, arguments: list[Any], block: Block | None) -> None:
    """Take in a block; of two for one type the later counts."""
    certain = block is not None and not block.scope.world.doubts
    target = arguments[0] if len(arguments) == 1 else None
    if not isinstance(target, str):
        type.relates = type.relates or f"{kind} names a type that is not known"
        return
    key = kind, target.lower()
    type.relations[key] = Relation(*key, block if certain else None)


def attribute(
    type: Declarations, arguments: list[Any], block: Block | None, is_property: bool
) -> None:
    """Take in an attribute's declaration; one on a condition is not known."""
    name = arguments[0]
    certain = block is None or not block.scope.world.doubts
    if certain and name not in type.attributes:
        options = arguments[1] if len(arguments) > 1 else {}
        type.attributes[name] = AttributeOf(name, options, block, is_property)
    else:
        type.attributes.pop(name, None)
