"""Methods of Ruby's hashes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.ruby_functions import iterating, lists
from analyzer.frontends.puppet.ruby_functions import values as v
from analyzer.frontends.puppet.ruby_functions.machine import Machine
from analyzer.frontends.puppet.ruby_functions.strings import typed
from analyzer.frontends.puppet.ruby_functions.values import (
    DefaultHash,
    NotStatic,
    RubyError,
    inspected,
    is_true,
    key_of,
    same,
)

Method = Callable[..., Any]
Hash = dict[Any, Any]


def pairs(hash: Hash) -> list[list[Any]]:
    """Return the pairs of a hash as lists."""
    return [[key, value] for key, value in hash.items()]


def get(machine: Machine, hash: Hash, key: Any) -> Any:
    """Evaluate `hash[key]`, with the default that a hash may have."""
    if isinstance(key, (bool, float, list, dict)):
        # Puppet's hashes have such keys seldom, and Python's other rules for them.
        if any(isinstance(one, (bool, float)) for one in hash):
            raise NotStatic("a key of a hash")
        return None
    known = key_of(key)
    if known not in hash and isinstance(hash, DefaultHash):
        return hash.compute(hash, known)
    return hash.get(known)


def store(machine: Machine, hash: Hash, key: Any, value: Any) -> Any:
    """Evaluate `hash[key] = value`."""
    machine.change(hash)[key_of(key)] = value
    return value


def fetch(hash: Hash, key: Any, *otherwise: Any) -> Any:
    """Evaluate `fetch` of a hash."""
    known = key_of(key)
    if known in hash:
        return hash[known]
    if otherwise:
        return otherwise[0]
    raise RubyError("KeyError", f"key not found: {inspected(key)}")


def fetch_or_ask(machine: Machine, hash: Hash, block: Any, key: Any) -> Any:
    """Evaluate `fetch` with a block."""
    known = key_of(key)
    return hash[known] if known in hash else machine.call_block(block, [key])


def merge(hash: Hash, *others: Any) -> Hash:
    """Evaluate `merge`."""
    found = dict(hash)
    for other in others:
        if not isinstance(other, dict):
            raise NotStatic("a merge with no hash")
        found.update(other)
    return found


def merge_asking(machine: Machine, hash: Hash, block: Any, other: Any) -> Hash:
    """Evaluate `merge` with a block for the keys of both."""
    found = dict(hash)
    for key, value in typed(other, dict).items():
        both = key in found
        found[key] = machine.call_block(block, [key, found[key], value]) if both else value
    return found


def replaced(hash: Hash, new: Hash) -> Hash:
    """Give a hash other pairs."""
    new = dict(new)
    hash.clear()
    hash.update(new)
    return hash


def delete(machine: Machine, hash: Hash, key: Any) -> Any:
    """Evaluate `delete`."""
    return machine.change(hash).pop(key_of(key), None)


def chosen(machine: Machine, hash: Hash, block: Any, wanted: bool = True) -> Hash:
    """Return the pairs for which the block holds, or does not."""
    return {
        key: value
        for key, value in list(hash.items())
        if is_true(machine.call_block(block, [key, value])) == wanted
    }


def shrink(wanted: bool) -> Method:
    """Return a method that takes pairs out of the hash itself."""

    def method(machine: Machine, hash: Hash, block: Any) -> Any:
        return replaced(machine.change(hash), chosen(machine, hash, block, wanted))

    return method


def with_values(machine: Machine, hash: Hash, block: Any) -> Hash:
    """Evaluate `transform_values`."""
    return {key: machine.call_block(block, [value]) for key, value in list(hash.items())}


def with_keys(machine: Machine, hash: Hash, block: Any) -> Hash:
    """Evaluate `transform_keys`."""
    return {key_of(machine.call_block(block, [key])): value for key, value in list(hash.items())}


def only(hash: Hash, keys: tuple[Any, ...]) -> Hash:
    """Evaluate `slice`."""
    return {key: hash[key] for key in map(key_of, keys) if key in hash}


HASH_CHANGING: dict[str, Method] = {
    "[]": get,
    "[]=": store,
    "clear": lambda m, hash: replaced(m.change(hash), {}),
    "delete": delete,
    "dig": lists.dig,
    "merge!": lambda m, hash, *others: replaced(m.change(hash), merge(hash, *others)),
    "replace": lambda m, hash, other: replaced(m.change(hash), other),
    "store": store,
    "sum": lambda m, hash, *given: lists.total(m, pairs(hash), *given),
    "update": lambda m, hash, *others: replaced(m.change(hash), merge(hash, *others)),
}
HASH: dict[str, Method] = {
    "any?": bool,
    "compact": lambda hash: {key: value for key, value in hash.items() if value is not None},
    "count": len,
    "empty?": lambda hash: not hash,
    "except": lambda hash, *keys: {k: x for k, x in hash.items() if k not in keys},
    "fetch": fetch,
    "first": lambda hash, *number: lists.first(pairs(hash), *number),
    "has_key?": lambda hash, key: key_of(key) in hash,
    "has_value?": lambda hash, value: any(same(one, value) for one in hash.values()),
    "include?": lambda hash, key: key_of(key) in hash,
    "invert": lambda hash: {key_of(value): key for key, value in hash.items()},
    "key": lambda hash, value: next((k for k, x in hash.items() if same(x, value)), None),
    "key?": lambda hash, key: key_of(key) in hash,
    "keys": list,
    "length": len,
    "max": lambda hash: lists.extreme(pairs(hash), False),
    "member?": lambda hash, key: key_of(key) in hash,
    "merge": merge,
    "min": lambda hash: lists.extreme(pairs(hash), True),
    "none?": lambda hash: not hash,
    "size": len,
    "slice": lambda hash, *keys: only(hash, keys),
    "sort": lambda hash: v.ordered(pairs(hash)),
    "to_a": pairs,
    "to_h": lambda hash: hash,
    "to_hash": lambda hash: hash,
    "value?": lambda hash, value: any(same(one, value) for one in hash.values()),
    "values": lambda hash: list(hash.values()),
    "values_at": lambda hash, *keys: [hash.get(key_of(key)) for key in keys],
}


def over_pairs(action: Method) -> Method:
    """Return a method of arrays as one of the pairs of a hash."""

    def method(machine: Machine, hash: Hash, *arguments: Any) -> Any:
        listed = pairs(hash)
        found = action(machine, listed, *arguments)
        return hash if found is listed else found

    return method


HASH_BLOCK: dict[str, Method] = {
    **{name: over_pairs(action) for name, action in iterating.ITERATING.items()},
    "delete_if": shrink(False),
    "each_key": lambda m, hash, block: iterating.after(hash, iterating.each(m, list(hash), block)),
    "each_pair": over_pairs(iterating.each),
    "each_value": lambda m, hash, block: iterating.after(
        hash, iterating.each(m, list(hash.values()), block)
    ),
    "fetch": fetch_or_ask,
    "filter": chosen,
    "keep_if": shrink(True),
    "merge": merge_asking,
    "merge!": lambda m, hash, block, other: replaced(
        m.change(hash), merge_asking(m, hash, block, other)
    ),
    "reject": lambda m, hash, block: chosen(m, hash, block, False),
    "reject!": shrink(False),
    "select": chosen,
    "select!": shrink(True),
    "transform_keys": with_keys,
    "transform_values": with_values,
    "uniq": over_pairs(iterating.unique_by),
}
