"""The context of Ruby code: its variables, its self, and the runtime that evaluates it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from analyzer.frontends.puppet.ruby_types.nesting import Group, Item, is_token
from analyzer.frontends.puppet.ruby_types.values import Opaque
from analyzer.model.values import Value


class Jump(Exception):
    """`return value`, and `next` of a block."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Runtime(Protocol):
    """The part of `RubyWorld` that evaluation uses: lookups and counters."""

    constants: dict[str, object]
    file: str
    # How many conditions stand around that are not known.
    doubts: int
    # How many calls stand around.
    depth: int
    # How many statements were not understood.
    misread: int
    # How many statements were evaluated for the file that is being read.
    steps: int
    # Whether a `return` may have happened.
    uncertain_return: bool

    def run(self, items: list[Item], scope: RubyScope) -> object:
        """Evaluate the statements of a body and return the value of the last."""

    def structure(self, group: Group, scope: RubyScope) -> object:
        """Evaluate a group between a keyword and its end."""

    def one_statement(self, items: list[Item], scope: RubyScope) -> object:
        """Evaluate a statement; one that is not understood is Opaque."""

    def in_module(self, names: tuple[str, ...], body: list[Item], scope: RubyScope) -> object:
        """Evaluate the body of a module or class."""

    def constant(self, name: str, nesting: tuple[str, ...]) -> object:
        """Return a constant, looked for from the innermost module outwards."""

    def instance_variable(self, scope: RubyScope, name: str, value: object) -> None:
        """Record `@isomorphic` of a type."""

    def loads(self, name: str, arguments: list[object]) -> bool:
        """Read another file for `require` and its like; return False for other calls."""

    def methods_of(self, name: str) -> dict[str, Method] | None:
        """Return the methods of a module, None where no file that was found defines it."""

    def send(
        self,
        value: object,
        name: str,
        arguments: list[object],
        block: Block | None,
        scope: RubyScope,
    ) -> object:
        """Return the result of a method of a value."""


class Block(NamedTuple):
    """A block, a lambda or a proc with the scope around it."""

    parameters: list[Item]
    body: list[Item]
    scope: RubyScope


class Method(NamedTuple):
    """A method that `def` defines, and in which module."""

    parameters: list[Item]
    body: list[Item]
    nesting: tuple[str, ...]


class Receiver:
    """A self, which receives calls."""

    def call(
        self, name: str, arguments: list[object], block: Block | None, scope: RubyScope
    ) -> Value:
        """Return the result of a method."""
        return Opaque(f"the result of {name}")

    def element(self, key: object) -> object:
        """Return the result of `self[key]`."""
        return Opaque("an element")

    def variable(self, name: str) -> object:
        """Return an instance variable that nothing has set."""
        return None

    def define(self, name: str, method: Method) -> None:
        """Record a method; those of the class begin with `self.`."""


class RubyScope:
    """Variables by name, within those of the scope around; `nesting` are the modules around."""

    __slots__ = ("around", "block", "nesting", "receiver", "variables", "world")

    def __init__(
        self,
        world: Runtime,
        receiver: Receiver,
        nesting: tuple[str, ...] = (),
        around: RubyScope | None = None,
        block: Block | None = None,
    ) -> None:
        self.world = world
        self.receiver = receiver
        self.nesting = nesting
        self.around = around
        self.block = block
        self.variables: dict[str, object] = {}

    def holder(self, name: str) -> dict[str, object] | None:
        """Return the variables among which there is one of that name."""
        at: RubyScope | None = self
        while at is not None:
            if name in at.variables:
                return at.variables
            at = at.around
        return None

    def get(self, name: str) -> object:
        """Return a variable, nil where it is not set yet."""
        found = self.holder(name)
        return found[name] if found is not None else None

    def set(self, name: str, value: object) -> None:
        """Set a variable here, or where it was set before."""
        found = self.holder(name)
        (self.variables if found is None else found)[name] = value

    @contextmanager
    def uncertain(self) -> Iterator[None]:
        """Mark the code within as a possibility: variables that change in it become unknown."""
        at: RubyScope | None = self
        before = []
        while at is not None:
            before.append((at.variables, dict(at.variables)))
            at = at.around
        self.world.doubts += 1
        try:
            yield
        finally:
            self.world.doubts -= 1
            for variables, old in before:
                for name, value in variables.items():
                    if name not in old or old[name] != value:
                        variables[name] = Opaque(f"{name} depends on a condition")


def block_of(group: Group, scope: RubyScope) -> Block:
    """Return a block; its parameters stand between bars."""
    items = group.items
    if not items or not is_token(items[0], "op", "|"):
        return Block([], items, scope)
    end = next((n for n in range(1, len(items)) if is_token(items[n], "op", "|")), 0)
    return Block(items[1:end], items[end + 1 :], scope)
