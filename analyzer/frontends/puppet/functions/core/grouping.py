"""group_by, partition and sort."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import (
    Incomparable,
    class_name,
    compare,
    inspect,
    operand,
    to_s,
)
from analyzer.frontends.puppet.functions.core.iteration import block_of
from analyzer.frontends.puppet.functions.registry import (
    Call,
    Depth,
    UndecidedCall,
    decide,
    function,
)
from analyzer.model.keys import CONFUSED, as_key, confused, of_key
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value

Order = Callable[[Any, Any], int]


def entries(value: Any) -> list[Value]:
    """Return the elements of an array, or the entries of a hash."""
    return value if isinstance(value, list) else [[of_key(key), one] for key, one in value.items()]


def calls(value: Any) -> list[tuple[Value, Value]]:
    """Return the arguments of a block of two parameters."""
    return (
        list(enumerate(value))
        if isinstance(value, list)
        else [(of_key(key), one) for key, one in value.items()]
    )


def grouped(keys: list[object], members: list[object]) -> dict[Value, Any]:
    """Return members by keys.

    Raises:
        Undecided: a key is Unknown.
    """
    unknown = find_unknown(keys)
    if unknown is not None:
        raise UndecidedCall(unknown)
    two = confused(map(as_key, keys))
    if two is not None:
        raise UndecidedCall(Unknown(CONFUSED.format(*map(to_s, two))))
    result: dict[Value, list[Value]] = {}
    for key, member in zip(keys, members, strict=True):
        result.setdefault(as_key(key), []).append(member)
    return result


@function("group_by", "Collection $collection, &Callable[1, 1] $block", depth=Depth.ARGUMENTS)
def group_by(call: Call, value: object) -> dict[Value, Value]:
    """Return the elements by what the block returns for them."""
    block = block_of(call)
    members = entries(value)
    return grouped([block(member) for member in members], members)


@function(
    "group_by",
    "Array $array, &Callable[2, 2] $block",
    "Collection $collection, &Callable[2, 2] $block",
    depth=Depth.ARGUMENTS,
)
def group_by_numbered(call: Call, value: object) -> dict[Value, Value]:
    """Return the elements by what the block returns for key or index and value."""
    block = block_of(call)
    return grouped([block(key, one) for key, one in calls(value)], entries(value))


@function("partition", "Collection $collection, &Callable[1, 1] $block", depth=Depth.ARGUMENTS)
def partition(call: Call, value: object) -> list[Value]:
    """Return the elements for which the block is true, and the others."""
    block = block_of(call)
    members = entries(value)
    return parted([decide(block(member)) for member in members], members)


@function(
    "partition",
    "Array $array, &Callable[2, 2] $block",
    "Collection $collection, &Callable[2, 2] $block",
    depth=Depth.ARGUMENTS,
)
def partition_numbered(call: Call, value: object) -> list[Value]:
    """Return the elements for which the block is true of key or index and value, and the others."""
    block = block_of(call)
    return parted([decide(block(key, one)) for key, one in calls(value)], entries(value))


def parted(verdicts: list[bool], members: list[object]) -> list[Value]:
    """Return the members in two arrays."""
    pairs = list(zip(verdicts, members, strict=True))
    return [[one for verdict, one in pairs if verdict is side] for side in (True, False)]


@function("sort", "String $string_value, &Optional[Callable[2, 2]] $block")
def sort_text(call: Call, text: str) -> str:
    """Return the characters in order."""
    return "".join(sort(call, list(text)))


@function("sort", "Array $array_value, &Optional[Callable[2, 2]] $block")
def sort(call: Call, value: list[object]) -> list[Value]:
    """Return the elements in order; the block says which of two comes first."""
    try:
        return merge_sort(value, compare if call.block is None else by(call.block))
    except Incomparable as error:
        call.fail(str(error))


def by(block: Callable[..., object]) -> Order:
    """Return the order that a block says."""

    def order(left: object, right: object) -> int:
        return sign(block(left, right), left, right)

    return order


def sign(found: object, left: object, right: object) -> int:
    """Return a block's answer as -1, 0 or 1.

    Raises:
        Incomparable: it is no number.
        Undecided: it is Unknown.
    """
    unknown = find_unknown((found,))
    if unknown is not None:
        raise UndecidedCall(unknown)
    if found is None:
        raise Incomparable(f"comparison of {class_name(left)} with {operand(right)} failed")
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise Incomparable(refusal(found))
    return (found > 0) - (found < 0)


def refusal(found: object) -> str:
    """Return Ruby's error of an answer that is no number, which it asks for `> 0`."""
    if isinstance(found, str):
        return "comparison of String with 0 failed"
    return f"undefined method `>' for {inspect(found)}:{class_name(found)}"


def merge_sort(value: list[object], order: Order) -> list[Value]:
    """Sort as the C library under Ruby does, whose calls of a block can be seen."""
    if len(value) < 2:
        return list(value)
    middle = len(value) // 2
    left, right = merge_sort(value[:middle], order), merge_sort(value[middle:], order)
    result: list[Value] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if order(left[i], right[j]) <= 0:
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    return result + left[i:] + right[j:]
