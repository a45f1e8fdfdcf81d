"""abs, ceiling, floor, round, max, min and compare."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import (
    Incomparable,
    class_name,
    compare,
    order_of,
    strict_float,
    to_f,
    to_i,
    to_s,
)
from analyzer.frontends.puppet.functions.core.grouping import sign
from analyzer.frontends.puppet.functions.registry import Call, function
from analyzer.model.releases import ORDERED_VERSIONS
from analyzer.model.values import Value

# Lines count here, as Puppet's expressions are anchored to lines, and for the left side to both.
DECIMAL = re.compile(r"^-?[0-9]+\.[0-9]+$", re.M)
INTEGER = re.compile(r"^-?[0-9]+$", re.M)
LEFT_NUMBER = re.compile(r"\A-?[0-9]+([._eE][0-9]+)?\Z")
DEPRECATED = "The {}() function's auto conversion of {} is deprecated - change to convert input "


@function("abs", "Numeric $val")
def absolute(call: Call, value: float) -> float:
    """Return a number without its sign."""
    return abs(value)


@function("abs", "String $val")
def absolute_text(call: Call, text: str) -> float:
    """Return a number in a string without its sign."""
    call.warn(DEPRECATED.format("abs", "String to Numeric") + "before calling")
    if DECIMAL.search(text):
        return abs(to_f(text))
    if INTEGER.search(text):
        return abs(to_i(text))
    call.fail("abs(): Requires float or integer to work with - was given non decimal string")


@function("ceiling", "Numeric $val")
def ceiling(call: Call, value: float) -> int:
    """Return the least integer that is not less."""
    return math.ceil(value)


@function("ceiling", "String $val")
def ceiling_text(call: Call, text: str) -> int:
    """Return the least integer that is not less than a number in a string."""
    return math.ceil(converted(call, "ceiling", text))


@function("floor", "Numeric $val")
def floor(call: Call, value: float) -> int:
    """Return the greatest integer that is not greater."""
    return math.floor(value)


@function("floor", "String $val")
def floor_text(call: Call, text: str) -> int:
    """Return the greatest integer that is not greater than a number in a string."""
    return math.floor(converted(call, "floor", text))


def converted(call: Call, name: str, text: str) -> float:
    """Return the number that a string is."""
    call.warn(DEPRECATED.format(name, "String to Float") + "before calling")
    number = strict_float(text)
    if number is None:
        call.fail(f"{name}(): cannot convert given value to a floating point value.")
    return number


@function("round", "Numeric $val")
def round_(call: Call, value: float) -> int:
    """Return the nearest integer; halves go away from zero."""
    return int(value + 0.5) if value > 0 else int(value - 0.5)


BLOCK = "&Optional[Callable[2, 2]] $block"


class BetterValue:
    """max or min: which of two values is the better one."""

    def __init__(self, name: str, wanted: int) -> None:
        self.name = name
        self.wanted = wanted

    def best(self, values: Iterable[Value], order: Callable[[object, object], int]) -> Value:
        """Return the first of the best values."""
        result, *rest = values
        for value in rest:
            if order(value, result) == self.wanted:
                result = value
        return result

    def numbers(self, call: Call, *values: object) -> Value:
        """Return the best of numbers, versions or times."""
        return self.best(self.some(call, values), compare)

    def texts(self, call: Call, *values: str) -> Value:
        """Return the best of strings, by value if both are numbers."""
        return self.best(self.some(call, values), lambda a, b: self.order(call, a, b, ""))

    def anything(self, call: Call, *values: object) -> Value:
        """Return the best of values as text."""
        if call.block is not None:
            return self.by_block(call, values)
        warning = self.warning("Any to String")
        return self.best(self.some(call, values), lambda a, b: self.order(call, a, b, warning))

    def array(self, call: Call, values: list[Any]) -> Value:
        """Return the best of the elements of an array."""
        if call.block is not None:
            return self.by_block(call, values)
        for kind, compute in (((int, float), self.numbers), (str, self.texts)):
            if all(isinstance(one, kind) and not isinstance(one, bool) for one in values):
                return compute(call, *values)
        return self.anything(call, *values)

    def ordered(self, call: Call, values: list[Any]) -> Value:
        """Return the best of versions or times."""
        return self.by_block(call, values) if call.block else self.numbers(call, *values)

    def by_block(self, call: Call, values: Sequence[Value]) -> Value:
        """Return the best of values in the order of the block; undef if there is none."""
        block = call.block
        assert block is not None
        if not values:
            return None
        try:
            return self.best(values, lambda a, b: sign(block(a, b), a, b))
        except Incomparable as error:
            call.fail(str(error))

    def order(self, call: Call, left: object, right: object, warning: str) -> int:
        """Compare two values as numbers if their texts are, else as texts."""
        one, other = to_s(left), to_s(right)
        if LEFT_NUMBER.match(one) and LEFT_NUMBER.match(other):
            call.warn(self.warning("String to Numeric"))
            return order_of(number(left), number(right)) or 0
        if warning:
            call.warn(warning)
        return compare(one, other)

    def warning(self, conversion: str) -> str:
        """Return the warning of a conversion."""
        return DEPRECATED.format(self.name, conversion) + "before calling, or use lambda"

    def some(self, call: Call, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Return the values if there are any."""
        if not values:
            call.fail(f"{self.name}(): Wrong number of arguments need at least one")
        return values


