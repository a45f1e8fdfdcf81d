"""stdlib's deprecation, length-like and sensitive ones, sort_by, sprintf_hash, time."""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.hashes import iterated
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault, ParseFault, compare
from analyzer.model.values import Sensitive, Unknown, Value

SPRINTF_DEPRECATED = (
    "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead"
)


@modern("deprecation", "String $key, String $message")
def deprecation(call: Call, key: str, message: str) -> None:
    """Warn of something that is not to be used any more."""
    call.warn(message)


@modern("sprintf_hash", "String $format, Hash $arguments")
def sprintf_hash(call: Call, text: str, arguments: dict[object, object]) -> Value:
    """Format text with the values of a hash."""
    call.call("deprecation", "sprintf_hash", SPRINTF_DEPRECATED)
    return call.call("sprintf", text, arguments)


@modern(
    "stdlib::sort_by",
    "Array $ary, &Callable[1,1] $block",
    "String $str, &Callable[1,1] $block",
    "Hash $hsh, &Variant[Callable[1,1], Callable[2,2]] $block",
)
def sort_by(call: Call, value: object) -> Value:
    """Sort elements, entries or characters by the result of a block."""
    assert call.block is not None
    pairs = isinstance(value, dict) and call.block.arity[0] == 2
    given = iterated(value, pairs=pairs)
    marks = [call.block(*one) for one in given]
    in_order = cmp_to_key(compare)
    places = sorted(range(len(given)), key=lambda place: in_order(marks[place]))
    found: list[Any] = [given[place] if pairs else given[place][0] for place in places]
    if isinstance(value, dict):
        return dict(found)
    return "".join(found) if isinstance(value, str) else found


@modern(
    "stdlib::rewrap_sensitive_data",
    "Any $data, &Optional[Callable[Any]] $block",
    moves=True,
)
def rewrap_sensitive_data(call: Call, data: object) -> Value:
    """Unwrap sensitive values; wrap the whole, or the result of a block on it."""
    found: list[Sensitive] = []
    plain = unwrapped(data, found)
    result = plain if call.block is None else call.block(plain)
    return Sensitive(result) if found else result


def unwrapped(value: object, found: list[Sensitive]) -> Value:
    """Return a value without wrappers, noting those that were there."""
    if isinstance(value, Sensitive):
        found.append(value)
        return unwrapped(value.value, found)
    if isinstance(value, list):
        return [unwrapped(one, found) for one in value]
    if isinstance(value, dict):
        return {
            (unwrapped(k, found) if isinstance(k, Sensitive) else k): unwrapped(v, found)
            for k, v in value.items()
        }
    return value


@legacy("time")
def time(call: Call, *values: object) -> Unknown:
    """Return the time, which is another one each run."""
    if len(values) > 1:
        raise ParseFault(f"time(): Wrong number of arguments given {len(values)} for 0 or 1")
    return Unknown("the time of the run")


@legacy("shuffle", moves=True)
def shuffle(call: Call, *values: object) -> Value:
    """Return an array or text in another order, which is another one each run."""
    if not values:
        raise ParseFault("shuffle(): Wrong number of arguments given (0 for 1)")
    if not isinstance(values[0], list | str):
        raise ParseFault("shuffle(): Requires either array or string to work with")
    return values[0] if len(values[0]) <= 1 else Unknown("the random order of shuffle")


@legacy("pry")
def pry(call: Call, *values: object) -> None:
    """Refuse to start Ruby's debugger."""
    raise Fault("pry(): Requires the 'pry' rubygem to use, but it was not found")
