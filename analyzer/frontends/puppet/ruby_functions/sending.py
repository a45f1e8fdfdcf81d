"""Sends a method to a value: looks it up in the table of the value's kind."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from analyzer.frontends.puppet.ruby_functions import iterating, lists, strings
from analyzer.frontends.puppet.ruby_functions import values as v
from analyzer.frontends.puppet.ruby_functions.evaluation import LONGEST
from analyzer.frontends.puppet.ruby_functions.hashes import HASH, HASH_BLOCK, HASH_CHANGING
from analyzer.frontends.puppet.ruby_functions.lists import LIST, LIST_CHANGING
from analyzer.frontends.puppet.ruby_functions.machine import Machine
from analyzer.frontends.puppet.ruby_functions.strings import compared, typed
from analyzer.frontends.puppet.ruby_functions.values import (
    Constant,
    DefaultHash,
    Matched,
    NotStatic,
    Pattern,
    Proc,
    Range,
    RubyError,
    Stepping,
    Symbol,
    classes_of,
    is_true,
    same,
    written,
)
from analyzer.model.values import Sensitive

Method = Callable[..., Any]
# The bits that a number may have.
BITS = 4096


def number(value: Any) -> Any:
    """Return a number.

    Raises:
        NotStatic: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NotStatic("an operand that is no number")
    return value


def divided(left: Any, right: Any) -> Any:
    """Evaluate `/`: of integers, the integer below."""
    if number(right) == 0:
        raise NotStatic("a division by zero")
    both = isinstance(left, int) and isinstance(right, int)
    return left // right if both else left / right


def power(left: Any, right: Any) -> Any:
    """Evaluate `**`."""
    if not (type(left) is int and type(right) is int and 0 <= right < 4096):
        raise NotStatic("a power")
    return left**right


def rest(left: Any, right: Any) -> Any:
    """Evaluate `%`."""
    if number(right) == 0:
        raise NotStatic("a division by zero")
    return left % right


def rounded(value: Any, digits: int = 0) -> Any:
    """Evaluate `round`: halves away from zero."""
    if isinstance(value, int):
        return value
    if digits:
        raise NotStatic("digits of a float")
    return math.floor(value + 0.5) if value >= 0 else math.ceil(value - 0.5)


def based(value: int, base: int = 10) -> str:
    """Evaluate `to_s(base)`."""
    forms = {2: "b", 8: "o", 10: "d", 16: "x"}
    if base not in forms:
        raise NotStatic("a base of a number")
    return format(value, forms[base])


NUMBER: dict[str, Method] = {
    "%": rest,
    "&": lambda left, right: left & typed(right, int),
    "*": lambda left, right: left * number(right),
    "**": power,
    "+": lambda left, right: left + number(right),
    "-": lambda left, right: left - number(right),
    "-@": lambda value: -value,
    "/": divided,
    "<": lambda left, right: compared(left, number(right)) == -1,
    "<<": lambda left, right: left << right if 0 <= typed(right, int) < 4096 else typed(right, str),
    "<=": lambda left, right: compared(left, number(right)) != 1,
    "<=>": lambda left, right: compared(left, number(right)),
    ">": lambda left, right: compared(left, number(right)) == 1,
    ">=": lambda left, right: compared(left, number(right)) != -1,
    ">>": lambda left, right: left >> typed(right, int),
    "abs": abs,
    "between?": lambda value, low, high: number(low) <= value <= number(high),
    "ceil": math.ceil,
    "even?": lambda value: value % 2 == 0,
    "floor": math.floor,
    "integer?": lambda value: isinstance(value, int),
    "max": max,
    "negative?": lambda value: value < 0,
    "odd?": lambda value: value % 2 == 1,
    "positive?": lambda value: value > 0,
    "pred": lambda value: value - 1,
    "round": rounded,
    "succ": lambda value: value + 1,
    "to_f": float,
    "to_i": int,
    "to_int": int,
    "to_s": lambda value, *base: based(value, *base) if base else written(value),
    "truncate": int,
    "zero?": lambda value: value == 0,
    "|": lambda left, right: left | typed(right, int),
}
NIL: dict[str, Method] = {
    "to_a": lambda value: [],
    "to_h": lambda value: {},
    "to_i": lambda value: 0,
    "&": lambda value, other: False,
    "|": lambda value, other: is_true(other),
}
TRUTH: dict[str, Method] = {
    "&": lambda value, other: value and is_true(other),
    "|": lambda value, other: value or is_true(other),
    "^": lambda value, other: value != is_true(other),
}


