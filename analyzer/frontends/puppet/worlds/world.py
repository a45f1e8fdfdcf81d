"""A world: a typical system, and the inputs that are otherwise there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from analyzer.frontends.puppet.worlds.tests import ABSENT, Value

Facts = dict[str, Any]


@dataclass(frozen=True)
class World:
    """A system by its name, and values for inputs that count in place of its own.

    Two worlds are equal if they give every input the same value.
    """

    system: str
    values: Mapping[str, Value] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return the key that tells this world from any other."""
        return self.system, tuple(sorted((name, repr(v)) for name, v in self.values.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def having(self, name: str, value: Value) -> World:
        """Return this world with another value for an input."""
        return World(self.system, {**self.values, name: value})

    def without(self, name: str) -> World:
        """Return this world with an input as the system has it."""
        return World(self.system, {k: v for k, v in self.values.items() if k != name})

    def on(self, system: str) -> World:
        """Return this world on another system."""
        return World(system, self.values)


def put(facts: Facts, path: str, value: Value) -> Facts:
    """Return facts in which a dotted path has a value, or is not there."""
    first, _, rest = path.partition(".")
    if rest:
        inner = facts.get(first)
        return {**facts, first: put(inner if isinstance(inner, dict) else {}, rest, value)}
    if value is ABSENT:
        return {name: fact for name, fact in facts.items() if name != first}
    return {**facts, first: value}


def value_at(facts: Mapping[str, Any], path: str) -> Value:
    """Return the value at a dotted path of facts, `ABSENT` if there is none."""
    found: Any = facts
    for name in path.split("."):
        if not isinstance(found, Mapping) or name not in found:
            return ABSENT
        found = found[name]
    return found
