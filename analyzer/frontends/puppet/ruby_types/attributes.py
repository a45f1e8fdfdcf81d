"""The values of parameters and properties: munge, defaults, choices (Puppet::Parameter)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from analyzer.frontends.puppet.ruby_types import calls
from analyzer.frontends.puppet.ruby_types.scope import Block, Method, Receiver, RubyScope
from analyzer.frontends.puppet.ruby_types.tokens import Regex
from analyzer.frontends.puppet.ruby_types.values import Const, Opaque, TypeRef, text
from analyzer.model.values import Value

# Classes of attributes that leave values as they are, and those that make them true or false.
PLAIN = frozenset({"Puppet::Parameter::Path"})
BOOLEAN = frozenset({"Puppet::Parameter::Boolean", "Puppet::Property::Boolean"})
TRUE, FALSE = frozenset({"true", "yes"}), frozenset({"false", "no"})

# Calls in the body of an attribute that do not change its value.
SILENT = frozenset(
    {"attr_accessor", "attr_reader", "attr_writer", "desc", "isnamevar", "isrequired", "nodefault"}
    | {"validate", "required_features", "sensitive", "debug"}
)
# Methods of an attribute that do not change its value.
ASKED_LATER = frozenset(
    {"change_to_s", "insync?", "is_to_s", "retrieve", "should_to_s", "sync", "is_a_namevar?"}
    | {"property_matches?", "set", "self.desc", "validate"}
)


class AttributeDeclaration(NamedTuple):
    """The declaration of an attribute: its options and its body, not yet evaluated."""

    name: str
    options: Value
    block: Block | None
    is_property: bool


class AttributeBody(Receiver):
    """The body of an attribute: the declarations that decide its value."""

    def __init__(self) -> None:
        self.munge: Block | Method | None = None
        self.default: object = None
        self.choices = False
        self.doubt = ""

    def call(
        self, name: str, arguments: list[object], block: Block | None, scope: RubyScope
    ) -> Value:
        """Record a declaration."""
        certain = not scope.world.doubts
        if name == "munge" and block is not None and certain:
            self.munge = block
        elif name == "defaultto" and certain:
            computed = block is not None or not arguments or isinstance(arguments[0], Block)
            self.default = Opaque("a default") if computed else arguments[0]
        elif name in ("newvalues", "newvalue") and block is None:
            self.choices = True
        elif name not in SILENT:
            self.doubt = self.doubt or name
        return Opaque(f"the result of {name}")

    def define(self, name: str, method: Method) -> None:
        """Record a method."""
        if name in ("munge", "unsafe_munge"):
            self.munge = method
        elif name not in ASKED_LATER:
            self.doubt = self.doubt or name


def value_of(attribute: AttributeDeclaration, raw: object, scope: RubyScope) -> Value:
    """Return the value that Ruby code sees of an attribute which a catalog gives as `raw`."""
    options = attribute.options if isinstance(attribute.options, dict) else {}
    parent = options.get("parent")
    name = parent.name if isinstance(parent, Const) else ""
    if parent is not None and name not in PLAIN | BOOLEAN:
        return Opaque(f"{attribute.name} has a class of its own")
    body = AttributeBody()
    before = scope.world.misread
    if attribute.block is not None:
        calls.call(attribute.block, [], body)
    if body.doubt or scope.world.misread > before:
        return Opaque(f"{attribute.name} calls {body.doubt or 'what is not understood'}")
    value = body.default if raw is None else raw
    if value is None or isinstance(value, Opaque):
        return value
    munge = munge_of(body, name in BOOLEAN, scope)
    if not attribute.is_property:
        return munge(value)
    values = [munge(one) for one in (value if isinstance(value, list) else [value])]
    whole = options.get("array_matching") == "all"
    return values if whole else values[0] if values else None


def munge_of(body: AttributeBody, boolean: bool, scope: RubyScope) -> Callable[[object], object]:
    """Return the function that converts one value of an attribute."""

    def munge(value: object) -> object:
        made = body.munge
        if isinstance(made, Block):
            return calls.call(made, [value], body)
        if isinstance(made, Method):
            return calls.invoke(made, [value], None, body, scope)
        if boolean:
            word = str(value).lower()
            return True if word in TRUE else False if word in FALSE else Opaque("no truth value")
        # A symbol that is one of the choices is true in Ruby, also `:false`.
        return text(value) if body.choices and isinstance(value, (bool, str)) else value

    return munge


def data(value: object) -> object:
    """Return a value of a catalog as Ruby code sees it, as far as that is known."""
    if isinstance(value, list):
        return [data(one) for one in value]
    if value is None or isinstance(value, (bool, int)):
        return value
    plain = isinstance(value, str) and not isinstance(value, Regex)
    return value if plain else Opaque("an unknown value")


def is_known(value: object) -> bool:
    """Return whether a value is known, and all in it."""
    if isinstance(value, list):
        return all(map(is_known, value))
    return not isinstance(value, (Opaque, Const, TypeRef, Receiver, Block, dict))
