"""Values on their way to Ruby and back: JSON, with tags for what JSON has no word for.

A tag is an object of one entry, `!`, whose value is a list: a letter or word, and what it needs.
Arrays and hashes that are sent have numbers, counted alike on both sides: one that comes back is
the one that was sent, and what Ruby code changes in one is changed here too.
"""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.frontends.puppet.types.model.wrappers import Iteration
from analyzer.frontends.puppet.types.parsing.parse import Resolver, parse_type, resolve_nothing
from analyzer.frontends.puppet.types.rich_values import RICH_VALUES, RichValue
from analyzer.model.keys import ScalarKey, as_key
from analyzer.model.values import DEFAULT, Default, Deferred, Sensitive, Unknown, Value

TAG = "!"
PLAIN = (str, int, bool, type(None))
SYMBOLS: dict[str, Value] = {"undef": None, "default": DEFAULT}


def encoder(rich: RichValue) -> Callable[[Any], list[Value]]:
    """Return the function that tags values of a kind."""
    return lambda value: [rich.name, rich.encode(value)]


ENCODERS: dict[type, Callable[[Any], list[Value]]] = {
    Default: lambda value: ["s", "default"],
    **{rich.kind: encoder(rich) for rich in RICH_VALUES},
}
DECODERS: dict[str, Callable[[Any], Value]] = {
    "s": lambda name: SYMBOLS.get(name, name),
    "f": lambda word: float(word.replace("Infinity", "inf")),
    "x": lambda text: b64decode(text).decode(errors="surrogateescape"),
    **{rich.name: rich.decode for rich in RICH_VALUES},
}


@dataclass(frozen=True, slots=True)
class Withheld:
    """Stands for something Unknown; Ruby code that uses it is left, by that number."""

    number: int


class Wire:
    """The values sent in the call under way: `objects` by number.

    `constants` are hashes that nobody can change: they are sent once, for the life of the helper.
    """

    def __init__(self, resolver: Resolver = resolve_nothing, *, numbered: bool = True) -> None:
        self.resolver = resolver
        self.numbered = numbered
        self.objects: list[Value] = []
        self.numbers: dict[int, int] = {}
        self.constants: dict[int, Value] = {}
        self.sent: set[int] = set()

    def forget(self) -> None:
        """Begin anew, with no numbers given."""
        self.objects = []
        self.numbers = {}

    def encode(self, *values: Value) -> list[Value]:
        """Return values as JSON can say them.

        Raises:
            Undecided: there is something Unknown in them, or of which Ruby has no like.
        """
        before, sent = len(self.objects), set(self.sent)
        try:
            return [self._encode(value) for value in values]
        except BaseException:
            # The other side never sees these.
            for one in self.objects[before:]:
                del self.numbers[id(one)]
            del self.objects[before:]
            self.sent = sent
            raise

    def _encode(self, value: Any) -> Value:
        kind = type(value)
        if kind is str:
            return value if value.isascii() or sound(value) else surrogates(value)
        if kind in PLAIN:
            return value
        if kind is float:
            return value if math.isfinite(value) else {TAG: ["f", non_finite(value)]}
        if kind is list or kind is tuple or kind is dict:
            return self._container(value, kind is dict)
        return {TAG: self._special(value)}

    def _container(self, value: Any, mapping: bool) -> Value:
        if self.numbered:
            known = self.numbers.get(id(value))
            if known is not None:
                return {TAG: ["r", known]}
            if id(value) in self.constants:
                return {TAG: self._constant(value)}
            self.numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        encode = self._encode
        if not mapping:
            return [encode(one) for one in value]
        if all(type(key) is str and key != TAG and key.isascii() for key in value):
            return {key: encode(one) for key, one in value.items()}
        return {TAG: ["h", [[encode(plain(key)), encode(one)] for key, one in value.items()]]}

    def _constant(self, value: object) -> list[Value]:
        name = id(value)
        if name in self.sent:
            return ["c", name]
        data = Wire(self.resolver, numbered=False)._encode(value)
        self.sent.add(name)
        return ["c", name, data]

    def _special(self, value: object) -> list[Value]:
        plain = ENCODERS.get(type(value))
        if plain is not None:
            return plain(value)
        match value:
            case Unknown():
                raise UndecidedCall(value)
            case Withheld():
                return ["unknown", value.number]
            case Sensitive():
                return ["sensitive", self._encode(value.value)]
            case Type():
                return [
                    "type",
                    value.alias_name if isinstance(value, TypeAliasType) else str(value),
                ]
            case Iteration():
                return ["iterator", self._encode(list(value))]
            case Deferred():
                return ["deferred", value.name, self._encode(list(value.arguments))]
        raise UndecidedCall(Unknown(f"a {type(value).__name__} cannot be passed to Ruby"))

    def decode(self, data: object) -> Any:
        """Return the value that JSON says; numbered ones are the very ones that were sent."""
        if type(data) is list:
            return [self.decode(one) for one in data]
        if type(data) is not dict:
            return data
        if TAG not in data:
            return {key: self.decode(one) for key, one in data.items()}
        kind, *rest = data[TAG]
        plain = DECODERS.get(kind)
        return plain(*rest) if plain is not None else self._decode_tag(kind, rest)

    def _decode_tag(self, kind: str, rest: list[Any]) -> Value:
        match kind:
            case "h":
                return {as_key(self.decode(key)): self.decode(one) for key, one in rest[0]}
            case "r":
                return self.objects[rest[0]]
            case "sensitive":
                return Sensitive(self.decode(rest[0]))
            case "deferred":
                return Deferred(rest[0], tuple(self.decode(rest[1])))
            case "resource":
                return reference(*rest)
            case "type":
                return parse_type(rest[0], self.resolver)
        raise ValueError(f"unknown tag {kind}")

    def change(self, changes: list[list[Any]]) -> None:
        """Do to arrays and hashes here what Ruby code did to them there."""
        for number, data in changes:
            ours, theirs = self.objects[number], self.decode(data)
            if isinstance(ours, list) and ours != theirs:
                ours[:] = theirs
            elif isinstance(ours, dict) and [*ours.items()] != [*theirs.items()]:
                ours.clear()
                ours.update(theirs)


def sound(text: str) -> bool:
    """Return whether a text can be UTF-8."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def surrogates(text: str) -> dict[str, Value]:
    """Return a text with bytes that are no UTF-8."""
    return {TAG: ["x", b64encode(text.encode(errors="surrogateescape")).decode()]}


def non_finite(value: float) -> str:
    """Return Ruby's word for a float that is no number."""
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def plain(key: Value) -> Value:
    """Return a key as Ruby has it."""
    return key.value if type(key) is ScalarKey else key


def reference(kind: str, title: str) -> Type:
    """Return the reference that a resource of Ruby stands for."""
    return ClassType(title.lower()) if kind.lower() == "class" else ResourceType(kind, title)
