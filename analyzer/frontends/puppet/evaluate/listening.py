"""Listeners of a compile: the choices that code makes, and the places that values come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

# A unit of the evaluator, which has its listeners itself.
Unit = Any


class Watch(Protocol):
    """Listens to the choices of a program: which arm of a construct is taken, of how many.

    `trace` listens to values, too; None: it is not asked for. `is_lasting`: it listens to the
    compiles of many inputs, and what is made ready for it may be used for all of them.
    """

    trace: Trace | None
    is_lasting: bool

    def __hash__(self) -> int:
        """Return a number that tells this listener from others."""
        ...

    def enters(self, unit: Unit, offset: int) -> None:
        """Record that a definition's body, or its parameters, are evaluated: they begin there."""
        ...

    def has(self, unit: Unit, offset: int, arms: int) -> None:
        """Record that a construct is part of what may be evaluated."""
        ...

    def takes(self, unit: Unit, offset: int, arm: int) -> None:
        """Record that an arm is taken."""
        ...

    def chosen(self, unit: Unit, offset: int) -> int | None:
        """Return the arm to take of a construct whose test is unknown, None for none of them."""
        ...


class Trace(Protocol):
    """Records the contributors of the values, resources and decisions of a compile."""

    def begin(self, compilation: Any) -> None:
        """Begin a compile."""
        ...

    def traced(self, node: Any, unit: Unit, thunk: Any) -> Any:
        """Return the thunk of a node that records the contributors of its value."""
        ...

    def arm(self, unit: Unit, offset: int, number: int, thunk: Any) -> Any:
        """Return an arm of a construct that records what decided that it is taken."""
        ...

    def enter_block(self, frame: dict[str, Any], names: Sequence[str], values: Any) -> None:
        """Record the call of a lambda with its variables."""
        ...

    def leave_block(self) -> None:
        """Record the end of the call of a lambda."""
        ...

    def bind(self, frame: dict[str, Any], values: dict[str, Any]) -> None:
        """Record the variables of a template, or of a function of the Puppet language."""
        ...

    def inside(self, entry: Any) -> AbstractContextManager[None]:
        """Record what is evaluated for a class, a node or a resource of a defined type."""
        ...

    def declare(self, entry: Any, given: Sequence[Any]) -> None:
        """Record the declaration of a resource or class, with attributes and defaults."""
        ...

    def begin_parameters(self, entry: Any, frame: dict[str, Any]) -> None:
        """Record the parameters that were given, which the defaults of others see."""
        ...

    def give(self, entry: Any, name: str, how: str, frame: dict[str, Any] | None = None) -> None:
        """Record that a parameter has the value that was evaluated last."""
        ...

    def bind_parameters(self, entry: Any, scope: Any) -> None:
        """Record the variables of a body."""
        ...

    def note(self, one: object, kind: str, name: str, node: Any, unit: Unit | None) -> None:
        """Record what contributes to something that has its effect later."""
        ...

    def bring_in(self, entry: Any, name: str, node: Any, unit: Unit | None) -> None:
        """Record a statement that brings a class in which is there already."""
        ...

    def alike(self, one: object, other: object) -> None:
        """Record that something contributes as another does."""
        ...

    def override(self, entry: Any, change: Any) -> None:
        """Record the attributes that an override or a collector changed."""
        ...

    def realize(self, entry: Any, by: object) -> None:
        """Record that a virtual resource was realized."""
        ...

    def relate(
        self, entry: Any, name: str, by: Any, source: object = None, target: object = None
    ) -> None:
        """Record that an arrow or a call added to a relationship parameter.

        `source` and `target` are resources if collectors found them.
        """
        ...

    def inherit(self, entry: Any, name: str, container: Any) -> None:
        """Record that a metaparameter comes from a container."""
        ...

    def look_up(
        self, key: str, lookup: Any, scope: Any, ask: Callable[[], Any], kind: str = ""
    ) -> Any:
        """Return the value of a lookup, and record the data that it found."""
        ...

    def read_file(self, path: str) -> None:
        """Record that the content of a file is part of the value."""
        ...

    def read_variable(self, name: str, scope: Any) -> None:
        """Record that a function read a variable by its name."""
        ...
