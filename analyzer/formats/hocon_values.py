"""The values of HOCON before they are resolved, and what resolves their substitutions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

from analyzer.formats.hocon_tokens import HoconError
from analyzer.model.values import Unknown, Value

# The value of an optional substitution without a target.
NOTHING: Final = object()
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


@dataclass(frozen=True, slots=True)
class HoconText:
    """A plain value as a part of others: its value, how it is written, and whether it is space."""

    value: Value
    written: str
    blank: bool


@dataclass(frozen=True, slots=True)
class HoconReference:
    """`${path}`, or `${?path}`, which needs no target."""

    path: tuple[str, ...]
    optional: bool

    def __str__(self) -> str:
        return f"${{{'?' if self.optional else ''}{'.'.join(self.path)}}}"


@dataclass(frozen=True, slots=True)
class Concatenation:
    """Values in a row: texts are joined, lists too, objects are merged."""

    parts: tuple[Value, ...]


class Slot:
    """The values that a field was given, the oldest first.

    While it is resolved it is `open`, and `below` is how many of them a reference to it may see.
    """

    __slots__ = ("below", "given", "open")

    def __init__(self, given: list[object]) -> None:
        self.given = given
        self.below: int | None = None
        self.open = False


class HoconObject:
    """Fields by name."""

    __slots__ = ("slots",)

    def __init__(self) -> None:
        self.slots: dict[str, Slot] = {}

    def put(self, name: str, value: object) -> None:
        """Give a field a value; an object is merged with the one before, others hide it."""
        known = self.slots.get(name)
        if known is None:
            self.slots[name] = Slot([value])
        elif isinstance(value, HoconObject) and isinstance(known.given[-1], HoconObject):
            known.given[-1] = known.given[-1].under(value)
        elif isinstance(value, (HoconObject, HoconReference, Concatenation)):
            known.given.append(value)
        else:
            self.slots[name] = Slot([value])

    def under(self, newer: HoconObject) -> HoconObject:
        """Return the two merged: the newer one's fields come first, as the gem has them."""
        for name, slot in newer.slots.items():
            if name in self.slots:
                for value in slot.given:
                    self.put(name, value)
        made = HoconObject()
        made.slots = {name: self.slots.get(name, slot) for name, slot in newer.slots.items()}
        made.slots |= {n: slot for n, slot in self.slots.items() if n not in made.slots}
        return made


class Resolver:
    """Finds what substitutions stand for, from the root."""

    def __init__(self, root: HoconObject, path: str) -> None:
        self.root = root
        self.path = path

    def plain(self) -> dict[str, object]:
        """Return the whole as plain values."""
        return self.object(self.root)

    def object(self, value: HoconObject) -> dict[str, object]:
        """Return an object's fields, without those that have no value."""
        found = {name: self.slot(slot) for name, slot in value.slots.items()}
        return {name: one for name, one in found.items() if one is not NOTHING}

    def slot(self, slot: Slot) -> Value:
        """Return a field's value: objects are merged with those given before."""
        before = (slot.below, slot.open)
        limit = len(slot.given) if slot.below is None else slot.below
        result: object = NOTHING
        slot.open = True
        try:
            for index in range(limit - 1, -1, -1):
                given = slot.given[index]
                slot.below = before[0] if isinstance(given, HoconObject) else index
                found = self.value(given)
                result = merged(result, found)
                if not (found is NOTHING or isinstance(found, dict)):
                    break
        finally:
            slot.below, slot.open = before
        return result

    def value(self, value: Value) -> Value:
        """Return a plain value."""
        if isinstance(value, HoconObject):
            return self.object(value)
        if isinstance(value, list):
            return [one for one in map(self.value, value) if one is not NOTHING]
        if isinstance(value, HoconReference):
            return self.reference(value)
        if isinstance(value, Concatenation):
            return self.concatenation(value)
        return value

    def reference(self, reference: HoconReference) -> Value:
        """Return the value of a substitution.

        Raises:
            HoconError: it has no target, or leads back to itself.
        """
        at: object = self.root
        for index, name in enumerate(reference.path):
            slot = at.slots.get(name) if isinstance(at, HoconObject) else None
            if slot is None:
                return self.outside(reference)
            last = index == len(reference.path) - 1
            if slot.below == 0 or (last and slot.open and slot.below is None):
                if reference.optional:
                    return NOTHING
                raise HoconError(1, f"{reference} was part of a cycle of substitutions")
            if not last and len(slot.given) == 1 and isinstance(slot.given[0], HoconObject):
                at = slot.given[0]
                continue
            return self.dig(self.slot(slot), reference, index + 1)
        return self.outside(reference)

    def dig(self, value: Value, reference: HoconReference, index: int) -> Value:
        """Return a part of a value that is resolved."""
        for name in reference.path[index:]:
            if isinstance(value, Unknown):
                return value
            if not isinstance(value, dict) or name not in value:
                return self.outside(reference)
            value = value[name]
        return self.outside(reference) if value is NOTHING else value

    def outside(self, reference: HoconReference) -> Value:
        """Return the value of a substitution from outside of the text: a variable of the server.

        Raises:
            HoconError: there can be none of that name, and it is not optional.
        """
        name = ".".join(reference.path)
        if VARIABLE.match(name):
            where = f" in {self.path}" if self.path else ""
            return Unknown(f"{reference}{where} is an environment variable of the server")
        if reference.optional:
            return NOTHING
        raise HoconError(1, f"Could not resolve substitution to a value: {reference}")

    def concatenation(self, value: Concatenation) -> Value:
        """Return values in a row as one.

        Raises:
            HoconError: they are of different kinds.
        """
        parts = [(part, self.text(part)) for part in value.parts]
        known = [(part, one) for part, one in parts if one is not NOTHING]
        if not known:
            return NOTHING
        if len(known) == 1:
            part, one = known[0]
            return part.value if type(part) is HoconText else one
        return joined(
            [one for _, one in known],
            [one for part, one in known if not (type(part) is HoconText and part.blank)],
        )

    def text(self, part: Value) -> Value:
        """Return a part: plain ones as they are written."""
        return part.written if type(part) is HoconText else self.value(part)


def joined(texts: list[object], values: list[Any]) -> object:
    """Return several values as one; `values` are those of them that are not space.

    Raises:
        HoconError: they are of different kinds.
    """
    unknown = next((one for one in texts if isinstance(one, Unknown)), None)
    if unknown is not None:
        return unknown
    if values and all(isinstance(one, dict) for one in values):
        return reduce(lambda older, newer: merged(newer, older), values)
    if values and all(isinstance(one, list) for one in values):
        return [item for one in values for item in one]
    if any(isinstance(one, (dict, list)) for one in values):
        raise HoconError(1, "Cannot concatenate object or list with a non-object-or-list")
    return "".join(map(written, texts))


def merged(newer: object, older: object) -> object:
    """Return the newer value over the older one, key by key if both are hashes."""
    if newer is NOTHING:
        return older
    if not isinstance(newer, dict) or not isinstance(older, dict):
        return newer
    found = {k: merged(v, older[k]) if k in older else v for k, v in newer.items()}
    return {**found, **{k: v for k, v in older.items() if k not in found}}


def written(value: object) -> str:
    """Return a plain value as it stands in a text."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)
