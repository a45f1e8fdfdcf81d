"""Evaluates Ruby's literals, variables and assignments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.ruby_functions import values as v
from analyzer.frontends.puppet.ruby_functions.values import (
    Constant,
    Frame,
    NotStatic,
    Pattern,
    Range,
    is_true,
    written,
)

LONGEST = 1_000_000


class Evaluation:
    """The state of a call: `world` answers what the code asks of Puppet.

    `methods` are those that the code defines. `foreign` are the ids of values that the code did
    not make: it may not change them.
    """

    def __init__(self, world: Any, methods: dict[str, Any], send: Callable[..., Any]) -> None:
        self.world, self.methods, self.send = world, methods, send
        self.steps = self.depth = 0
        self.foreign: dict[int, Any] = {}
        self.match: v.Matched | None = None

    def adopt(self, value: Any) -> Any:
        """Return a value from outside; it is not to be changed."""
        if isinstance(value, (list, dict)) and id(value) not in self.foreign:
            self.foreign[id(value)] = value
            for one in value.values() if isinstance(value, dict) else value:
                self.adopt(one)
        return value

    def change(self, value: Any) -> Any:
        """Return a list or a hash that the code is about to change.

        Raises:
            NotStatic: it is not the code's own, or grows too large.
        """
        if id(value) in self.foreign:
            raise NotStatic("it changes a value that it was given")
        if len(value) > LONGEST:
            raise NotStatic("too much data")
        return value

    def run(self, tree: Any, frame: Frame) -> Any:
        """Return the value of a tree."""
        raise NotImplementedError

    # ---- literals and variables

    def text(self, tree: Any, frame: Frame) -> str:
        """Join the parts of a text."""
        found = "".join(written(self.run(part, frame)) for part in tree[1])
        if len(found) > LONGEST:
            raise NotStatic("too long a text")
        return found

    def regex(self, tree: Any, frame: Frame) -> Pattern:
        """Return a regular expression."""
        parts = []
        for part in tree[1]:
            value = self.run(part, frame)
            if isinstance(value, Pattern):
                on = "".join(one for one in "mix" if one in value.options)
                off = "".join(one for one in "mix" if one not in value.options)
                value = f"(?{on}{'-' if off else ''}{off}:{value.source})"
            parts.append(written(value))
        if set(tree[2]) - set("imx"):
            raise NotStatic("an option of a regular expression")
        return Pattern("".join(parts), tree[2])

    def elements(self, trees: list[Any], frame: Frame) -> list[Any]:
        """Return the values of elements or arguments, with those of splats."""
        found: list[Any] = []
        for tree in trees:
            if tree[0] == "splat":
                value = self.run(tree[1], frame)
                if value is not None and not isinstance(value, list):
                    raise NotStatic("a splat")
                found += value or []
            else:
                found.append(self.run(tree, frame))
        return found

    def hash(self, tree: Any, frame: Frame) -> dict[Any, Any]:
        """Return a hash."""
        found: dict[Any, Any] = {}
        for pair in tree[1]:
            if pair[0] == "pairs":
                value = self.run(pair[1], frame)
                if not isinstance(value, dict):
                    raise NotStatic("pairs of no hash")
                found.update(value)
            else:
                found[v.key_of(self.run(pair[1], frame))] = self.run(pair[2], frame)
        return found

    def range(self, tree: Any, frame: Frame) -> Range:
        """Return a range of integers."""
        low, high = self.run(tree[1], frame), self.run(tree[2], frame)
        if type(low) is not int or (high is not None and type(high) is not int):
            raise NotStatic("a range of no integers")
        return Range(low, high, tree[3])

    def local(self, tree: Any, frame: Frame) -> Any:
        """Return a local variable."""
        holder = frame.holder(tree[1])
        if holder is None:
            return None
        value = holder.names[tree[1]]
        if isinstance(value, str):
            holder.shared.add(tree[1])
        return value

    def matched(self, tree: Any, frame: Frame) -> Any:
        """Return `$1` and its like."""
        if self.match is None or tree[1] == "~":
            return self.match
        number = int(tree[1])
        return self.match.groups[number - 1] if number <= len(self.match.groups) else None

    def constant(self, tree: Any, frame: Frame) -> Constant:
        """Return a constant by its name."""
        before = "" if tree[1] is None else f"{written(self.run(tree[1], frame))}::"
        return Constant(f"{before}{tree[2]}")

    # ---- assignments

    def assign(self, tree: Any, frame: Frame) -> Any:
        """Evaluate `target = value`."""
        value = self.run(tree[2], frame)
        self.store(tree[1], value, frame)
        return value

    def store(self, target: Any, value: Any, frame: Frame) -> None:
        """Give a value to a variable, an element or an attribute."""
        if target[0] == "index":
            receiver = self.run(target[1], frame)
            places = self.elements(target[2], frame)
            self.send(self, receiver, "[]=", [*places, value], None)
        elif target[0] == "instance":
            raise NotStatic("a variable of an object")
        else:
            name = target[1] if target[0] == "local" else target[2]
            holder = frame.holder(name) or frame
            holder.names[name] = value
            holder.shared.discard(name)

    def operate(self, tree: Any, frame: Frame) -> Any:
        """Evaluate `target ||= value` and its like."""
        operator, target, given = tree[1:]
        name = target[1] if target[0] == "local" else target[2]
        if target[0] == "call":
            target = ("local", name)
        old = self.run(target, frame)
        if operator in ("||", "&&"):
            if is_true(old) == (operator == "||"):
                return old
            value = self.run(given, frame)
        else:
            value = self.send(self, old, operator, [self.run(given, frame)], None)
        self.store(target, value, frame)
        return value

    def several(self, tree: Any, frame: Frame) -> Any:
        """Evaluate `a, b = values`."""
        value = self.run(tree[2], frame)
        if not isinstance(value, list):
            value = [value]
        for number, name in enumerate(tree[1]):
            one = value[number] if number < len(value) else None
            self.store(("local", name), one, frame)
        return value
