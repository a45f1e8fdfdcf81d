"""Collection, Array, Hash, Tuple and Struct."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from analyzer.frontends.puppet.types.model.base import (
    ANY,
    UNDEF,
    UNIT,
    Change,
    Guard,
    Type,
    change_all,
    normalized,
)
from analyzer.frontends.puppet.types.model.numbers import ANY_SIZE, ZERO_SIZE, IntegerType
from analyzer.frontends.puppet.types.model.strings import StringType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType, union
from analyzer.model.keys import keys_of


def exactly(count: int) -> IntegerType:
    """The size of just so many."""
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
        """The size, whether given or not."""
        return self.size or ANY_SIZE

    def instance(self, value: Any) -> bool:
        return (type(value) is list or type(value) is dict) and (
            self.size is None or self.size.instance(len(value))
        )

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if isinstance(other, CollectionType):
            return self.sizes.assignable(other.sizes)
        if isinstance(other, TupleType):
            return self.sizes.assignable(other.size or exactly(len(other.types)))
        if isinstance(other, StructType):
            return self.sizes.assignable(exactly(len(other.elements)))
        return False

    def parts(self) -> Iterator[Type]:
        if self.size is not None:
            yield self.size

    def generalize(self) -> Type:
        return COLLECTION

    def normalize(self) -> Type:
        return COLLECTION

    def iterable(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class ArrayType(CollectionType):
    """`Array[element, size]`."""

    element: Type = ANY

    simple_name: ClassVar[str] = "Array"

    def __init__(self, element: Type | None = None, size: IntegerType | None = None) -> None:
        empty = size == ZERO_SIZE
        object.__setattr__(self, "size", size and size.as_size())
        object.__setattr__(self, "element", UNIT if empty else element or ANY)

    def instance(self, value: Any) -> bool:
        if type(value) is not list or not (self.size is None or self.size.instance(len(value))):
            return False
        return self.element is ANY or all(map(self.element.instance, value))

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if isinstance(other, TupleType):
            sizes = other.size or exactly(len(other.types))
            return self.sizes.assignable(sizes) and all(
                self.element.assignable(each, guard) for each in other.types
            )
        return (
            isinstance(other, ArrayType)
            and self.sizes.assignable(other.sizes)
            and self.element.assignable(other.element, guard)
        )

    def parts(self) -> Iterator[Type]:
        yield from CollectionType.parts(self)
        yield self.element

    def map(self, change: Change) -> Type:
        changed = change(self.element)
        return self if changed is self.element else ArrayType(changed, self.size)

    def generalize(self) -> Type:
        if self.element == ANY:
            return ARRAY
        changed = self.element.generalize()
        same = self.size is None and changed is self.element
        return self if same else ArrayType(changed)

    def normalize(self) -> Type:
        # Puppet loses the size of an array of anything.
        return ARRAY if self.element == ANY else self.map(normalized)

    def iterated(self) -> Type | None:
        return None if self.element == ANY else self.element


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

    def instance(self, value: Any) -> bool:
        if type(value) is not dict or not (self.size is None or self.size.instance(len(value))):
            return False
        return (self.key is ANY or all(map(self.key.instance, keys_of(value)))) and (
            self.value is ANY or all(map(self.value.instance, value.values()))
        )

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if isinstance(other, HashType):
            if not self.sizes.low and other == EMPTY_HASH:
                return True
            return (
                self.key.assignable(other.key, guard)
                and self.value.assignable(other.value, guard)
                and self.sizes.assignable(other.sizes)
            )
        return (
            isinstance(other, StructType)
            and self.sizes.instance(len(other.elements))
            and all(
                self.key.instance(each.name) and self.value.assignable(each.value, guard)
                for each in other.elements
            )
        )

    def parts(self) -> Iterator[Type]:
        yield from CollectionType.parts(self)
        yield self.key
        yield self.value

    def map(self, change: Change) -> Type:
        key, value = change(self.key), change(self.value)
        same = key is self.key and value is self.value
        return self if same else HashType(key, value, self.size)

    def generalize(self) -> Type:
        if self in (HASH, EMPTY_HASH):
            return self
        key, value = self.key.generalize(), self.value.generalize()
        same = self.size is None and key is self.key and value is self.value
        return self if same else HashType(key, value)

    def normalize(self) -> Type:
        return self if self in (HASH, EMPTY_HASH) else self.map(normalized)

    def iterated(self) -> Type | None:
        if self in (HASH, EMPTY_HASH):
            return TupleType((UNIT, UNIT), exactly(2))
        return TupleType((self.key, self.value), exactly(2))


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
        """The size, given or of the types."""
        if self.size is not None:
            return self.size
        return exactly(len(self.types)) if self.types else ANY_SIZE

    def at(self, index: int) -> Type:
        """The type of the element at an index."""
        return self.types[index] if index < len(self.types) else self.types[-1]

    def instance(self, value: Any) -> bool:
        if type(value) is not list or not self.sizes.instance(len(value)):
            return False
        return not self.types or all(
            self.at(index).instance(each) for index, each in enumerate(value)
        )

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if self == other:
            return True
        if isinstance(other, TupleType):
            return self._accepts_tuple(other, guard)
        if not isinstance(other, ArrayType) or not self.sizes.assignable(other.sizes):
            return False
        count = int(min(len(self.types), other.sizes.limits[1]))
        return all(self.at(index).assignable(other.element, guard) for index in range(count))

    def _accepts_tuple(self, other: TupleType, guard: Guard | None) -> bool:
        if not self.sizes.assignable(other.sizes):
            return False
        if not self.types:
            return True
        if not other.types:
            return self.sizes.low == 0
        return all(self.at(index).assignable(each, guard) for index, each in enumerate(other.types))

    def parts(self) -> Iterator[Type]:
        if self.size is not None:
            yield self.size
        yield from self.types

    def map(self, change: Change) -> Type:
        changed = change_all(self.types, change)
        return self if changed is self.types else TupleType(changed, self.size)

    def iterable(self) -> bool:
        return True

    def iterated(self) -> Type | None:
        return union(self.types)


@dataclass(frozen=True, slots=True)
class StructElement:
    """An entry of a Struct: the type of its key, an Optional where it may be missing."""

    key: Type
    value: Type

    @property
    def name(self) -> str:
        """The key itself."""
        key = self.key.type if isinstance(self.key, OptionalType) else self.key
        assert isinstance(key, StringType)
        return key.value or ""

    @property
    def required(self) -> bool:
        """Whether the key must be there."""
        return not self.key.assignable(UNDEF)


@dataclass(frozen=True, slots=True)
class StructType(Type):
    """`Struct[{key => type}]`."""

    elements: tuple[StructElement, ...] = ()

    simple_name: ClassVar[str] = "Struct"

    def instance(self, value: Any) -> bool:
        if type(value) is not dict:
            return False
        matched = 0
        for each in self.elements:
            if each.name in value:
                matched += 1
                if not each.value.instance(value[each.name]):
                    return False
            elif each.required:
                return False
        return matched == len(value)

    def by_name(self) -> dict[str, StructElement]:
        """The elements by their keys."""
        return {each.name: each for each in self.elements}

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if isinstance(other, HashType):
            return self._accepts_hash(other, guard)
        if not isinstance(other, StructType):
            return False
        theirs = other.by_name()
        matched = 0
        for mine in self.elements:
            found = theirs.get(mine.name)
            if found is None:
                if mine.required:
                    return False
                continue
            matched += 1
            if not mine.key.assignable(found.key, guard):
                return False
            if not mine.value.assignable(found.value, guard):
                return False
        return matched == len(theirs)

    def _accepts_hash(self, other: HashType, guard: Guard | None) -> bool:
        required = [each for each in self.elements if each.required]
        for each in required:
            if not each.value.assignable(other.value, guard):
                return False
            if not each.key.generalize().assignable(other.key):
                return False
        return IntegerType(len(required), len(self.elements)).assignable(other.sizes)

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

    def iterable(self) -> bool:
        return True

    def iterated(self) -> Type | None:
        if not self.elements:
            return TupleType((UNIT, UNIT), exactly(2))
        keys = union(tuple(each.key for each in self.elements))
        return TupleType((keys, union(tuple(each.value for each in self.elements))), exactly(2))


COLLECTION = CollectionType()
ARRAY = ArrayType()
EMPTY_ARRAY = ArrayType(UNIT, ZERO_SIZE)
HASH = HashType()
EMPTY_HASH = HashType(UNIT, UNIT, ZERO_SIZE)
TUPLE = TupleType()
STRUCT = StructType()


def size_range(low: float, high: float) -> IntegerType:
    """The size between two counts, which may be infinite."""
    return IntegerType(None if low == -inf else int(low), None if high == inf else int(high))
