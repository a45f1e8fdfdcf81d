"""The base of all types, and the types without parts (Any, Undef, Scalar, ...)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

# What `Type.map` applies to the parts of a type.
Change = Callable[["Type"], "Type"]


class Printed:
    """A value that `types.text` prints: that module sets `printer`."""

    __slots__ = ()

    printer: ClassVar[Callable[[Any], str]]

    def __str__(self) -> str:
        return Printed.printer(self)


class Type(Printed):
    """A Puppet data type: a plain value.

    Checks, comparison, printing and the like are tables by class in the modules above this package.
    """

    __slots__ = ()

    simple_name: ClassVar[str] = "Any"

    @property
    def name(self) -> str:
        """Return the name without parameters, as messages give it."""
        return self.simple_name

    def parts(self) -> Iterator[Type]:
        """Yield the types it is made of."""
        return iter(())

    def map(self, change: Change) -> Type:
        """Return the same type of changed parts; itself if none changed."""
        return self


@dataclass(frozen=True, slots=True)
class AnyType(Type):
    """`Any`."""

    simple_name: ClassVar[str] = "Any"


@dataclass(frozen=True, slots=True)
class UnitType(Type):
    """The type of the elements of an empty array: it gives way to every other."""

    simple_name: ClassVar[str] = "Unit"


@dataclass(frozen=True, slots=True)
class UndefType(Type):
    """`Undef`."""

    simple_name: ClassVar[str] = "Undef"


@dataclass(frozen=True, slots=True)
class DefaultType(Type):
    """`Default`."""

    simple_name: ClassVar[str] = "Default"


@dataclass(frozen=True, slots=True)
class ScalarDataType(Type):
    """`ScalarData`: strings, numbers and booleans."""

    simple_name: ClassVar[str] = "ScalarData"


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    """`Scalar`: ScalarData, regular expressions, versions and times."""

    simple_name: ClassVar[str] = "Scalar"


ANY = AnyType()
UNIT = UnitType()
UNDEF = UndefType()
DEFAULT_TYPE = DefaultType()
SCALAR_DATA = ScalarDataType()
SCALAR = ScalarType()


@dataclass(frozen=True, slots=True)
class ContainingType(Type):
    """A type around one other, which may be missing."""

    type: Type | None = None

    def parts(self) -> Iterator[Type]:
        if self.type is not None:
            yield self.type

    def map(self, change: Change) -> Type:
        if self.type is None:
            return self
        changed = change(self.type)
        return self if changed is self.type else self.around(changed)

    def around(self, other: Type | None) -> Self:
        """Return the same type around another."""
        return self.__class__(other)


def change_all(types: tuple[Type, ...], change: Change) -> tuple[Type, ...]:
    """Return changed types; the same tuple if none changed."""
    changed = tuple(change(each) for each in types)
    same = all(new is old for new, old in zip(changed, types, strict=True))
    return types if same else changed


def ruby_class(value: object) -> str:
    """Return the name of the class that Puppet has for a value."""
    if isinstance(value, Type):
        return f"Puppet::Pops::Types::P{value.simple_name}Type"
    if isinstance(value, bool):
        return f"{value}Class"
    return _RUBY_CLASSES.get(type(value).__name__, type(value).__name__)


_RUBY_CLASSES = {
    "NoneType": "NilClass", "int": "Integer", "float": "Float", "str": "String", "list": "Array",
    "dict": "Hash", "Default": "Symbol", "Timespan": "Puppet::Pops::Time::Timespan",
    "Timestamp": "Puppet::Pops::Time::Timestamp", "SemVer": "SemanticPuppet::Version",
    "SemVerRange": "SemanticPuppet::VersionRange",
    "Binary": "Puppet::Pops::Types::PBinaryType::Binary",
    "Sensitive": "Puppet::Pops::Types::PSensitiveType::Sensitive",
}  # fmt: skip
