"""Functions that take elements out by value, key or pattern: delete, delete_regex, grep, reject."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy
from analyzer.frontends.puppet.functions.stdlib.hashes import has
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    class_name,
    equal,
    no_method,
    noun,
    text_of,
    to_s,
)
from analyzer.frontends.puppet.functions.stdlib.strings.patterns import regexp
from analyzer.model.keys import as_key, of_key
from analyzer.model.values import DEFAULT, Value


def array_of(value: object) -> list[Value]:
    """Return a value as Ruby's Array() converts it."""
    if isinstance(value, dict):
        return [[of_key(k), v] for k, v in value.items()]
    return value if isinstance(value, list) else [value]


def two(name: str, values: tuple[object, ...]) -> tuple[Value, Value]:
    """Return the two arguments that a function takes."""
    if len(values) != 2:
        raise ParseFault(f"{name}(): Wrong number of arguments given {len(values)} for 2")
    return values[0], values[1]


@legacy("delete")
def delete(call: Call, *values: object) -> Value:
    """Leave out values of an array, keys of a hash, or parts of a text."""
    collection, items = two("delete", values)
    for item in array_of(items):
        if isinstance(collection, list):
            collection = [one for one in collection if not equal(one, item)]
        elif isinstance(collection, dict):
            if has(collection, item):
                collection = {k: v for k, v in collection.items() if k != as_key(item)}
        elif not isinstance(collection, str):
            raise Fault(
                "delete(): First argument must be an Array, String, or Hash. "
                f"Given an argument of class {class_name(collection)}."
            )
        elif not isinstance(item, str):
            raise Fault(f"wrong argument type {noun(item)} (expected Regexp)")
        else:
            collection = collection.replace(item, "") if item else collection
    return collection


@legacy("delete_regex")
def delete_regex(call: Call, *values: object) -> Value:
    """Leave out the texts of an array, or keys of a hash, that hold a pattern as a word."""
    collection, items = two("delete_regex", values)
    for item in array_of(items):
        if isinstance(collection, str):
            no_method("reject!", collection)
        if not isinstance(collection, list | dict):
            raise Fault(
                "delete_regex(): First argument must be an Array, Hash, or String. "
                f"Given an argument of class {class_name(collection)}."
            )
        collection = without(collection, regexp(rf"\b{to_s(item)}\b"))
    return collection


def without(collection: list[Value] | dict[Value, Value], pattern: re.Pattern[str]) -> Value:
    """Return an array or hash without the texts or keys that a pattern is found in."""
    if isinstance(collection, dict):
        return {k: v for k, v in collection.items() if not found(pattern, k)}
    return [one for one in collection if not found(pattern, one)]


def found(pattern: re.Pattern[str], value: object) -> bool:
    """Return whether a value is a text with the pattern in it."""
    text = "default" if value is DEFAULT else value
    return isinstance(text, str) and pattern.search(text) is not None


@legacy("grep")
def grep(call: Call, *values: object) -> list[Value]:
    """Keep the texts that a pattern is found in."""
    collection, source = two("grep", values)
    pattern = regexp(text_of(source))
    if isinstance(collection, dict):
        return []
    if not isinstance(collection, list):
        no_method("grep", collection)
    return [one for one in collection if found(pattern, one)]


@legacy("reject")
def reject(call: Call, *values: object) -> Value:
    """Leave out the texts that a pattern is found in."""
    collection, source = two("reject", values)
    pattern = regexp(text_of(source))
    if not isinstance(collection, list | dict):
        no_method("reject", collection)
    return without(collection, pattern)
