"""Types around other types: Optional, NotUndef, Variant, Type, Sensitive, Iterable, Iterator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from analyzer.frontends.puppet.types.model.base import (
    ANY,
    UNDEF,
    AnyType,
    Change,
    ContainingType,
    Guard,
    Type,
    change_all,
)
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.frontends.puppet.types.model.strings import EnumType
from analyzer.model.values import Sensitive


@dataclass(frozen=True, slots=True)
class OptionalType(ContainingType):
    """`Optional[type]`."""

    simple_name: ClassVar[str] = "Optional"

    def instance(self, value: Any) -> bool:
        return value is None or (self.type is not None and self.type.instance(value))

    def fits(self, target: Type, guard: Guard | None) -> bool:
        return target.assignable(UNDEF) and (self.type is None or target.assignable(self.type))

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if self.type is None or other is UNDEF:
            return True
        return self.type.assignable(other, guard)

    def normalize(self) -> Type:
        inner = self.type and self.type.normalize()
        if inner is None:
            return OPTIONAL
        if isinstance(inner, NotUndefType):
            return OptionalType(inner.type).normalize()
        if inner.assignable(UNDEF):
            return inner
        return self if inner is self.type else OptionalType(inner)

    def callable_kind(self, optional: bool = True) -> bool:
        return optional and self.type is not None and self.type.callable_kind(optional)


@dataclass(frozen=True, slots=True)
class NotUndefType(ContainingType):
    """`NotUndef[type]`."""

    simple_name: ClassVar[str] = "NotUndef"

    def __post_init__(self) -> None:
        if type(self.type) is AnyType:
            object.__setattr__(self, "type", None)

    def instance(self, value: Any) -> bool:
        return value is not None and (self.type is None or self.type.instance(value))

    def fits(self, target: Type, guard: Guard | None) -> bool:
        if self.type is None or self.type.assignable(UNDEF):
            return target.accepts(self, guard)
        return target.assignable(self.type, guard)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if other.assignable(UNDEF, guard):
            return False
        return self.type is None or self.type.assignable(other, guard)

    def normalize(self) -> Type:
        inner = self.type and self.type.normalize()
        if inner is None:
            return NOT_UNDEF
        if isinstance(inner, OptionalType):
            return NotUndefType(inner.type).normalize()
        if not inner.assignable(UNDEF):
            return inner
        return self if inner is self.type else NotUndefType(inner)


@dataclass(frozen=True, slots=True)
class VariantType(Type):
    """`Variant[types]`: of one of them."""

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

    def instance(self, value: Any) -> bool:
        return any(each.instance(value) for each in self.types)

    def assignable(self, other: Type, guard: Guard | None = None) -> bool:
        if not self.types:
            if other is UNDEF:
                return False
            if isinstance(other, VariantType):
                return True
        return other.fits(self, guard)

    def fits(self, target: Type, guard: Guard | None) -> bool:
        if type(target) is AnyType:
            return True
        if isinstance(target, NotUndefType) and not self.types:
            return target.accepts(self, guard)
        return bool(self.types) and all(target.assignable(each, guard) for each in self.types)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return any(each.assignable(other, guard) for each in self.types)

    def parts(self) -> Iterator[Type]:
        return iter(self.types)

    def map(self, change: Change) -> Type:
        changed = change_all(self.types, change)
        return self if changed is self.types else union(changed)

    def normalize(self) -> Type:
        from analyzer.frontends.puppet.types.normalize import normalize_variant

        return normalize_variant(self)

    def callable_kind(self, optional: bool = True) -> bool:
        return all(each.callable_kind(optional) for each in self.types)


def union(types: Iterable[Type]) -> Type:
    """A Variant of types without repetition, or the only one of them."""
    flat: dict[Type, None] = {}
    for each in types:
        for inner in each.types if isinstance(each, VariantType) else (each,):
            flat[inner] = None
    return next(iter(flat)) if len(flat) == 1 else VariantType(tuple(flat))


@dataclass(frozen=True, slots=True)
class TypeType(ContainingType):
    """`Type[type]`: of types."""

    simple_name: ClassVar[str] = "Type"

    def instance(self, value: Any) -> bool:
        return isinstance(value, Type) and (self.type is None or self.type.assignable(value))

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if not isinstance(other, TypeType):
            return False
        if self.type is None:
            return True
        return other.type is not None and self.type.assignable(other.type, guard)

    def iterable(self) -> bool:
        inner = self.type
        return isinstance(inner, EnumType) or (isinstance(inner, IntegerType) and inner.finite)

    def iterated(self) -> Type | None:
        return self.type if self.iterable() else None


@dataclass(frozen=True, slots=True)
class SensitiveType(ContainingType):
    """`Sensitive[type]`."""

    simple_name: ClassVar[str] = "Sensitive"

    def __post_init__(self) -> None:
        object.__setattr__(self, "type", ANY if self.type is None else self.type.generalize())

    @property
    def inner(self) -> Type:
        """The type of what is hidden."""
        return self.type or ANY

    def instance(self, value: Any) -> bool:
        return isinstance(value, Sensitive) and self.inner.instance(value.value)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return isinstance(other, SensitiveType) and self.inner.assignable(other.inner, guard)


class Iteration:
    """A value that is iterated over once, lazily: what `step` and `reverse_each` return."""

    __slots__ = ("element_type", "values")

    def __init__(self, values: Iterable[Any], element_type: Type | None = None) -> None:
        self.values = values
        self.element_type = element_type

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __str__(self) -> str:
        found = self.element_type
        return f"Iterator[{found.generalize()}]-Value" if found else "Iterator-Value"


@dataclass(frozen=True, slots=True)
class IterableType(ContainingType):
    """`Iterable[type]`: what can be iterated over."""

    simple_name: ClassVar[str] = "Iterable"

    def instance(self, value: Any) -> bool:
        from analyzer.frontends.puppet.types.infer import infer

        if self.type is not None and not self.type.assignable(ANY):
            return self.assignable(infer(value))
        if type(value) is int:
            return value >= 0
        if isinstance(value, IntegerType):
            return value.finite
        if isinstance(value, EnumType | Iteration | str | list | dict):
            return True
        resolved = getattr(value, "resolved", None)
        return resolved is not None and self.instance(resolved)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if self.type is None or self.type.assignable(ANY, guard):
            return other.iterable()
        found = other.iterated()
        return found is not None and self.type.assignable(found, guard)

    def iterable(self) -> bool:
        return True

    def iterated(self) -> Type | None:
        return self.type


@dataclass(frozen=True, slots=True)
class IteratorType(ContainingType):
    """`Iterator[type]`: an Iteration."""

    simple_name: ClassVar[str] = "Iterator"

    def instance(self, value: Any) -> bool:
        if not isinstance(value, Iteration):
            return False
        return self.type is None or self.type.assignable(value.element_type or ANY)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if not isinstance(other, IteratorType):
            return False
        return self.type is None or (
            other.type is not None and self.type.assignable(other.type, guard)
        )

    def iterable(self) -> bool:
        return True

    def iterated(self) -> Type | None:
        return self.type


OPTIONAL = OptionalType()
NOT_UNDEF = NotUndefType()
VARIANT = VariantType()
TYPE = TypeType()
SENSITIVE = SensitiveType()
ITERABLE = IterableType()
ITERATOR = IteratorType()