def spread(values: Range) -> list[int]:
    """Return the integers of a range."""
    if values.high is None or values.high - values.low > LONGEST:
        raise NotStatic("a long range")
    return list(range(values.low, values.high + (not values.excluding)))


def within(values: Range, one: Any) -> bool:
    """Return whether a number is in a range."""
    if isinstance(one, bool) or not isinstance(one, (int, float)):
        return False
    top = values.high is None or one < values.high or (one == values.high and not values.excluding)
    return values.low <= one and top


RANGE: dict[str, Method] = {
    "===": within,
    "cover?": within,
    "first": lambda values, *count: lists.first(spread(values), *count) if count else values.low,
    "include?": within,
    "last": lambda values: values.high,
    "max": lambda values: lists.extreme(spread(values), False),
    "member?": within,
    "min": lambda values: lists.extreme(spread(values), True),
    "size": lambda values: len(spread(values)),
    "to_a": spread,
}
SECRET: dict[str, Method] = {"unwrap": lambda secret: secret.value}
WAITING: dict[str, Method] = {"to_a": lambda waiting: list(waiting.values)}
PROC: dict[str, Method] = {
    "===": lambda m, proc, *arguments: m.call_block(proc, list(arguments)),
    "call": lambda m, proc, *arguments: m.call_block(proc, list(arguments)),
    "()": lambda m, proc, *arguments: m.call_block(proc, list(arguments)),
}

# For each kind of value: methods without the machine, with it, and with a block.
Tables = tuple[Mapping[str, Method], Mapping[str, Method], Mapping[str, Method]]
TABLES: dict[type, Tables] = {
    bool: (TRUTH, {}, {}),
    dict: (HASH, HASH_CHANGING, HASH_BLOCK),
    DefaultHash: (HASH, HASH_CHANGING, HASH_BLOCK),
    float: (NUMBER, {}, {}),
    int: (
        NUMBER,
        {},
        {"times": lambda m, n, block: iterating.after(n, iterating.each(m, range(n), block))},
    ),
    list: (LIST, LIST_CHANGING, iterating.LIST_BLOCK),
    Matched: (strings.MATCHED, {}, {}),
    type(None): (NIL, {}, {}),
    Pattern: ({}, strings.REGEXP, {}),
    Proc: ({}, PROC, {}),
    Range: (RANGE, {}, iterating.ITERATING),
    RubyError: (strings.ERROR, {}, {}),
    Sensitive: (SECRET, {}, {}),
    Stepping: (WAITING, {}, {}),
    str: (strings.STRING_PURE, strings.STRING, strings.STRING_BLOCK),
    Symbol: (strings.SYMBOL, {}, {}),
}


def is_a(machine: Machine, value: Any, kind: Any) -> bool:
    """Return whether a value is of a class.

    Raises:
        NotStatic: the class is not known here.
    """
    name = kind.name if isinstance(kind, Constant) else ""
    if name not in v.KNOWN_CLASSES:
        raise NotStatic(f"the class {name}")
    return name in classes_of(value)


def responds(machine: Machine, value: Any, name: Any) -> bool:
    """Return whether a value has a method.

    Raises:
        NotStatic: that is not certain.
    """
    method = written(name)
    if method in OBJECT or any(method in table for table in TABLES.get(type(value), ())):
        return True
    kinds = {"unwrap": Sensitive, "each_pair": dict, "keys": dict, "gsub": str, "split": str}
    kinds |= {"downcase": str, "to_sym": str, "to_ary": list, "to_hash": dict, "has_key?": dict}
    if method not in kinds or not isinstance(value, (str, list, dict, int, float, type(None))):
        raise NotStatic(f"whether something has {method}")
    return isinstance(value, kinds[method])


def copied(value: Any) -> Any:
    """Evaluate `dup`."""
    return value.copy() if type(value) in (list, dict) else value


def tapped(machine: Machine, value: Any, block: Any) -> Any:
    """Evaluate `tap`."""
    machine.call_block(block, [value])
    return value


