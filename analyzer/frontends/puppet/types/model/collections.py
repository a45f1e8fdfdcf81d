"""Collection, Array, Hash, Tuple and Struct."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from analyzer.frontends.puppet.types.model.base import (
    ANY,
    UNIT,
    Change,
    Type,
    change_all,
)
from analyzer.frontends.puppet.types.model.numbers import ANY_SIZE, ZERO_SIZE, IntegerType
from analyzer.frontends.puppet.types.model.strings import StringType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType


def exactly(count: int) -> IntegerType:
    """Return the size of exactly that count."""
    return IntegerType(count, count)


@dataclass(frozen=True, slots=True)
class CollectionType(Type):
    """`Collection[size]`: arrays and hashes."""

    size: IntegerType | None = None

    simple_name: ClassVar[str] = "Collection"

    def __post_init__(self) -> None:
        if self.size is not None:
            object.__setattr__(self, "size", self.size.as_size())

    @property
    def sizes(self) -> IntegerType:
        """Return the size, whether given or not."""
        return self.size or ANY_SIZE

    def parts(self) -> Iterator[Type]:
        if self.size is not None:
            yield self.size


@dataclass(frozen=True, slots=True)
class ArrayType(CollectionType):
    """`Array[element, size]`."""

    element: Type = ANY

    simple_name: ClassVar[str] = "Array"

    def __init__(self, element: Type | None = None, size: IntegerType | None = None) -> None:
        empty = size == ZERO_SIZE
        object.__setattr__(self, "size", size and size.as_size())
        object.__setattr__(self, "element", UNIT if empty else element or ANY)

    def parts(self) -> Iterator[Type]:
        yield from CollectionType.parts(self)
        yield self.element

    def map(self, change: Change) -> Type:
        changed = change(self.element)
        return self if changed is self.element else ArrayType(changed, self.size)


@dataclass(frozen=True, slots=True)
class HashType(CollectionType):
    """`Hash[key, value, size]`."""

    key: Type = ANY
    value: Type = ANY

    simple_name: ClassVar[str] = "Hash"

    def __init__(
        self,
        key: Type | None = None,
        value: Type | None = None,
        size: IntegerType | None = None,
    ) -> None:
        empty = size == ZERO_SIZE
        object.__setattr__(self, "size", size and size.as_size())
        object.__setattr__(self, "key", UNIT if empty else key or ANY)
        object.__setattr__(self, "value", UNIT if empty else value or ANY)

    def parts(self) -> Iterator[Type]:
        yield from CollectionType.parts(self)
        yield self.key
        yield self.value

    def map(self, change: Change) -> Type:
        key, value = change(self.key), change(self.value)
        same = key is self.key and value is self.value
        return self if same else HashType(key, value, self.size)


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """`Tuple[types, size]`; a size above the number of types repeats the last."""

    types: tuple[Type, ...] = ()
    size: IntegerType | None = None

    simple_name: ClassVar[str] = "Tuple"

    def __post_init__(self) -> None:
        if self.size is not None:
            object.__setattr__(self, "size", self.size.as_size())

    @property
    def sizes(self) -> IntegerType:
        """Return the size, given or of the types."""
        if self.size is not None:
            return self.size
        return exactly(len(self.types)) if self.types else ANY_SIZE

    def at(self, index: int) -> Type:
        """Return the type of the element at an index."""
        return self.types[index] if index < len(self.types) else self.types[-1]

    def parts(self) -> Iterator[Type]:
        if self.size is not None:
            yield self.size
        yield from self.types

    def map(self, change: Change) -> Type:
        changed = change_all(self.types, change)
        return self if changed is self.types else TupleType(changed, self.size)


@dataclass(frozen=True, slots=True)
class StructElement:
    """An entry of a Struct: the type of its key, an Optional where it may be missing."""

    key: Type
    value: Type

    @property
    def name(self) -> str:
        """Return the key itself."""
        key = self.key.type if isinstance(self.key, OptionalType) else self.key
        assert isinstance(key, StringType)
        return key.value or ""

    @property
    def required(self) -> bool:
        """Return whether the key must be there."""
        return not isinstance(self.key, OptionalType)


@dataclass(frozen=True, slots=True)
class StructType(Type):
    """`Struct[{key => type}]`."""

    elements: tuple[StructElement, ...] = ()

    simple_name: ClassVar[str] = "Struct"

    def by_name(self) -> dict[str, StructElement]:
        """Return the elements by their keys."""
        return {each.name: each for each in self.elements}

    def parts(self) -> Iterator[Type]:
        for each in self.elements:
            yield each.key
            yield each.value

    def map(self, change: Change) -> Type:
        values = tuple(each.value for each in self.elements)
        changed = change_all(values, change)
        if changed is values:
            return self
        pairs = zip(self.elements, changed, strict=True)
        return StructType(tuple(StructElement(old.key, new) for old, new in pairs))


COLLECTION = CollectionType()
ARRAY = ArrayType()
EMPTY_ARRAY = ArrayType(UNIT, ZERO_SIZE)
HASH = HashType()
EMPTY_HASH = HashType(UNIT, UNIT, ZERO_SIZE)
TUPLE = TupleType()
STRUCT = StructType()


def size_range(low: float, high: float) -> IntegerType:
    """Return the size between two counts, which may be infinite."""
    return IntegerType(None if low == -inf else int(low), None if high == inf else int(high))
