"""Hashes of stdlib: merging them, looking into them, making text of them."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    class_name,
    equal,
    inspect,
    integer_of,
    no_method,
    noun,
    to_s,
)
from analyzer.model.keys import as_key, of_key
from analyzer.model.values import Value

DEPRECATED = "try_get_value() DEPRECATED: this function is deprecated, please use dig() instead."
DIG_DEPRECATED = (
    "dig() DEPRECATED: This function has been replaced in Puppet 4.5.0, please use dig44() for "
    "backwards compatibility or use the new version."
)


@legacy("deep_merge", moves=True)
def deep_merge(call: Call, *values: object) -> dict[object, Value]:
    """Merge hashes, and hashes in them; the later value wins."""
    if len(values) < 2:
        raise ParseFault(
            f"deep_merge(): wrong number of arguments ({len(values)}; must be at least 2)"
        )
    result: dict[Value, Value] = {}
    for value in values:
        if isinstance(value, dict):
            result = merged(result, value)
        elif value != "":
            raise ParseFault(
                f"deep_merge: unexpected argument type {class_name(value)}, "
                "only expects hash arguments"
            )
    return result


def merged(one: dict[object, object], other: dict[object, object]) -> dict[object, Value]:
    """Return both hashes in one, hashes under the same key merged."""
    result = dict(one)
    for name, value in other.items():
        before = result.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            result[name] = merged(before, value)
        else:
            result[name] = value
    return result


@modern("merge stdlib::merge", "Variant[Hash[Scalar, Any], Undef, String[0,0]] *$args", moves=True)
def merge(call: Call, *values: object) -> dict[object, object]:
    """Merge hashes; the later value wins."""
    result: dict[Value, Value] = {}
    for value in values:
        result.update(value if isinstance(value, dict) else {})
    return result


@modern(
    "merge stdlib::merge",
    "Iterable *$args, &Callable[3,3] $block",
    "Iterable *$args, &Callable[2,2] $block",
    moves=True,
)
def merge_block(call: Call, *values: object) -> dict[Value, Value]:
    """Merge the hashes that a block returns for the merge so far and each element."""
    assert call.block is not None
    pairs = call.block.arity[0] == 3
    result: dict[Value, Value] = {}
    for place in iterated(values[0], pairs=pairs):
        made = call.block(result, *place)
        result.update(made if isinstance(made, dict) else {})
    return result


def iterated(value: Any, *, pairs: bool) -> list[tuple[Any, ...]]:
    """Return the arguments of a block for each element: it, or its key or index too."""
    if isinstance(value, dict):
        entries = [(of_key(k), v) for k, v in value.items()]
        return entries if pairs else [(list(entry),) for entry in entries]
    if isinstance(value, int):
        value = range(value)
    return list(enumerate(value)) if pairs else [(one,) for one in value]


@legacy("delete_values")
def delete_values(call: Call, *values: object) -> dict[Value, Value]:
    """Leave out the entries that have a value."""
    if len(values) != 2:
        raise ParseFault(f"delete_values(): Wrong number of arguments given ({len(values)} of 2)")
    whole, item = values
    if not isinstance(whole, dict):
        raise Fault(
            "delete_values(): First argument must be a Hash. "
            f"Given an argument of class {class_name(whole)}."
        )
    return {k: v for k, v in whole.items() if not equal(item, v)}


@legacy("delete_undef_values", moves=True)
def delete_undef_values(call: Call, *values: object) -> Value:
    """Leave out undef values."""
    if not values:
        raise ParseFault("delete_undef_values(): Wrong number of arguments given (0)")
    whole = values[0]
    if isinstance(whole, dict):
        return {k: v for k, v in whole.items() if v is not None}
    if isinstance(whole, list):
        return [v for v in whole if v is not None]
    raise ParseFault(
        f"delete_undef_values(): expected an array or hash, got {to_s(whole)} "
        f"type  {class_name(whole)} "
    )


@legacy("has_key", moves=True)
def has_key(call: Call, *values: object) -> bool:
    """Return whether a hash has a key."""
    if len(values) != 2:
        raise ParseFault(f"has_key(): wrong number of arguments ({len(values)}; must be 2)")
    whole, name = values
    if not isinstance(whole, dict):
        raise ParseFault(
            f"has_key(): expects the first argument to be a hash, got {inspect(whole)} "
            f"which is of type {class_name(whole)}"
        )
    return has(whole, name)


def has(whole: dict[object, object], name: object) -> bool:
    """Return whether a hash has a key of the same class."""
    wanted = as_key(name)
    return wanted in whole and any(type(one) is type(wanted) and one == wanted for one in whole)


@legacy("join_keys_to_values")
def join_keys_to_values(call: Call, *values: object) -> list[str]:
    """Return each key with its value as text, or with each of its values."""
    if len(values) != 2:
        raise ParseFault(
            f"join_keys_to_values(): Takes exactly two arguments, but {len(values)} given."
        )
    whole, separator = values
    refusal = "join_keys_to_values(): The"
    if not isinstance(whole, dict):
        raise Fault(
            f"{refusal} first argument must be a hash, but a {class_name(whole)} was given."
        )
    if not isinstance(separator, str):
        shown = class_name(separator)
        raise Fault(f"{refusal} second argument must be a string, but a {shown} was given.")
    result = []
    for k, v in whole.items():
        name = to_s(of_key(k))
        if isinstance(v, list):
            result += [name + separator + to_s(one) for one in v]
        else:
            result.append(name if to_s(v) == "undef" else name + separator + to_s(v))
    return result


@legacy("dig44", -2, moves=True)
def dig44(call: Call, *values: object) -> Value:
    """Walk into hashes and arrays along an array of keys; else return the third argument."""
    if len(values) < 2:
        raise ParseFault(f"dig44(): Wrong number of arguments given ({len(values)} for at least 2)")
    data, path = values[:2]
    if not isinstance(data, dict | list):
        raise ParseFault(
            f"dig44(): first argument must be a hash or an array, given {class_name(data)}"
        )
    if not isinstance(path, list):
        raise ParseFault(f"dig44(): second argument must be an array, given {class_name(path)}")
    found = walked(data, path)
    return found if found is not None or len(values) < 3 else values[2]


def walked(data: object, path: list[object]) -> Value:
    """Return the value at the end of a path, None if there is none."""
    for step in path:
        if isinstance(data, list):
            try:
                index = integer_of(step)
            except Fault:
                return None
            data = data[index] if -len(data) <= index < len(data) else None
        elif isinstance(data, dict):
            data = data[as_key(step)] if has(data, step) else None
        else:
            return None
        if data is None:
            return None
    return data


@legacy("try_get_value", -2, moves=True)
def try_get_value(call: Call, *values: object) -> Value:
    """Walk into hashes and arrays along a path in one text, as `a/0/b`."""
    call.log("warning", DEPRECATED)
    data = values[0]
    path, default, separator = (*values[1:4], None, None, None)[:3]
    path = "" if path is None or path is False else path
    if not isinstance(data, dict | list) or path == "":
        return data if default is None or default is False else default
    steps = split(path, "/" if separator is None or separator is False else separator)
    call.log("warning", DIG_DEPRECATED)
    keys = [int(one) if one.isascii() and one.isdigit() else one for one in steps]
    return dig44(call, data, keys, default)


def split(path: object, separator: object) -> list[str]:
    """Split a path as String#split does, which leaves out empty texts at the end."""
    if not isinstance(path, str):
        no_method("split", path)
    if not isinstance(separator, str):
        raise Fault(f"wrong argument type {noun(separator)} (expected Regexp)")
    if separator == " ":
        return path.split()
    parts = path.split(separator) if separator else list(path)
    while parts and not parts[-1]:
        parts.pop()
    return parts


@modern("stdlib::nested_values", "Hash $hash", moves=True)
def nested_values(call: Call, whole: dict[object, object]) -> list[Value]:
    """Return the values of a hash and of the hashes in it."""
    found: list[Value] = []
    for value in whole.values():
        found += nested_values(call, value) if isinstance(value, dict) else [value]
    return found
