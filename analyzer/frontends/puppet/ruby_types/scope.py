"""Where Ruby's code stands: its variables, its self, and what the files that were read define."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.ruby_types.values import Block, Method, Opaque

if TYPE_CHECKING:
    from analyzer.frontends.puppet.ruby_types.world import World


class Receiver:
    """A self."""

    def call(self, name: str, arguments: list[Any], block: Block | None, scope: Scope) -> Any:
        """Return what a method of it gives."""
        return Opaque(f"what {name} gives")

    def element(self, key: Any) -> Any:
        """Return what `self[key]` gives."""
        return Opaque("an element")

    def variable(self, name: str) -> Any:
        """Return an instance variable that nothing has set."""
        return None

    def define(self, name: str, method: Method) -> None:
        """Take in a method; those of the class begin with `self.`."""


class Scope:
    """Variables by name, within those of the scope around; `nesting` are the modules around."""

    __slots__ = ("around", "block", "nesting", "receiver", "variables", "world")

    def __init__(
        self,
        world: World,
        receiver: Receiver,
        nesting: tuple[str, ...] = (),
        around: Scope | None = None,
        block: Block | None = None,
    ) -> None:
        self.world = world
        self.receiver = receiver
        self.nesting = nesting
        self.around = around
        self.block = block
        self.variables: dict[str, Any] = {}

    def holder(self, name: str) -> dict[str, Any] | None:
        """Return the variables among which there is one of that name."""
        at: Scope | None = self
        while at is not None:
            if name in at.variables:
                return at.variables
            at = at.around
        return None

    def get(self, name: str) -> Any:
        """Return a variable, nil where it is not set yet."""
        found = self.holder(name)
        return found[name] if found is not None else None

    def set(self, name: str, value: Any) -> None:
        """Set a variable here, or where it was set before."""
        found = self.holder(name)
        (self.variables if found is None else found)[name] = value

    @contextmanager
    def perhaps(self) -> Iterator[None]:
        """What is done within may not be done: variables that change are not known after it."""
        at: Scope | None = self
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
