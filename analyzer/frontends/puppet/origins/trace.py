"""The record of one compile: the contributors of each variable, attribute, resource and test."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any

from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.evaluate.thunks import Thunk
from analyzer.frontends.puppet.hiera.explain import LookupStep, Read
from analyzer.frontends.puppet.hiera.hierarchy.reading import deciding
from analyzer.frontends.puppet.origins import expressions
from analyzer.frontends.puppet.origins.contributors import (
    Contributor,
    Trail,
    entries,
    flat,
    same_value,
    union,
)
from analyzer.frontends.puppet.origins.data import data_contributors, data_trail
from analyzer.frontends.puppet.origins.parts import Part, of_truth
from analyzer.frontends.puppet.origins.recorder import Recorder
from analyzer.model.keys import as_key

# Functions that call a lambda with elements, each by itself.
EACH = frozenset({"all", "any", "each", "filter", "flat_map", "map", "reverse_each", "with"})


class Trace(Recorder):
    """Records a compile; `whole`: with the places of data that a value hides."""

    def __init__(self, *, whole: bool = False) -> None:
        self.whole = whole

    def traced(self, node: Any, unit: Unit, thunk: Thunk) -> Thunk:
        """Return the thunk of a node that records the contributors of its value."""
        return expressions.traced(self, node, unit, thunk)

    def arm(self, unit: Unit, offset: int, number: int, thunk: Thunk) -> Thunk:
        """Return an arm of a construct that records what decided that it is taken."""

        def run(machine: Any, scope: Any) -> Any:
            parts = [(value, trail) for _, value, trail in self.parts]
            if self.asks_truth:
                parts = [(value, of_truth(value, trail)) for value, trail in parts]
            tested = flat(trail for _, trail in parts)
            self.decide(unit, offset, tested)
            around = self.around
            self.around = Contributor("condition", "", tested, around, (unit, offset), number)
            try:
                return thunk(machine, scope)
            finally:
                self.around = around

        return run

    def enter_block(self, frame: dict[str, Any], names: Sequence[str], values: Any) -> None:
        """Record the call of a lambda with its variables."""
        self.arounds.append(self.around)
        parts = self.parts
        first = parts[0] if parts else (None, None, Trail(()))
        whole = first[2].elements is not None and type(first[1]) in (list, dict)
        whole = whole and self.function in EACH
        every = Trail(flat(trail for *_, trail in parts))
        shape = first[2].shape if whole else every.shape
        self.around = Contributor("loop", "", shape, self.around)
        own = of_arguments(values, first) if whole else ()
        for (name, value), trail in zip_longest(frame.items(), own[: len(frame)]):
            self.set_trail(frame, name, trail or same_value(value, of(parts)) or every)

    def leave_block(self) -> None:
        """Record the end of the call of a lambda."""
        self.around = self.arounds.pop()

    def bind(self, frame: dict[str, Any], values: dict[str, Any]) -> None:
        """Record the variables of a template, or of a function of the Puppet language."""
        every = Trail(flat(trail for *_, trail in self.parts))
        elements = [
            (value[name], trail.element(name))
            for name in values
            for _, value, trail in self.parts
            if type(value) is dict and name in value
        ]
        for name, value in values.items():
            given = [trail for _, one, trail in self.parts if one is value]
            given += [trail for one, trail in elements if one is value]
            self.set_trail(frame, name, Trail(flat(given)) if given else every)
            same = same_value(value, of(self.parts))
            if same is not None:
                self.set_trail(frame, name, same)

    @contextmanager
    def inside(self, entry: Entry) -> Iterator[None]:
        """Record what is evaluated for a class, a node or a resource of a defined type."""
        before = self.parts, self.around, self.rendered
        self.parts, self.around, self.rendered = [], self.body_at(entry), None
        try:
            yield
        finally:
            self.parts, self.around, self.rendered = before

    def look_up(
        self, key: str, lookup: Any, scope: Scope, ask: Callable[[], Any], kind: str = ""
    ) -> Any:
        """Return the value of a lookup, and record the data that it found.

        A call of a function is a contributor of its own, of a `kind`.
        """
        before, self.parts = self.parts, []
        steps: list[LookupStep] = []
        read: list[Read] = []
        lookup.steps, lookup.read = steps, read
        value = None
        try:
            value = ask()
        finally:
            lookup.steps = lookup.read = None
            variables = (self.of_path(name, scope) for name in deciding(read, steps))
            # What a function of a level gave once is kept.
            self._called = union(self._called, flat(trail for *_, trail in self.parts))
            self.parts = before
            inner = union(self._called, flat(variables))
            whole = lookup if self.whole else None
            shape = data_contributors(steps, inner, self.around, key, whole) or inner
            trail = data_trail(shape, steps, value)
            if kind:
                call = Contributor(kind, key, trail.shape, self.around)
                trail = Trail((call,), trail.elements)
            self.parts.append((None, value, trail))
        return value

    def of_path(self, name: str, scope: Scope) -> Trail:
        """Return the trail of a variable, or of a part of one with dots in between."""
        root, *keys = name.split(".")
        trail = self.of_variable(root, scope)
        for key in keys:
            trail = trail.element(key)
        return trail

    def read_file(self, path: str) -> None:
        """Record that the content of a file is part of the value."""
        self.parts.append((None, None, Trail((Contributor("file", path, (), self.around),))))

    def read_variable(self, name: str, scope: Scope) -> None:
        """Record that a function read a variable by its name."""
        trail = self.of_variable(name, scope)
        self.parts.append((None, None, Trail(tuple(trail.everything()))))


def of_arguments(values: Sequence[Any], first: Part) -> Sequence[Trail | None]:
    """Return the trails of what a lambda is called with, for an element of an array or hash.

    The key depends on the hash as a whole, and the index on the array.
    """
    _, whole, trail = first
    shape = Trail(trail.shape)
    if len(values) == 2 and isinstance(values[0], Hashable):
        key = as_key(values[0])
        if key in (whole if type(whole) is dict else range(len(whole))):
            return shape, trail.element(key)
    if type(whole) is dict and len(values) == 1 and type(values[0]) is list:
        key = as_key(values[0][0])
        if key in whole:
            return (Trail(trail.shape, {0: shape, 1: trail.element(key)}),)
    return [of_element(value, first) for value in values]


def of_element(value: Any, first: Part) -> Trail | None:
    """Return the trail of an element of an array or hash, None if it is none."""
    _, whole, trail = first
    found = [trail.element(key) for key, one in entries(whole) if one is value]
    if not found:
        return None
    return found[0] if len(found) == 1 else Trail(flat(found))


def of(parts: Iterable[Part]) -> Iterator[tuple[Any, Trail]]:
    """Yield the values of parts with their trails."""
    return ((value, trail) for _, value, trail in parts)
