"""The tests that code makes of an input, as parts of conditions: an operator and a value."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from operator import ge, gt, le, lt
from typing import Any

from analyzer.frontends.puppet.functions.core.versions import PART, order
from analyzer.frontends.puppet.regex.translate import UnsupportedRegexp, compiled

# A value of an input, and a test of one: an operator of `OPERATORS` and its operand.
Value = Any
Test = tuple[str, Value]

OPPOSITE = {
    "is": "is not", "is one of": "is none of", "matches": "does not match",
    "matches one of": "matches none of",
    ">": "<=", ">=": "<", "is empty": "is not empty", "is set": "is not set", "is a": "is not a",
}  # fmt: skip
OPPOSITE.update({other: one for one, other in OPPOSITE.items()})

# Tests of which one must pass.
SEVERAL = {"is one of": "is", "matches one of": "matches"}

ORDERS: dict[str, Callable[[Any, Any], bool]] = {">": gt, ">=": ge, "<": lt, "<=": le}


def fits(operator: str, wanted: Value, value: Value) -> bool:
    """Return whether a value passes a test."""
    if operator in ORDERS:
        return is_ordered(operator, wanted, value)
    if operator == "matches":
        return isinstance(value, str) and is_match(wanted, value)
    if operator in SEVERAL:
        return any(fits(SEVERAL[operator], one, value) for one in wanted)
    if operator == "is":
        return same(value, wanted)
    if operator == "is empty":
        return value in ("", [], {}) or not is_set(value)
    if operator == "is set":
        return is_set(value)
    if operator == "is a":
        return is_of_type(wanted, value)
    return not fits(OPPOSITE[operator], wanted, value)


class Absent:
    """The value of an input that is not there; `ABSENT` is the only one, in copies too."""

    def __reduce__(self) -> str:
        return "ABSENT"

    def __repr__(self) -> str:
        return "absent"


ABSENT = Absent()


def is_set(value: Value) -> bool:
    """Return whether a value counts as true."""
    return value is not ABSENT and value is not None and value is not False


def is_of_type(name: str, value: Value) -> bool:
    """Return whether a value is of a type of Puppet by its name."""
    kinds: dict[str, type | tuple[type, ...]] = {
        "array": list, "boolean": bool, "float": float, "hash": dict, "integer": int,
        "numeric": (int, float), "string": str,
    }  # fmt: skip
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, kinds.get(name, ()))


def is_ordered(operator: str, wanted: Value, value: Value) -> bool:
    """Return whether a number or a version stands in an order to another."""
    if is_number(wanted):
        try:
            number = float(value) if isinstance(value, str) or is_number(value) else None
        except ValueError:
            return False
        return number is not None and ORDERS[operator](number, wanted)
    if not (isinstance(wanted, str) and isinstance(value, str)):
        return False
    return ORDERS[operator](version_order(value, wanted), 0)


def version_order(left: str, right: str) -> int:
    """Return the order of two versions, as `versioncmp` has it."""
    for one, other in zip(PART.findall(left), PART.findall(right), strict=False):
        if one != other:
            return order(one, other)
    return (left > right) - (left < right)


@cache
def pattern_of(source: str) -> re.Pattern[str] | None:
    """Return a regular expression, None if it is not understood."""
    try:
        return compiled(source)
    except (UnsupportedRegexp, re.error):
        return None


def is_match(source: str, value: str) -> bool:
    """Return whether a text matches a regular expression."""
    pattern = pattern_of(source)
    return pattern is not None and pattern.search(value) is not None


def is_number(value: Value) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(one: Value, other: Value) -> bool:
    """Return whether two values are one; `1` and `true` are not, and case does not count."""
    if isinstance(one, str) and isinstance(other, str):
        return one.lower() == other.lower()
    return repr(one) == repr(other)