OBJECT: dict[str, Method] = {
    "!": lambda m, value: not is_true(value),
    "==": lambda m, value, other: same(value, other),
    "===": lambda m, value, other: same(value, other),
    "class": lambda m, value: Constant(classes_of(value)[0]),
    "clone": lambda m, value: copied(value),
    "dup": lambda m, value: copied(value),
    "eql?": lambda m, value, other: type(value) is type(other) and same(value, other),
    "equal?": lambda m, value, other: value is other if value is None else typed(value, Proc),
    "freeze": lambda m, value: value,
    "frozen?": lambda m, value: typed(value, Proc),
    "inspect": lambda m, value: v.inspected(value),
    "instance_of?": lambda m, value, kind: written(kind) == classes_of(value)[0],
    "is_a?": is_a,
    "itself": lambda m, value: value,
    "kind_of?": is_a,
    "nil?": lambda m, value: value is None,
    "respond_to?": responds,
    "send": lambda m, value, name, *given: send(m, value, written(name), list(given), None),
    "public_send": lambda m, value, name, *given: send(m, value, written(name), list(given), None),
    "to_s": lambda m, value: written(value),
}


def send(machine: Machine, value: Any, name: str, arguments: list[Any], block: Any) -> Any:
    """Return the result of a method.

    Raises:
        NotStatic: it is not known here.
        RubyError: the method raises an exception.
    """
    if isinstance(value, Constant):
        return machine.world.of_constant(machine, value.name, name, arguments, block)
    if type(value) not in TABLES:
        return machine.world.of_object(machine, value, name, arguments, block)
    if isinstance(value, Range) and name not in RANGE:
        value = spread(value)
    try:
        if block is not None and name not in ("inject", "reduce"):
            return bounded(with_block(machine, value, name, arguments, block))
        return bounded(without_block(machine, value, name, arguments, block))
    except (TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise NotStatic(f"{name}: {error}") from None


def bounded(value: Any) -> Any:
    """Return a value that is not too large.

    Raises:
        NotStatic: it is.
    """
    if isinstance(value, int):
        if value.bit_length() > BITS:
            raise NotStatic("a large number")
    elif isinstance(value, (str, list, dict)) and len(value) > LONGEST:
        raise NotStatic("too much data")
    return value


def with_block(machine: Machine, value: Any, name: str, arguments: list[Any], block: Any) -> Any:
    """Return the result of a method that is given a block."""
    blocks = TABLES[type(value)][2]
    if isinstance(value, Stepping) and name in ("with_index", "each_with_index"):
        return iterating.with_index(machine, value, block, *arguments)
    if isinstance(value, Stepping) and value.method == "each":
        return with_block(machine, list(value.values), name, arguments, block)
    if name == "tap":
        return tapped(machine, value, block)
    if name in ("then", "yield_self"):
        return machine.call_block(block, [value])
    if name not in blocks:
        raise NotStatic(f"{name} with a block")
    return blocks[name](machine, value, block, *arguments)


# Methods that take a block, or something in its place.
EITHER = frozenset({"gsub", "sub", "scan", "inject", "reduce"})


def without_block(machine: Machine, value: Any, name: str, arguments: list[Any], block: Any) -> Any:
    """Return the result of a method of a value."""
    if isinstance(value, Stepping) and value.method == "each":
        if name in ("with_index", "each_with_index"):
            start = arguments[0] if arguments else 0
            return Stepping([[one, at] for at, one in enumerate(value.values, start)], "each")
        return without_block(machine, list(value.values), name, arguments, block)
    pure, asking, blocks = TABLES[type(value)]
    if name in iterating.WAITING and not arguments and not isinstance(value, Stepping):
        return waiting(value, name)
    if name in blocks and name in EITHER:
        return blocks[name](machine, value, block, *arguments)
    if name in pure:
        return pure[name](value, *arguments)
    if name in asking:
        return asking[name](machine, value, *arguments)
    if name in OBJECT:
        return OBJECT[name](machine, value, *arguments)
    raise NotStatic(f"the method {name} of a {type(value).__name__}")


def waiting(value: Any, name: str) -> Stepping:
    """Return an iteration that waits for its block."""
    if name == "each_with_index":
        return Stepping([[one, at] for at, one in enumerate(value)], "each")
    if name == "times":
        return Stepping(list(range(value)), "each")
    if isinstance(value, dict):
        value = [[key, one] for key, one in value.items()]
    return Stepping(list(value), "each" if name in ("each_char", "each_pair") else name)
