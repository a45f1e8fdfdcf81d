"""Arrays of stdlib: functions that join, pick, compare and remove elements."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy
from analyzer.frontends.puppet.functions.stdlib.booleans import str2bool
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    class_name,
    equal,
    inspect,
    key,
    no_method,
    to_i,
    to_s,
    unique,
)
from analyzer.model.keys import as_key, of_key
from analyzer.model.values import Value, flat

DIGITS = re.compile(r"^\d+$", re.M | re.ASCII)
INDEX_RANGE = re.compile(r"^(\d+)(\.\.\.?|-)(\d+)$", re.M | re.ASCII)


@legacy("any2array", moves=True)
def any2array(call: Call, *values: object) -> list[Value]:
    """Make one array of the arguments; a hash becomes its keys and values in turn."""
    if len(values) != 1:
        return list(values)
    (value,) = values
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [one for k, v in value.items() for one in (of_key(k), v)]
    return [] if value == "" else [value]


@legacy("concat", moves=True)
def concat(call: Call, *values: object) -> list[Value]:
    """Append the other arguments, arrays by their elements, to the first array."""
    if len(values) < 2:
        raise ParseFault(f"concat(): Wrong number of arguments given ({len(values)} for < 2)")
    if not isinstance(values[0], list):
        raise ParseFault("concat(): Requires array to work with")
    result: list[Value] = []
    for value in values:
        result += value if isinstance(value, list) else [value]
    return result


@legacy("count", -2)
def count(call: Call, *values: object) -> int:
    """Count the elements that equal the second argument, or that are not empty."""
    if len(values) > 2:
        raise Fault(f"count(): Wrong number of arguments given {len(values)} for 1 or 2.")
    collection = values[0]
    item = values[1] if len(values) == 2 else None
    if item is None or item is False:
        return sum(one not in (None, "") for one in elements(collection, "count"))
    if isinstance(collection, str):
        return count_characters(collection, item)
    return sum(equal(one, item) for one in elements(collection, "count"))


def count_characters(text: str, item: object) -> int:
    """Count the characters of a set (String#count)."""
    from analyzer.frontends.puppet.functions.stdlib.ruby import text_of
    from analyzer.frontends.puppet.functions.stdlib.strings.characters import character_set

    contains = character_set(text_of(item))
    return sum(map(contains, text))


def elements(collection: object, method: str) -> list[Any]:
    """Return the elements that Ruby's iteration over a collection gives."""
    if isinstance(collection, list):
        return collection
    if isinstance(collection, dict):
        return [[of_key(k), v] for k, v in collection.items()]
    if isinstance(collection, str):
        raise Fault("wrong number of arguments (given 0, expected 1+)")
    no_method(method, collection)


@legacy("delete_at", moves=True)
def delete_at(call: Call, *values: object) -> list[Value]:
    """Leave out the element at an index."""
    if len(values) < 2:
        raise ParseFault(f"delete_at(): Wrong number of arguments given ({len(values)} for 2)")
    array, index = values[:2]
    if not isinstance(array, list):
        raise ParseFault("delete_at(): Requires array to work with")
    if isinstance(index, str) and not DIGITS.search(index):
        raise ParseFault("delete_at(): You must provide non-negative numeric index")
    place = to_i(index)
    if place > len(array) - 1:
        raise ParseFault("delete_at(): Given index exceeds size of array given")
    if place < -len(array):
        return array
    return [one for i, one in enumerate(array) if i != place % len(array)]


def two_arrays(name: str, values: tuple[object, ...]) -> tuple[list[Value], list[Value]]:
    """Return the two arrays that a function takes."""
    if len(values) != 2:
        raise ParseFault(f"{name}(): Wrong number of arguments given ({len(values)} for 2)")
    one, other = values
    if not isinstance(one, list) or not isinstance(other, list):
        got = f", got {class_name(one)} and {class_name(other)}" if name == "intersection" else ""
        raise ParseFault(f"{name}(): Requires 2 arrays{got}")
    return one, other


@legacy("difference")
def difference(call: Call, *values: object) -> list[Value]:
    """Leave out the elements of the second array."""
    one, other = two_arrays("difference", values)
    without = {key(value) for value in other}
    return [value for value in one if key(value) not in without]


@legacy("intersection")
def intersection(call: Call, *values: object) -> list[Value]:
    """Keep the elements of both arrays, each once."""
    one, other = two_arrays("intersection", values)
    common = {key(value) for value in other}
    return unique([value for value in one if key(value) in common])


@legacy("union")
def union(call: Call, *values: Any) -> list[Any]:
    """Join arrays; equal elements are kept once."""
    if len(values) < 2:
        raise ParseFault(f"union(): Wrong number of arguments given ({len(values)} for < 2)")
    if not all(isinstance(value, list) for value in values):
        raise ParseFault("union(): Every parameter must be an array")
    return unique([one for value in values for one in value])


@legacy("member")
def member(call: Call, *values: object) -> bool:
    """Return whether an array holds a value, or all values of another array."""
    if len(values) < 2:
        raise ParseFault(f"member(): Wrong number of arguments given ({len(values)} for 2)")
    array, item = values[:2]
    if not isinstance(array, list):
        raise ParseFault("member(): Requires array to work with")
    if not isinstance(item, str | int | list) or isinstance(item, bool):
        raise ParseFault("member(): Item to search for must be a string, fixnum, or array")
    wanted = item if isinstance(item, list) else [item]
    if not wanted:
        raise ParseFault("member(): You must provide item to search for within array given")
    there = {key(value) for value in array}
    return all(key(value) in there for value in wanted)


@legacy("pick", moves=True)
def pick(call: Call, *values: object) -> Value:
    """Return the first argument that is not undef or empty text."""
    for value in values:
        if value not in (None, ""):
            return value
    raise ParseFault("pick(): must receive at least one non empty value")


@legacy("pick_default", moves=True)
def pick_default(call: Call, *values: object) -> Value:
    """Return the first argument that is not undef or empty text, else the last one."""
    if not values:
        raise Fault("Must receive at least one argument.")
    for value in values[:-1]:
        if value not in (None, ""):
            return value
    return values[-1]


def affixed(name: str, ordinal: str, values: tuple[object, ...]) -> Value:
    """Put text before or behind all elements, or all keys of a hash."""
    if not values:
        raise ParseFault(f"{name}(): Wrong number of arguments given (0 for 1)")
    whole, affix = values[0], values[1] if len(values) > 1 else None
    if not isinstance(whole, list | dict):
        raise ParseFault(
            f"{name}(): expected first argument to be an Array or a Hash, got {inspect(whole)}"
        )
    if affix in (None, False):
        affix = ""
    if not isinstance(affix, str):
        raise ParseFault(f"{name}(): expected second argument to be a String, got {inspect(affix)}")
    before, behind = (affix, "") if ordinal == "before" else ("", affix)
    if isinstance(whole, list):
        return [before + to_s(one) + behind for one in whole]
    return {before + to_s(of_key(k)) + behind: v for k, v in whole.items()}


@legacy("prefix")
def prefix(call: Call, *values: object) -> Value:
    """Put text before all elements, or all keys of a hash."""
    return affixed("prefix", "before", values)


@legacy("suffix")
def suffix(call: Call, *values: object) -> Value:
    """Put text behind all elements, or all keys of a hash."""
    return affixed("suffix", "behind", values)


@legacy("values_at", moves=True)
def values_at(call: Call, *values: object) -> list[Value]:
    """Return the elements at indices and ranges of them (`1-3`, `1..3`, `1...3`)."""
    if len(values) < 2:
        raise ParseFault(f"values_at(): Wrong number of arguments given ({len(values)} for 2)")
    array = values[0]
    if not isinstance(array, list):
        raise ParseFault("values_at(): Requires array to work with")
    wanted = flat([values[1]])
    if not wanted:
        raise ParseFault("values_at(): You must provide at least one positive index to collect")
    found = [array[i] for one in wanted for i in indices(to_s(one), len(array))]
    return [one for one in found if one is not None]


def indices(text: str, size: int) -> range:
    """Return the indices that a text names."""
    match = INDEX_RANGE.search(text)
    if match is None:
        if not DIGITS.search(text):
            raise ParseFault("values_at(): Unknown format of given index")
        index = to_i(text)
        if index > size - 1:
            raise ParseFault("values_at(): Given index exceeds array size")
        return range(index, index + 1)
    start, stop = int(match[1]), int(match[3])
    where = "values_at(): Stop index in given indices range"
    if start > stop:
        raise ParseFault(f"{where} is smaller than the start index")
    if stop > size - 1:
        raise ParseFault(f"{where} exceeds array size")
    return range(start, stop if match[2] == "..." else stop + 1)


@legacy("zip", moves=True)
def zip_arrays(call: Call, *values: object) -> list[Value]:
    """Pair the elements of two arrays; flat if the third argument is true."""
    if len(values) < 2:
        raise ParseFault(f"zip(): Wrong number of arguments given ({len(values)} for 2)")
    one, other = values[:2]
    if not isinstance(one, list) or not isinstance(other, list):
        raise ParseFault("zip(): Requires array to work with")
    third = values[2] if len(values) > 2 else None
    laid_flat = third not in (None, False) and str2bool(call, third)
    padded = other + [None] * (len(one) - len(other))
    pairs: list[Value] = [list(pair) for pair in zip(one, padded, strict=False)]
    return flat(pairs) if laid_flat else pairs


@legacy("hash", moves=True)
def hash_of(call: Call, *values: object) -> dict[Value, Value]:
    """Make a hash of keys and values in turn, or of pairs."""
    if not values:
        raise ParseFault("hash(): Wrong number of arguments given (0 for 1)")
    if not isinstance(values[0], list):
        raise ParseFault("hash(): Requires array to work with")
    found = flat(values[0])
    if len(found) == 1 and isinstance(found[0], dict):
        return dict(found[0])
    if len(found) % 2:
        raise ParseFault("hash(): Unable to compute hash from array given")
    return dict(zip(map(as_key, found[::2]), found[1::2], strict=True))


@legacy("reverse", moves=True)
def reverse(call: Call, *values: object) -> Value:
    """Turn an array or a text round."""
    if not values:
        raise ParseFault("reverse(): Wrong number of arguments given (0 for 1)")
    if not isinstance(values[0], list | str):
        raise ParseFault("reverse(): Requires either array or string to work with")
    return values[0][::-1]
