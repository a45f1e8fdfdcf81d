"""Methods of arrays, and of what can be gone through as one, that call a block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from analyzer.frontends.puppet.ruby_functions import values as v
from analyzer.frontends.puppet.ruby_functions.lists import (
    extreme,
    flatten,
    inject,
    replaced,
    to_h,
    total,
)
from analyzer.frontends.puppet.ruby_functions.machine import Jump, Machine
from analyzer.frontends.puppet.ruby_functions.strings import typed
from analyzer.frontends.puppet.ruby_functions.values import NotStatic, Stepping, is_true, same

Method = Callable[..., Any]


def answers(machine: Machine, values: Iterable[Any], block: Any) -> Iterable[tuple[Any, Any]]:
    """Yield each element with what the block answers."""
    for one in list(values):
        yield one, machine.call_block(block, [one])


def chosen(machine: Machine, values: Iterable[Any], block: Any, wanted: bool = True) -> list[Any]:
    """Return the elements for which the block holds, or does not."""
    return [one for one, said in answers(machine, values, block) if is_true(said) == wanted]


def found_first(machine: Machine, values: Iterable[Any], block: Any) -> Any:
    """Return the first element for which the block holds."""
    return next((one for one, said in answers(machine, values, block) if is_true(said)), None)


def place_of(machine: Machine, values: list[Any], block: Any) -> Any:
    """Return the place of the first element for which the block holds."""
    said = (is_true(machine.call_block(block, [one])) for one in list(values))
    return next((number for number, holds in enumerate(said) if holds), None)


def grouped(machine: Machine, values: list[Any], block: Any) -> dict[Any, Any]:
    """Evaluate `group_by`."""
    found: dict[Any, Any] = {}
    for one, key in answers(machine, values, block):
        found.setdefault(v.key_of(key), []).append(one)
    return found


def by_key(machine: Machine, values: list[Any], block: Any) -> list[Any]:
    """Return the elements in the order of what the block answers.

    Raises:
        NotStatic: two answers are equal, so that Ruby's order is not certain.
    """
    pairs = [(key, one) for one, key in answers(machine, values, block)]
    keys = v.ordered([key for key, _ in pairs])
    if any(same(one, other) for one, other in pairwise(keys)):
        raise NotStatic("an order of equal elements")
    return [next(one for other, one in pairs if same(key, other)) for key in keys]


def extreme_by(machine: Machine, values: list[Any], block: Any, least: bool) -> Any:
    """Evaluate `min_by` and `max_by`: of equal ones the first."""
    pairs = [(key, one) for one, key in answers(machine, values, block)]
    if not pairs:
        return None
    best = extreme([key for key, _ in pairs], least)
    return next(one for key, one in pairs if same(key, best))


def after(value: Any, done: Any) -> Any:
    """Return a value after something else was evaluated."""
    return value


def each(machine: Machine, values: Any, block: Any) -> Any:
    """Call the block with each element."""
    for one in list(values):
        machine.call_block(block, [one])
    return values


def numbered(machine: Machine, values: Any, block: Any, start: int = 0) -> Any:
    """Call the block with each element and its number."""
    for number, one in enumerate(list(values), start):
        machine.call_block(block, [one, number])
    return values


def collected(machine: Machine, values: Any, block: Any, memo: Any) -> Any:
    """Evaluate `each_with_object`."""
    for one in list(values):
        machine.call_block(block, [one, memo])
    return memo


def sorted_by_block(machine: Machine, values: list[Any], block: Any) -> Any:
    """Refuse an order that a block decides."""
    raise NotStatic("a sort with a block")


def flat_map(machine: Machine, values: Any, block: Any) -> list[Any]:
    """Evaluate `flat_map`."""
    said = [answer for _, answer in answers(machine, values, block)]
    return flatten(said, 1)


def total_of(machine: Machine, values: Any, block: Any, start: Any = 0) -> Any:
    """Evaluate `sum` with a block."""
    return total(machine, [said for _, said in answers(machine, values, block)], start)


def unique_by(machine: Machine, values: Any, block: Any) -> list[Any]:
    """Evaluate `uniq` with a block."""
    seen: list[Any] = []
    found = []
    for one, key in answers(machine, values, block):
        if not any(type(key) is type(other) and same(key, other) for other in seen):
            seen.append(key)
            found.append(one)
    return found


def mapped(machine: Machine, values: Any, block: Any) -> list[Any]:
    """Evaluate `map`."""
    return [said for _, said in answers(machine, values, block)]


def parted(machine: Machine, values: Any, block: Any) -> list[Any]:
    """Evaluate `partition`."""
    said = [(one, is_true(answer)) for one, answer in answers(machine, values, block)]
    return [[one for one, holds in said if holds], [one for one, holds in said if not holds]]


def changing(action: Method) -> Method:
    """Return a method that puts its result into the list itself."""

    def method(machine: Machine, values: list[Any], block: Any) -> Any:
        return replaced(machine.change(values), action(machine, values, block))

    return method


def cut(machine: Machine, values: Any, block: Any, number: int) -> Any:
    """Evaluate `each_slice` with a block."""
    for at in range(0, len(values), number):
        machine.call_block(block, [values[at : at + number]])
    return values


ITERATING: dict[str, Method] = {
    "all?": lambda m, values, b: all(is_true(said) for _, said in answers(m, values, b)),
    "any?": lambda m, values, b: any(is_true(said) for _, said in answers(m, values, b)),
    "collect": mapped,
    "count": lambda m, values, b: len(chosen(m, values, b)),
    "detect": found_first,
    "each": each,
    "each_entry": each,
    "each_slice": cut,
    "each_with_index": numbered,
    "each_with_object": collected,
    "filter": chosen,
    "filter_map": lambda m, values, b: [said for said in mapped(m, values, b) if is_true(said)],
    "find": found_first,
    "find_all": chosen,
    "find_index": place_of,
    "flat_map": flat_map,
    "collect_concat": flat_map,
    "group_by": grouped,
    "inject": inject,
    "map": mapped,
    "max_by": lambda m, values, b: extreme_by(m, values, b, False),
    "min_by": lambda m, values, b: extreme_by(m, values, b, True),
    "none?": lambda m, values, b: not any(is_true(said) for _, said in answers(m, values, b)),
    "partition": parted,
    "reduce": inject,
    "reject": lambda m, values, b: chosen(m, values, b, False),
    "select": chosen,
    "sort": sorted_by_block,
    "sort_by": by_key,
    "sum": total_of,
    "to_h": lambda m, values, b: to_h(mapped(m, values, b)),
    "uniq": unique_by,
}
LIST_BLOCK: dict[str, Method] = {
    **ITERATING,
    "collect!": changing(mapped),
    "delete_if": changing(lambda m, values, b: chosen(m, values, b, False)),
    "each_index": lambda m, values, b: after(values, each(m, range(len(values)), b)),
    "index": place_of,
    "keep_if": changing(chosen),
    "map!": changing(mapped),
    "reject!": changing(lambda m, values, b: chosen(m, values, b, False)),
    "reverse_each": lambda m, values, b: after(values, each(m, values[::-1], b)),
    "select!": changing(chosen),
    "sort_by!": changing(by_key),
    "take_while": lambda m, values, b: values[: stop(m, values, b)],
    "drop_while": lambda m, values, b: values[stop(m, values, b) :],
}


def stop(machine: Machine, values: list[Any], block: Any) -> int:
    """Return the place of the first element for which the block does not hold."""
    for number, one in enumerate(values):
        if not is_true(machine.call_block(block, [one])):
            return number
    return len(values)


# Methods that without a block wait for one.
WAITING = frozenset(
    {"each", "each_with_index", "map", "collect", "select", "filter", "reject", "flat_map"}
    | {"each_char", "times", "each_index", "each_pair"}
)


def with_index(machine: Machine, waiting: Stepping, block: Any, start: Any = 0) -> Any:
    """Evaluate `values.map.with_index(start) { }`."""
    number = typed(start, int) - 1

    def counted(one: Any) -> Any:
        nonlocal number
        number += 1
        return machine.call_block(block, [one, number])

    try:
        return machine.send(machine, waiting.values, waiting.method, [], counted)
    except Jump:
        raise NotStatic("a jump out of an iteration with numbers") from None
