"""Types around other types: Optional, NotUndef, Variant, Type, Sensitive, Iterable, Iterator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from analyzer.frontends.puppet.types.model.base import (
    ANY,
    AnyType,
    Change,
    ContainingType,
    Printed,
    Type,
    change_all,
)
from analyzer.model.values import Value


@dataclass(frozen=True, slots=True)
class OptionalType(ContainingType):
    """`Optional[type]`."""

    simple_name: ClassVar[str] = "Optional"


@dataclass(frozen=True, slots=True)
class NotUndefType(ContainingType):
    """`NotUndef[type]`."""

    simple_name: ClassVar[str] = "NotUndef"

    def __post_init__(self) -> None:
        if type(self.type) is AnyType:
            object.__setattr__(self, "type", None)


@dataclass(frozen=True, slots=True)
class VariantType(Type):
    """`Variant[types]`: one of several types."""

    types: tuple[Type, ...] = ()

    simple_name: ClassVar[str] = "Variant"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, VariantType)
            and len(self.types) == len(other.types)
            and set(self.types) <= set(other.types)
        )

    def __hash__(self) -> int:
        return hash(frozenset(self.types))

    def parts(self) -> Iterator[Type]:
        return iter(self.types)

    def map(self, change: Change) -> Type:
        changed = change_all(self.types, change)
        return self if changed is self.types else union(changed)


def union(types: Iterable[Type]) -> Type:
    """Return a Variant of types without repetition, or the only one of them."""
    flat: dict[Type, None] = {}
    for each in types:
        for inner in each.types if isinstance(each, VariantType) else (each,):
            flat[inner] = None
    return next(iter(flat)) if len(flat) == 1 else VariantType(tuple(flat))


@dataclass(frozen=True, slots=True)
class TypeType(ContainingType):
    """`Type[type]`: of types."""

    simple_name: ClassVar[str] = "Type"


@dataclass(frozen=True, slots=True)
class SensitiveType(ContainingType):
    """`Sensitive[type]`; `sensitive_of` makes it."""

    simple_name: ClassVar[str] = "Sensitive"

    @property
    def inner(self) -> Type:
        """Return the type of the hidden value."""
        return self.type or ANY


class Iteration(Printed):
    """A lazy sequence for one iteration, as `step` and `reverse_each` return it."""

    __slots__ = ("element_type", "values")

    def __init__(self, values: Iterable[object], element_type: Type | None = None) -> None:
        self.values = values
        self.element_type = element_type

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)


@dataclass(frozen=True, slots=True)
class IterableType(ContainingType):
    """`Iterable[type]`: values that can be iterated over."""

    simple_name: ClassVar[str] = "Iterable"


@dataclass(frozen=True, slots=True)
class IteratorType(ContainingType):
    """`Iterator[type]`: an Iteration."""

    simple_name: ClassVar[str] = "Iterator"


OPTIONAL = OptionalType()
NOT_UNDEF = NotUndefType()
VARIANT = VariantType()
TYPE = TypeType()
SENSITIVE = SensitiveType(ANY)
ITERABLE = IterableType()
ITERATOR = IteratorType()
