"""Lines of Python for a lambda, and the variables that are known where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from analyzer.frontends.puppet.evaluate.control import assigned_in
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.scope import MISSING
from analyzer.frontends.puppet.evaluate.thunks import Thunk, thunk_of
from analyzer.frontends.puppet.syntax.ast import Node

# Longer texts are kept beside the code.
SHORT = 60

# Lines of a function; a longer one is left to closures.
MOST_LINES = 4000


class NotWritten(Exception):
    """The code would be too long, or there is something in it that only closures do."""


class Atom(NamedTuple):
    """An expression of Python that can be repeated: a name or a literal.

    `kind` is the type of its values where that is known: `int`, `str`, `list`, `dict`, `bool`, or
    `truth` for a boolean or an Unknown; `value` is that of a literal.
    """

    text: str
    kind: str = ""
    value: Any = MISSING


class CodeLine(NamedTuple):
    """A line of code with the node that it evaluates."""

    depth: int
    text: str
    node: Any


class LambdaLevel:
    """The variables of a lambda: names of Python, those with a value, and those that may have."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names
        self.definite = set(names)
        self.possible = set(names)
        # Those that some way through the body gives no value to.
        self.unsure: set[str] = set()
        self.branches = 0

    def give(self, name: str, sure: bool = True) -> None:
        """Record that a variable has a value from here on, or may have one."""
        self.possible.add(name)
        if sure:
            self.definite.add(name)
        if self.branches:
            self.unsure.add(name)

    def frame(self) -> str:
        """Return the code of the variables as closures see them."""
        inner = ", ".join(
            f"{name!r}: {place}" for name, place in self.names.items() if name in self.possible
        )
        return f"{{{inner}}}" if self.possible <= self.definite else f"known({{{inner}}})"


Emit = Callable[["Writer", Any], Atom]

EMITTERS: dict[type, Emit] = {}


def emits(*kinds: type) -> Callable[[Emit], Emit]:
    """Register the writer of these kinds of nodes."""

    def register(emit: Emit) -> Emit:
        for kind in kinds:
            EMITTERS[kind] = emit
        return emit

    return register


class Writer:
    """Writes a function; `namespace` has the values that its lines name."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.lines: list[CodeLine] = []
        self.depth = 1
        self.node: Any = None
        self.namespace: dict[str, Any] = {}
        self.names_of_constants: dict[int, str] = {}
        self.count = 0
        self.levels: list[LambdaLevel] = []
        # Variables of scopes around, functions that may be ours, and types of parameters: all are
        # looked up at the start.
        self.outer: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.types: dict[str, str] = {}
        # Calls that were written; each of them may jump.
        self.calls = 0

    def add(self, text: str) -> None:
        """Add a line.

        Raises:
            NotWritten: there are too many.
        """
        if len(self.lines) >= MOST_LINES:
            raise NotWritten
        self.lines.append(CodeLine(self.depth, text, self.node))

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """Add a line that ends in a colon, and those within below it."""
        self.add(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.add("pass")
        self.depth -= 1

    def name(self, prefix: str) -> str:
        """Return a name of Python that is not used yet."""
        self.count += 1
        return f"{prefix}{self.count}"

    def local(self, name: str) -> str:
        """Return the place of a variable: its name with a number before it."""
        return f"{self.name('v')}_{re.sub('[^A-Za-z0-9_]', '_', name)}"

    def temporary(self, text: str, kind: str = "") -> Atom:
        """Give a new name to a value."""
        made = self.name("t")
        self.add(f"{made} = {text}")
        return Atom(made, kind)

    def named(self, value: Atom) -> Atom:
        """Return a value that is a name: Python warns of comparisons with literals."""
        return value if value.value is MISSING else self.temporary(value.text, value.kind)

    def constant(self, value: object, prefix: str = "n") -> str:
        """Return the name of a value that the namespace has."""
        found = self.names_of_constants.get(id(value))
        if found is None:
            found = self.names_of_constants[id(value)] = self.name(prefix)
            self.namespace[found] = value
        return found

    def literal(self, value: Any) -> Atom:
        """Return a value of a manifest."""
        kind = type(value)
        if kind is str:
            text = repr(value) if len(value) <= SHORT else self.constant(value, "s")
            return Atom(text, "str", value)
        if kind is int:
            return Atom(repr(value) if value < 2**63 else self.constant(value, "c"), "int", value)
        if value is None or kind is bool:
            return Atom(repr(value), "bool" if kind is bool else "", value)
        return Atom(self.constant(value, "c"), "", value)

    def write(self, node: Node | None) -> Atom:
        """Write the evaluation of a node; return its value."""
        if node is None:
            return self.literal(None)
        around, self.node = self.node, node
        emit = EMITTERS.get(type(node))
        found = self.aside(node) if emit is None else emit(self, node)
        self.node = around
        return found

    def frames(self) -> str:
        """Return the code of all variables of lambdas, the innermost last."""
        return ", ".join(level.frame() for level in self.levels)

    def aside(self, node: Node, more: str = "") -> Atom:
        """Write the evaluation of a node by its closure, which may give variables their values.

        `more` are further variables of the innermost frame.
        """
        self.calls += 1
        level = self.levels[-1]
        frame = self.name("f")
        made = self.name("t")
        ready = self.constant(Later(node, self.unit), "run")
        others = "".join(f"{other.frame()}, " for other in self.levels[:-1])
        self.add(f"{frame} = {level.frame()}")
        if more:
            self.add(f"{frame}.update({more})")
        self.add(f"{made} = aside({ready}, machine, scope, {others}{frame})")
        for name in dict.fromkeys(assigned_in(node)):
            if name not in level.definite:
                self.add(f"{self.place(name)} = {frame}.get({name!r}, MISSING)")
                level.give(name, sure=False)
        return Atom(made)

    def place(self, name: str) -> str:
        """Return the place of a variable of the innermost lambda."""
        level = self.levels[-1]
        if name not in level.names:
            level.names[name] = self.local(name)
        return level.names[name]

    @contextmanager
    def level(self, names: dict[str, str]) -> Iterator[LambdaLevel]:
        """Begin the variables of a lambda; those that may have no value begin without one."""
        level = LambdaLevel(names)
        self.levels.append(level)
        start = len(self.lines)
        depth, node = self.depth, self.node
        yield level
        self.levels.pop()
        self.lines[start:start] = [
            CodeLine(depth, f"{place} = MISSING", node)
            for name, place in level.names.items()
            if name in level.unsure
        ]

    @contextmanager
    def branch(self, head: str, ends: list[tuple[set[str], set[str]]]) -> Iterator[None]:
        """Write one of several ways to go on; `ends` gets the variables at its end."""
        level = self.levels[-1]
        before = set(level.definite), set(level.possible)
        level.branches += 1
        with self.inside(head):
            yield
        level.branches -= 1
        ends.append((level.definite, level.possible))
        level.definite, level.possible = before

    def join(self, ends: list[tuple[set[str], set[str]]]) -> None:
        """Go on after several ways: what all of them have has a value."""
        level = self.levels[-1]
        level.definite = set.intersection(*(definite for definite, _ in ends))
        level.possible = set.union(*(possible for _, possible in ends))


class Later:
    """The thunk of a node, made when it is needed."""

    __slots__ = ("node", "thunk", "unit")

    def __init__(self, node: Node, unit: Unit) -> None:
        self.node = node
        self.unit = unit
        self.thunk: Thunk | None = None

    def __call__(self, machine: Any, scope: Any) -> Any:
        """Evaluate the node."""
        if self.thunk is None:
            self.thunk = thunk_of(self.node, self.unit)
        return self.thunk(machine, scope)
