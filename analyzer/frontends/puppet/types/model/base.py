"""What all types have in common, and the types without parts (Any, Undef, Default, Unit)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, ClassVar, Self

from analyzer.model.values import DEFAULT

# What `Type.map` applies to the parts of a type.
Change = Callable[["Type"], "Type"]


class Recursion(IntFlag):
    """Which side of a comparison has come back to an alias it began with."""

    NONE = 0
    THIS = 1
    THAT = 2
    BOTH = 3


class Guard:
    """Ends the comparison of recursive aliases (Puppet's RecursionGuard)."""

    __slots__ = ("state", "that", "this")

    def __init__(self) -> None:
        self.state = Recursion.NONE
        self.this: set[int] = set()
        self.that: set[int] = set()

    def add_that(self, found: object) -> Recursion:
        """Note the right side, return which sides recur."""
        if not self.state & Recursion.THAT:
            if id(found) in self.that:
                self.state |= Recursion.THAT
            self.that.add(id(found))
        return self.state

    def with_this(self, found: object, then: Callable[[Recursion], bool]) -> bool:
        """Note the left side while `then` runs; it is told which sides recur."""
        if self.state & Recursion.THIS:
            return then(self.state)
        if id(found) in self.this:
            self.state |= Recursion.THIS
            return then(self.state)
        self.this.add(id(found))
        result = then(self.state)
        self.state &= ~Recursion.THIS
        self.this.discard(id(found))
        return result


class Type:
    """A Puppet data type: a value that other values are instances of."""

    __slots__ = ()

    simple_name: ClassVar[str] = "Any"

    @property
    def name(self) -> str:
        """The name without parameters, as messages give it."""
        return self.simple_name

    def instance(self, value: Any) -> bool:
        """Whether a value is of this type."""
        raise NotImplementedError

    def assignable(self, other: Type, guard: Guard | None = None) -> bool:
        """Whether every value of the other type is of this type."""
        return other.fits(self, guard)

    def fits(self, target: Type, guard: Guard | None) -> bool:
        """The other half of `assignable`: types made of types ask for their parts."""
        return target.accepts(self, guard)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        """`assignable` for another type that is not made of types."""
        return type(other) is type(self)

    def parts(self) -> Iterator[Type]:
        """The types it is made of."""
        return iter(())

    def map(self, change: Change) -> Type:
        """The same type of changed parts; itself if none changed."""
        return self

    def generalize(self) -> Type:
        """The type without limits of size, range or value."""
        return self.map(generalized)

    def normalize(self) -> Type:
        """The same type in its shortest form."""
        return self.map(normalized)

    def callable_kind(self, optional: bool = True) -> bool:
        """Whether it is a Callable, or an Optional one if that counts."""
        return False

    def iterable(self) -> bool:
        """Whether values of the type can be iterated over."""
        return False

    def iterated(self) -> Type | None:
        """The type of what iteration gives; None if there is none, or it is anything."""
        return None

    def __str__(self) -> str:
        from analyzer.frontends.puppet.types.text import to_string

        return to_string(self)


def generalized(found: Type) -> Type:
    """The type without limits: `Type.generalize`, of whatever kind it is."""
    return found.generalize()


def normalized(found: Type) -> Type:
    """The type in its shortest form: `Type.normalize`, of whatever kind it is."""
    return found.normalize()


@dataclass(frozen=True, slots=True)
class AnyType(Type):
    """`Any`."""

    simple_name: ClassVar[str] = "Any"

    def instance(self, value: Any) -> bool:
        return True

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class UnitType(Type):
    """The type of the elements of an empty array: it gives way to every other."""

    simple_name: ClassVar[str] = "Unit"

    def instance(self, value: Any) -> bool:
        return True

    def assignable(self, other: Type, guard: Guard | None = None) -> bool:
        return True

    def fits(self, target: Type, guard: Guard | None) -> bool:
        return True

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class UndefType(Type):
    """`Undef`."""

    simple_name: ClassVar[str] = "Undef"

    def instance(self, value: Any) -> bool:
        return value is None


@dataclass(frozen=True, slots=True)
class DefaultType(Type):
    """`Default`."""

    simple_name: ClassVar[str] = "Default"

    def instance(self, value: Any) -> bool:
        return value is DEFAULT


ANY = AnyType()
UNIT = UnitType()
UNDEF = UndefType()
DEFAULT_TYPE = DefaultType()


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
        """The same type around another."""
        return self.__class__(other)


def change_all(types: tuple[Type, ...], change: Change) -> tuple[Type, ...]:
    """Changed types; the same tuple if none changed."""
    changed = tuple(change(each) for each in types)
    same = all(new is old for new, old in zip(changed, types, strict=True))
    return types if same else changed


def ruby_class(value: Any) -> str:
    """The name of the class that Puppet has for a value."""
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