def number(value: Any) -> float:
    """Return the number that a value's text begins with."""
    return to_f(value) if isinstance(value, str) else float(value)


for choice in (BetterValue("max", 1), BetterValue("min", -1)):
    function(choice.name, "Numeric *$values")(choice.numbers)
    function(choice.name, "String *$values")(choice.texts)
    ordered = ("SemVer *$values", "Timespan *$values", "Timestamp *$values")
    function(choice.name, *ordered, where=ORDERED_VERSIONS)(choice.numbers)
    for kind in ("Numeric", "String"):
        function(choice.name, f"Array[{kind}] $values, {BLOCK}")(choice.array)
    arrays = [f"Array[{kind}] $values, {BLOCK}" for kind in ("SemVer", "Timespan", "Timestamp")]
    function(choice.name, *arrays, where=ORDERED_VERSIONS)(choice.ordered)
    function(choice.name, f"Array $values, {BLOCK}")(choice.array)
    function(choice.name, "Any *$values, &Callable[2, 2] $block", "Any *$values")(choice.anything)


def compare_values(call: Call, left: object, right: object) -> int:
    """Return -1, 0 or 1."""
    if isinstance(left, (int, float)) and not isinstance(right, (int, float)):
        return -compare(right, left)
    return compare(left, right)


def compare_texts(call: Call, left: str, right: str, ignore_case: bool = True) -> int:
    """Return -1, 0 or 1; without case if wanted, of ASCII letters."""
    return compare(folded(left), folded(right)) if ignore_case else compare(left, right)


def folded(text: str) -> str:
    """Return a text with ASCII letters as small ones."""
    return "".join(char.lower() if char.isascii() else char for char in text)


function("compare", "Numeric $a, Numeric $b")(compare_values)
function("compare", "String $a, String $b, Boolean $ignore_case = true")(compare_texts)
function(
    "compare",
    "Semver $a, Semver $b",
    "Numeric $a, Variant[Timespan, Timestamp] $b",
    "Timestamp $a, Variant[Timestamp, Numeric] $b",
    "Timespan $a, Variant[Timespan, Numeric] $b",
)(compare_values)
COMPARABLE = {
    "TimeComparable": "Variant[Numeric, Timespan, Timestamp]",
    "Comparable": "Variant[String, Semver, TimeComparable]",
}


@function(
    "compare",
    "Comparable $a, Comparable $b, Any *$ignore_case",
    types=COMPARABLE,
    mismatch=True,
)
def compare_mismatch(call: Call, left: object, right: object, *ignore_case: object) -> str | None:
    """Return why two values that can be compared cannot be compared with each other."""
    if ignore_case:
        if not (isinstance(left, str) and isinstance(right, str)):
            return (
                "compare(): The third argument (ignore case) can only be used when comparing "
                "strings"
            )
        if len(ignore_case) != 1:
            return f"compare(): Accepts at most 3 arguments, got {2 + len(ignore_case)}"
        return (
            "compare(): The third argument (ignore case) must be a Boolean. "
            f"Got {label(ignore_case[0])}"
        )
    if type(left) is not type(right):
        return (
            "compare(): Can only compare values of the same type (or for Timestamp/Timespan also "
            f"against Numeric). Got {label(left)} and {label(right)}"
        )
    return None


@function("compare", "Any $a, Any $b, Any *$ignore_case", mismatch=True)
def compare_incomparable(call: Call, left: object, right: object, *ignore_case: object) -> str:
    """Return which types can be compared."""
    return (
        "compare(): Non comparable type. Only values of the types Numeric, String, Semver, "
        f"Timestamp and Timestamp can be compared. Got {label(left)} and {label(right)}"
    )


def label(value: object) -> str:
    """Return how messages call a value."""
    return LABELS.get(class_name(value), class_name(value))


LABELS = {
    "NilClass": "Undef Value",
    "TrueClass": "Boolean",
    "FalseClass": "Boolean",
    "Symbol": "Object",
    "Regexp": "Regexp",
}
