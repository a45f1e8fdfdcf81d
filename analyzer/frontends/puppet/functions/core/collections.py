"""keys, values, length, size, empty, flatten, join and unique."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import key_of, to_s
from analyzer.frontends.puppet.functions.core.iterables import fresh
from analyzer.frontends.puppet.functions.registry import (
    Call,
    Depth,
    UndecidedCall,
    function,
)
from analyzer.model.keys import as_key, of_key
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Binary, Sensitive, Unknown, Value


@function("keys", "Hash $hsh", depth=Depth.ARGUMENTS)
def keys(call: Call, value: dict[object, object]) -> list[Value]:
    """Return the keys of a hash."""
    return [of_key(key) for key in value]


@function("values", "Hash $hsh", depth=Depth.ARGUMENTS)
def values(call: Call, value: dict[object, object]) -> list[Value]:
    """Return the values of a hash."""
    return list(value.values())


@function("length", "Collection $arg", "String $arg", "Binary $arg", depth=Depth.ARGUMENTS)
@function("size", "Variant[Collection, String, Binary] $arg", depth=Depth.ARGUMENTS)
def length(call: Call, value: Sized | Binary) -> int:
    """Return the number of elements, characters or bytes."""
    return len(value.data if isinstance(value, Binary) else value)


@function(
    "empty",
    "Collection $coll",
    "Sensitive[String] $str",
    "String $str",
    depth=Depth.ARGUMENTS,
)
def empty(call: Call, value: object) -> bool:
    """Return whether there is nothing in a value."""
    return not (value.value if isinstance(value, Sensitive) else value)


@function("empty", "Numeric $num")
def empty_number(call: Call, value: float) -> bool:
    """Return false, as numbers are never empty."""
    call.warn("Calling function empty() with Numeric value is deprecated.")
    return False


@function("empty", "Binary $bin")
def empty_binary(call: Call, value: Binary) -> bool:
    """Return whether there is no byte."""
    return not value.data


@function("empty", "Undef $x")
def empty_undef(call: Call, value: None) -> bool:
    """Return true, as undef is empty."""
    return True


@function("flatten", "Any *$args", depth=Depth.NOWHERE)
def flatten(call: Call, *found: object) -> list[Value]:
    """Return the elements of nested arrays; an Unknown might be an array."""
    return list(flat(found))


def flat(found: Iterable[Value]) -> Iterator[Value]:
    """Yield the elements of arrays in arrays.

    Raises:
        Undecided: one is Unknown.
    """
    for one in found:
        if isinstance(one, Unknown):
            raise UndecidedCall(one)
        if isinstance(one, (list, tuple)):
            yield from flat(one)
        else:
            yield one


@function("join", "Array $arg, String $delimiter = ''")
def join(call: Call, value: list[object], delimiter: str = "") -> str:
    """Return the elements as one text, those of arrays in the array too."""
    return delimiter.join(joined(value, delimiter))


def joined(value: Iterable[Value], delimiter: str) -> Iterator[str]:
    """Yield the texts of elements, an array's as one."""
    for one in value:
        if isinstance(one, (list, tuple)):
            yield delimiter.join(joined(one, delimiter))
        else:
            yield to_s(one)


def uniq(found: Any, block: Callable[..., object] | None) -> list[Any]:
    """Return the first of the values that are the same, or for which the block returns the same.

    Raises:
        Undecided: the block returned something Unknown.
    """
    if isinstance(found, (list, str)) and len(found) < 2:
        return list(found)
    seen: dict[Value, Value] = {}
    for one in found:
        mark = one if block is None else block(one)
        unknown = find_unknown((mark,))
        if unknown is not None:
            raise UndecidedCall(unknown)
        seen.setdefault(key_of(mark), one)
    return list(seen.values())


@function("unique", "String $string, &Optional[Callable[String]] $block")
def unique_text(call: Call, text: str) -> str:
    """Return each character once."""
    return "".join(uniq(text, call.block))


@function("unique", "Hash $hash, &Optional[Callable[Any]] $block")
def unique_hash(call: Call, value: dict[object, object]) -> dict[Value, Value]:
    """Return the keys of the same value, with that value: both as arrays."""
    groups: dict[Value, tuple[list[Value], list[Value]]] = {}
    for key, one in value.items():
        mark = one if call.block is None else call.block(one)
        names, found = groups.setdefault(key_of(mark), ([], []))
        names.append(of_key(key))
        found.append(one)
    return {as_key(names): uniq(found, None) for names, found in groups.values()}


@function(
    "unique",
    "Array $array, &Optional[Callable[Any]] $block",
    "Iterable $iterable, &Optional[Callable[Any]] $block",
)
def unique(call: Call, value: object) -> list[object]:
    """Return each value once."""
    return uniq(fresh(value), call.block)
