"""Methods of Ruby's arrays, and of what can be gone through as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from analyzer.frontends.puppet.ruby_functions import values as v
from analyzer.frontends.puppet.ruby_functions.evaluation import LONGEST
from analyzer.frontends.puppet.ruby_functions.machine import Machine
from analyzer.frontends.puppet.ruby_functions.strings import bounds, compared, part, typed
from analyzer.frontends.puppet.ruby_functions.values import (
    NotStatic,
    Range,
    RubyError,
    is_true,
    same,
    written,
)

Method = Callable[..., Any]


def chained(more: Iterable[Any]) -> list[Any]:
    """Return the elements of several lists."""
    return list(chain.from_iterable(typed(one, list) for one in more))


def has(values: list[Any], wanted: Any) -> bool:
    """Return whether a list has an equal element."""
    return any(same(one, wanted) for one in values)


def unique(values: Iterable[Any]) -> list[Any]:
    """Return the elements without repetitions; 1 and 1.0 are two."""
    found: list[Any] = []
    for one in values:
        if not any(type(one) is type(other) and same(one, other) for other in found):
            found.append(one)
    return found


def index(values: list[Any], first: Any, length: Any = None) -> Any:
    """Evaluate `list[...]`."""
    if isinstance(first, Range):
        return part(values, *bounds(first, len(values)))
    number = typed(first, int)
    if length is not None:
        return part(values, number + (len(values) if number < 0 else 0), typed(length, int))
    return values[number] if -len(values) <= number < len(values) else None


def store(machine: Machine, values: list[Any], place: Any, value: Any) -> Any:
    """Evaluate `list[place] = value`."""
    machine.change(values)
    number = typed(place, int)
    if number < -len(values) or number > len(values) + LONGEST:
        raise NotStatic("a place in a list")
    if number >= len(values):
        values.extend([None] * (number - len(values) + 1))
    values[number] = value
    return value


def flatten(values: list[Any], depth: Any = None) -> list[Any]:
    """Evaluate `flatten`."""
    found: list[Any] = []
    for one in values:
        if isinstance(one, list) and (depth is None or depth > 0):
            found += flatten(one, None if depth is None else depth - 1)
        else:
            found.append(one)
    return found


def first(values: list[Any], number: Any = None) -> Any:
    """Evaluate `first`."""
    if number is None:
        return values[0] if values else None
    return values[: typed(number, int)]


def last(values: list[Any], number: Any = None) -> Any:
    """Evaluate `last`."""
    if number is None:
        return values[-1] if values else None
    return values[-number:] if typed(number, int) else []


def times(values: list[Any], other: Any) -> Any:
    """Evaluate `list * number`, and `list * text`, which joins."""
    if isinstance(other, str):
        return join(values, other)
    if len(values) * typed(other, int) > LONGEST:
        raise NotStatic("too much data")
    return values * other


def join(values: list[Any], between: Any = None) -> str:
    """Evaluate `join`."""
    parts = [join(one, between) if isinstance(one, list) else written(one) for one in values]
    if sum(map(len, parts)) > LONGEST:
        raise NotStatic("too long a text")
    return ("" if between is None else typed(between, str)).join(parts)


def fetch(values: list[Any], place: Any, *otherwise: Any) -> Any:
    """Evaluate `fetch` of a list."""
    if -len(values) <= typed(place, int) < len(values):
        return values[place]
    if otherwise:
        return otherwise[0]
    raise RubyError(
        "IndexError",
        f"index {place} outside of array bounds: {-len(values)}...{len(values)}",
    )


def dig(machine: Machine, value: Any, *places: Any) -> Any:
    """Evaluate `dig`."""
    for place in places:
        if value is None:
            return None
        value = machine.send(machine, value, "[]", [place], None)
    return value


def to_h(values: list[Any]) -> dict[Any, Any]:
    """Evaluate `to_h` of pairs, and `Hash[pairs]`."""
    if any(not isinstance(one, list) or len(one) != 2 for one in values):
        raise NotStatic("a hash of no pairs")
    return {v.key_of(key): value for key, value in values}


def total(machine: Machine, values: list[Any], start: Any = 0) -> Any:
    """Evaluate `sum`."""
    for one in values:
        if isinstance(one, float):
            raise NotStatic("a sum of floats")
        start = machine.send(machine, start, "+", [one], None)
    return start


def inject(machine: Machine, values: list[Any], block: Any, *given: Any) -> Any:
    """Evaluate `inject` and `reduce`."""
    rest = list(given)
    if block is None:
        block = rest.pop()
    remaining = list(values)
    value = rest[0] if rest else remaining.pop(0) if remaining else None
    for one in remaining:
        value = machine.call_block(block, [value, one])
    return value


def extreme(values: list[Any], least: bool) -> Any:
    """Evaluate `min` and `max`."""
    if not values:
        return None
    found = v.ordered(values)
    return found[0 if least else -1]


def change(action: Callable[..., Any]) -> Method:
    """Return a method that changes the list itself."""

    def method(machine: Machine, values: list[Any], *arguments: Any) -> Any:
        return action(machine.change(values), *arguments)

    return method


def replaced(values: list[Any], new: list[Any]) -> list[Any]:
    """Give a list other elements."""
    values[:] = new
    return values


def insert(values: list[Any], place: Any, *new: Any) -> list[Any]:
    """Evaluate `insert`."""
    if not 0 <= typed(place, int) <= len(values):
        raise NotStatic("a place in a list")
    values[place:place] = new
    return values


def delete(values: list[Any], wanted: Any) -> Any:
    """Evaluate `delete`."""
    found = [one for one in values if same(one, wanted)]
    values[:] = [one for one in values if not same(one, wanted)]
    return found[-1] if found else None


def changed(values: list[Any], new: list[Any]) -> Any:
    """Give a list other elements; the value is nil if there is no change."""
    return None if len(new) == len(values) else replaced(values, new)


LIST_CHANGING: dict[str, Method] = {
    "<<": change(lambda values, one: values.append(one) or values),
    "append": change(lambda values, *more: replaced(values, [*values, *more])),
    "clear": change(lambda values: replaced(values, [])),
    "compact!": change(lambda values: changed(values, [x for x in values if x is not None])),
    "concat": change(lambda values, *more: replaced(values, [*values, *chained(more)])),
    "delete": change(delete),
    "delete_at": change(lambda values, at: values.pop(at) if at < len(values) else None),
    "flatten!": change(lambda values: replaced(values, flatten(values))),
    "insert": change(insert),
    "pop": change(lambda values: values.pop() if values else None),
    "push": change(lambda values, *more: replaced(values, [*values, *more])),
    "shift": change(lambda values: values.pop(0) if values else None),
    "sort!": change(lambda values: replaced(values, v.ordered(values))),
    "uniq!": change(lambda values: changed(values, unique(values))),
    "unshift": change(lambda values, *more: replaced(values, [*more, *values])),
    "prepend": change(lambda values, *more: replaced(values, [*more, *values])),
    "[]=": store,
    "dig": dig,
    "sum": total,
    "inject": lambda m, values, *given: inject(m, values, None, *given),
    "reduce": lambda m, values, *given: inject(m, values, None, *given),
}
LIST: dict[str, Method] = {
    "&": lambda values, other: unique(one for one in values if has(other, one)),
    "*": times,
    "+": lambda values, other: values + typed(other, list),
    "-": lambda values, other: [one for one in values if not has(typed(other, list), one)],
    "<=>": lambda values, other: compared(len(values), "") if values else -1,
    "[]": index,
    "any?": lambda values: any(map(is_true, values)),
    "all?": lambda values: all(map(is_true, values)),
    "none?": lambda values: not any(map(is_true, values)),
    "assoc": lambda values, key: next((x for x in values if same(x[0], key)), None),
    "at": index,
    "compact": lambda values: [one for one in values if one is not None],
    "count": lambda values, *one: sum(same(x, one[0]) for x in values) if one else len(values),
    "drop": lambda values, number: values[typed(number, int) :],
    "each_slice": lambda values, n: [values[at : at + n] for at in range(0, len(values), n)],
    "each_cons": lambda values, n: [values[at : at + n] for at in range(len(values) - n + 1)],
    "empty?": lambda values: not values,
    "entries": list,
    "fetch": fetch,
    "find_index": lambda values, one: next((n for n, x in enumerate(values) if same(x, one)), None),
    "first": first,
    "flatten": flatten,
    "include?": has,
    "index": lambda values, one: next((n for n, x in enumerate(values) if same(x, one)), None),
    "intersect?": lambda values, other: any(has(other, one) for one in values),
    "join": join,
    "last": last,
    "length": len,
    "max": lambda values: extreme(values, False),
    "member?": has,
    "min": lambda values: extreme(values, True),
    "reverse": lambda values: values[::-1],
    "rotate": lambda values, n=1: (
        values[n % len(values) :] + values[: n % len(values)] if values else []
    ),
    "size": len,
    "slice": index,
    "sort": v.ordered,
    "take": lambda values, number: values[: typed(number, int)],
    "tally": lambda values: {v.key_of(one): sum(same(one, x) for x in values) for one in values},
    "to_a": lambda values: values,
    "to_ary": lambda values: values,
    "to_h": to_h,
    "transpose": lambda values: [list(row) for row in zip(*values, strict=True)],
    "union": lambda values, *more: unique([*values, *chained(more)]),
    "uniq": unique,
    "values_at": lambda values, *places: [index(values, place) for place in places],
    "zip": lambda values, *more: [
        [one, *(index(other, n) for other in more)] for n, one in enumerate(values)
    ],
    "|": lambda values, other: unique([*values, *typed(other, list)]),
}
