"""each, map, filter, reduce, all, any and index.

With two parameters a block gets the index, or the key, before the element. Only some of them end
at a `break`; in the others it is an error, as in Puppet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, cast

from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.evaluate.errors import BreakJump
from analyzer.frontends.puppet.evaluate.ruby import equal
from analyzer.frontends.puppet.functions.core.iterables import (
    elements,
    ends_at_break,
    fresh,
    has_pairs,
)
from analyzer.frontends.puppet.functions.registry import (
    Call,
    Depth,
    UndecidedCall,
    decide,
    function,
)
from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.model.keys import of_key
from analyzer.model.values import Regexp, Unknown, Value

HASH_2 = "Hash[Any, Any] $hash, &Callable[2, 2] $block"
HASH_1 = "Hash[Any, Any] $hash, &Callable[1, 1] $block"
ITERABLE_2 = "Iterable $enumerable, &Callable[2, 2] $block"
ITERABLE_1 = "Iterable $enumerable, &Callable[1, 1] $block"


def block_of(call: Call) -> Block:
    """Return the block of a call that has one by its signature."""
    assert call.block is not None
    return call.block


def numbered(value: object) -> Iterator[tuple[object, Value]]:
    """Return the arguments of a block of two parameters: keys or indexes, and values."""
    if isinstance(value, dict):
        return ((of_key(key), one) for key, one in value.items())
    pairs = elements(value)
    return ((key, one) for key, one in pairs) if has_pairs(value) else enumerate(pairs)


def arguments(value: object, two: bool) -> Iterator[tuple[Value, ...]]:
    """Return the arguments of a block, call by call."""
    if not two:
        return ((one,) for one in fresh(value, one=True))
    if has_pairs(value):
        return ((key, one) for key, one in fresh(value))
    return enumerate(fresh(value))


def each(call: Call, value: object) -> Value:
    """Call the block with each element."""
    block, rest = block_of(call), iter(elements(value))
    with suppress(BreakJump):
        for one in islice(rest, block.cold):
            block.attempt(one)
        if not block.go_on("each", rest, None)[0]:
            for one in rest:
                block.attempt(one)
    return value


def each_numbered(call: Call, value: object) -> Value:
    """Call the block with each key or index and value."""
    block, rest = block_of(call), numbered(value)
    with suppress(BreakJump):
        for key, one in islice(rest, block.cold):
            block.attempt(key, one)
        if not block.go_on("each", rest, None)[0]:
            for key, one in rest:
                block.attempt(key, one)
    return value


def map_(call: Call, value: object) -> list[Value]:
    """Return the results of the block for each element."""
    block, rest = block_of(call), iter(elements(value))
    result: list[Value] = []
    with suppress(BreakJump):
        for one in islice(rest, block.cold):
            result.append(block.attempt(one))
        if not block.go_on("map", rest, result)[0]:
            for one in rest:
                result.append(block.attempt(one))
    return result


def map_numbered(call: Call, value: object) -> list[Value]:
    """Return the results of the block for each key or index and value."""
    block, rest = block_of(call), numbered(value)
    result: list[Value] = []
    with suppress(BreakJump):
        for key, one in islice(rest, block.cold):
            result.append(block.attempt(key, one))
        if not block.go_on("map", rest, result)[0]:
            for key, one in rest:
                result.append(block.attempt(key, one))
    return result


def filter_hash(call: Call, value: dict[object, object]) -> dict[Value, Value]:
    """Return the entries for which the block is true."""
    block = block_of(call)
    return {key: one for key, one in value.items() if decide(block([of_key(key), one]))}


def filter_hash_numbered(call: Call, value: dict[object, object]) -> dict[Value, Value]:
    """Return the entries for which the block is true of key and value."""
    block = block_of(call)
    return {key: one for key, one in value.items() if decide(block(of_key(key), one))}


def filter_elements(call: Call, value: object) -> list[Value]:
    """Return the elements for which the block is true."""
    block, rest = block_of(call), iter(elements(value))
    result: Any = []
    with suppress(BreakJump):
        for one in islice(rest, block.cold):
            if decide(block(one)):
                result.append(one)
        done, result = block.go_on("filter", rest, result)
        if type(result) is Unknown:
            raise UndecidedCall(result)
        for one in () if done else rest:
            if decide(block(one)):
                result.append(one)
    return cast("list[Value]", result)


def filter_numbered(call: Call, value: object) -> Value:
    """Return the elements for which the block is true of index and element."""
    block = block_of(call)
    result: list[tuple[Value, Value]] = []
    with suppress(BreakJump):
        for key, one in numbered(value):
            if decide(block(key, one)):
                result.append((key, one))
    return dict(result) if has_pairs(value) else [one for _, one in result]


@function("reduce", "Iterable $enumerable, &Callable[2, 2] $block", depth=Depth.ARGUMENTS)
def reduce(call: Call, value: object) -> Value:
    """Combine the elements, beginning with the first; undef if there is none."""
    found = iter(fresh(value))
    return combine(call, found, next(found, None))


@function(
    "reduce", "Iterable $enumerable, Any $memo, &Callable[2, 2] $block", depth=Depth.ARGUMENTS
)
def reduce_from(call: Call, value: object, memo: object) -> Value:
    """Combine a start value and the elements."""
    return combine(call, iter(fresh(value)), memo)


def combine(call: Call, rest: Iterator[object], memo: object) -> Value:
    """Combine a value with elements; a break ends it with what there is."""
    block = block_of(call)
    with suppress(BreakJump):
        for one in islice(rest, block.cold):
            memo = block.attempt(memo, one)
        done, memo = block.go_on("reduce", rest, memo)
        for one in () if done else rest:
            memo = block.attempt(memo, one)
    return memo


def some(call: Call, value: object, two: bool, wanted: bool) -> bool:
    """Return whether the block is true, or false, of some element."""
    block = block_of(call)
    open_question: UndecidedCall | None = None
    with ends_at_break(value):
        for each_call in arguments(value, two):
            try:
                if decide(block(*each_call)) is wanted:
                    return True
            except UndecidedCall as found:
                open_question = open_question or found
    if open_question is not None:
        raise open_question
    return False


def all_(call: Call, value: object) -> bool:
    """Return whether the block is true of each element."""
    return not some(call, value, False, False)


def all_numbered(call: Call, value: object) -> bool:
    """Return whether the block is true of each key or index and value."""
    return not some(call, value, True, False)


def any_(call: Call, value: object) -> bool:
    """Return whether the block is true of some element."""
    return some(call, value, False, True)


def any_numbered(call: Call, value: object) -> bool:
    """Return whether the block is true of some key or index and value."""
    return some(call, value, True, True)


def index(call: Call, value: object) -> Value:
    """Return the key or index of the first value for which the block is true."""
    block = block_of(call)
    return key_where(value, lambda key, one: block(one))


def index_numbered(call: Call, value: object) -> Value:
    """Return the first key or index for which the block is true of it and its value."""
    return key_where(value, block_of(call))


def key_where(value: object, test: Callable[[object, object], object]) -> Value:
    """Return the first key or index for which something is true of it and its value."""
    with ends_at_break(value):
        for key, one in arguments(value, True):
            if decide(test(key, one)):
                return key
    return None


# In the order in which Puppet tries and lists them.
for name, *rows in (
    ("each", each_numbered, each, each_numbered, each),
    ("map", map_numbered, map_, map_numbered, map_),
    ("filter", filter_hash_numbered, filter_hash, filter_numbered, filter_elements),
    ("all", all_numbered, all_, all_numbered, all_),
    ("any", any_numbered, any_, any_numbered, any_),
    ("index", index_numbered, index, index_numbered, index),
):
    for signature, row in zip((HASH_2, HASH_1, ITERABLE_2, ITERABLE_1), rows, strict=True):
        function(name, signature, depth=Depth.ARGUMENTS)(row)


@function("index", "String $str, Variant[String, Regexp] $match")
def index_in_text(call: Call, text: str, wanted: str | Regexp) -> int | None:
    """Return where a text or a match begins in a string."""
    if isinstance(wanted, Regexp):
        match = compiled(wanted.source).search(text)
        return match.start() if match else None
    place = text.find(wanted)
    return None if place < 0 else place


@function("index", "Iterable $enumerable, Any $match")
def index_of(call: Call, value: object, wanted: object) -> Value:
    """Return the key or index of a value."""
    return key_where(value, lambda key, one: equal(one, wanted))
