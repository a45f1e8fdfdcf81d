"""The registry of functions: a name, signatures in Puppet's types, and an implementation.

    @function("max", "Numeric *$values", "String *$values")
    def maximum(call: Call, *values: Any) -> Any:
        ...

A signature is a parameter list in the Puppet language, `&Callable[1, 1] $block` last for a block
(`&Optional[...]` if it may be absent). Signatures with implementations of their own are further
rows of the same name, tried in order. `Array[T] *$values` takes the type of what is repeated from
the array, as Puppet's own parameters do: several arrays are `Array[Array] *$values`. Functions of
the 3.x API have an arity instead: `legacy_function`. Families are modules; a table of names,
`FAMILIES`, says which module holds a name, so that only that one is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NoReturn, Protocol

from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.types.signatures import Signature
from analyzer.model.releases import has
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value


class UndecidedCall(Exception):
    """An Unknown decides the result, so that the result is this Unknown."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__(unknown.reason)
        self.unknown = unknown


class Files(Protocol):
    """The files of the environment's modules."""

    def find(self, path: str, folder: str = "files") -> str | None:
        """Return where `module/path` in a module's folder, or an absolute path, is."""
        ...

    def read(self, path: str) -> bytes:
        """Return the content of a file."""
        ...

    def module(self, name: str) -> str | None:
        """Return the folder of a module."""
        ...


class Call(Protocol):
    """The evaluation that calls a function, as far as functions use it."""

    @property
    def block(self) -> Block | None:
        """Return the block of the call."""
        ...

    @property
    def files(self) -> Files:
        """Return the files of modules."""
        ...

    @property
    def puppet_version(self) -> int:
        """Return Puppet's major version."""
        ...

    def call(self, name: str, *arguments: object, block: Block | None = None) -> Any:
        """Call another function."""
        ...

    def variable(self, name: str) -> Any:
        """Return a variable's value, None where it has none."""
        ...

    def fail(self, message: str) -> NoReturn:
        """End the evaluation with an error in Puppet's words."""
        ...

    def warn(self, message: str) -> None:
        """Log a warning."""
        ...

    def log(self, level: str, *values: object) -> None:
        """Log values as text: alert crit debug emerg err info notice warning."""
        ...


class Depth(Enum):
    """The depth to which a function reads its arguments: an Unknown there makes the result one."""

    DEEP = "everything in arrays and hashes"
    ARGUMENTS = "the arguments, not their elements"
    NOWHERE = "nothing: the function handles an Unknown itself"


Implementation = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One implementation and the parameter lists it takes.

    `types` are aliases that the parameter lists use. A `mismatch` is tried after all others
    failed; it returns the message of the error, which follows the function's name in quotes, or
    None for the usual one. `arity`, of a function of the 3.x API, counts as Ruby's: -3 is two
    arguments or more. `where` and `lacking` are names of
    differences between releases: those that have it hold the one, and not the other.
    """

    signatures: tuple[str, ...]
    compute: Implementation
    depth: Depth = Depth.DEEP
    types: Mapping[str, str] = field(default_factory=dict)
    mismatch: bool = False
    arity: int | None = None
    where: str = ""
    lacking: str = ""
    # The signatures as values, once they were asked for.
    parsed: list[Signature] = field(default_factory=list, init=False, repr=False, compare=False)

    def __call__(self, call: Call, *arguments: object) -> Value:
        """Compute the value, an Unknown where one decides it."""
        unknown = self.unknown_in(arguments)
        return self.value(call, arguments) if unknown is None else unknown

    def value(self, call: Call, arguments: Sequence[object]) -> Any:
        """Compute the value of arguments without an Unknown that the function would look at."""
        if self.arity is not None:
            arguments = legacy_arguments(call, tuple(arguments))
        try:
            return self.compute(call, *arguments)
        except UndecidedCall as found:
            return found.unknown.as_any()

    def unknown_in(self, arguments: Sequence[object]) -> Unknown | None:
        """Return the first Unknown that the function would look at."""
        if self.depth is Depth.NOWHERE:
            return None
        if self.depth is Depth.DEEP:
            found = find_unknown(arguments)
            return None if found is None else found.as_any()
        for value in arguments:
            if isinstance(value, Unknown):
                return value.as_any()
        return None


FUNCTIONS: dict[str, list[Dispatch]] = {}
# The functions of which versions of Puppet have other rows.
LIMITED: set[str] = set()


def rows_of(rows: Sequence[Dispatch], version: int) -> Sequence[Dispatch]:
    """Return the rows of a function that a version of Puppet has."""
    return [
        row
        for row in rows
        if (not row.where or has(version, row.where))
        and not (row.lacking and has(version, row.lacking))
    ]


def function(
    name: str,
    *signatures: str,
    depth: Depth = Depth.DEEP,
    types: Mapping[str, str] | None = None,
    mismatch: bool = False,
    where: str = "",
    lacking: str = "",
) -> Callable[[Implementation], Implementation]:
    """Register an implementation under a name, with the parameter lists that it takes."""

    def register(compute: Implementation) -> Implementation:
        row = Dispatch(
            signatures, compute, depth, types or {}, mismatch, where=where, lacking=lacking
        )
        if where or lacking:
            LIMITED.add(name)
        FUNCTIONS.setdefault(name, []).append(row)
        return compute

    return register


def legacy_function(
    name: str, arity: int, depth: Depth = Depth.DEEP
) -> Callable[[Implementation], Implementation]:
    """Register a function of the 3.x API: it gets `''` for undef, and text for some values."""

    def register(compute: Implementation) -> Implementation:
        def counted(call: Call, *arguments: object) -> Value:
            check_arity(call, name, arity, len(arguments))
            return compute(call, *arguments)

        FUNCTIONS.setdefault(name, []).append(Dispatch((), counted, depth, arity=arity))
        return compute

    return register


def check_arity(call: Call, name: str, arity: int, count: int) -> None:
    """Refuse a wrong number of arguments for a function of the 3.x API."""
    if arity >= 0 and count != arity:
        call.fail(f"{name}(): Wrong number of arguments given ({count} for {arity})")
    least = -arity - 1
    if arity < 0 and count < least:
        call.fail(f"{name}(): Wrong number of arguments given ({count} for minimum {least})")


def legacy_arguments(call: Call, arguments: tuple[object, ...]) -> tuple[Value, ...]:
    """Return arguments as the 3.x API gives them to a function."""
    from analyzer.frontends.puppet.functions.legacy import legacy_value

    return tuple("" if value is None else legacy_value(value, call.fail) for value in arguments)


def decide(value: object) -> bool:
    """Return whether a value is true in Puppet: all but false and undef.

    Raises:
        Undecided: it is Unknown.
    """
    if isinstance(value, Unknown):
        raise UndecidedCall(value)
    return value is not None and value is not False
