"""Numbers of stdlib: bases, limits, sizes in bytes, and ranges of numbers and of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    no_method,
    text_of,
    to_f,
    to_i,
    to_s,
    whole,
)
from analyzer.frontends.puppet.functions.stdlib.strings.successor import up_to
from analyzer.model.values import Value, flat

DIGITS = re.compile(r"^\d+$", re.M | re.ASCII)
DECIMAL = re.compile(r"^[0-9]+$", re.M)
RANGE = re.compile(r"^(\w+)(\.\.\.?|-)(\w+)$", re.M | re.ASCII)
SIZE = re.compile(r"([0-9.e+-]*)\s*([^bB]?)", re.ASCII)
POWERS = {"": 0, "k": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}
MOST = 1_000_000  # Elements of a range.
FIGURES = "0123456789abcdefghijklmnopqrstuvwxyz"


@legacy("clamp", -2)
def clamp(call: Call, *values: object) -> int:
    """Return the middle one of three integers."""
    found = flat(list(values))
    if len(found) != 3:
        raise ParseFault("clamp(): Wrong number of arguments, need three to clamp")
    for value in found:
        if isinstance(value, str) and not DIGITS.search(value):
            raise ParseFault(f"clamp(): Required explicit numeric ({value}:String)")
        if isinstance(value, dict):
            raise ParseFault(f"clamp(): The Hash type is not allowed ({to_s(value)})")
    return sorted(map(to_i, found))[1]


@legacy("convert_base", 2)
def convert_base(call: Call, number: object, base: object) -> str:
    """Write a number in a base from 2 to 36."""
    for value, ordinal in ((number, "First"), (base, "Second")):
        if not isinstance(value, int | str) or isinstance(value, bool):
            raise ParseFault(
                f"convert_base(): {ordinal} argument must be either a string or an integer"
            )
    if any(isinstance(value, str) and not DECIMAL.search(value) for value in (number, base)):
        raise ParseFault(
            "convert_base(): First argument must be an integer or a string corresponding to an "
            "integer in base 10"
        )
    radix = to_i(base)
    if not 2 <= radix <= 36:
        raise ParseFault("convert_base(): base must be at least 2 and must not be greater than 36")
    return in_base(to_i(number), radix)


def in_base(number: int, base: int) -> str:
    """Return a number's digits in a base."""
    digits = ""
    rest = abs(number)
    while rest:
        rest, digit = divmod(rest, base)
        digits = FIGURES[digit] + digits
    return ("-" if number < 0 else "") + (digits or "0")


@legacy("to_bytes")
def to_bytes(call: Call, *values: object) -> Value:
    """Return the number of bytes of a size such as `4 kB`."""
    if len(values) != 1:
        raise ParseFault(f"to_bytes(): Wrong number of arguments given ({len(values)} for 1)")
    size = values[0]
    if isinstance(size, int | float) and not isinstance(size, bool):
        return size
    match = SIZE.search(text_of(size))
    assert match is not None
    if match[2] not in POWERS:
        raise ParseFault(f"to_bytes(): Unknown prefix {match[2]}")
    return whole(to_f(match[1]) * (1 << POWERS[match[2]]))


@legacy("range")
def range_of(call: Call, *values: object) -> list[Value]:
    """Return the numbers or texts from one to another, or those of a text such as `a..e`."""
    if not values:
        raise ParseFault("range(): Wrong number of arguments given (0 for 1)")
    first, last, step, exclusive = bounds(values)
    if DIGITS.search(to_s(first)):
        low, high = to_i(first), to_i(last)
        return counted_out(range(low, high if exclusive else high + 1, step))
    found: Iterator[str] = up_to(to_s(first), to_s(last), exclusive=exclusive)
    return counted_out(islice(found, 0, None, step))


def counted_out(elements: Iterable[Value]) -> list[Value]:
    """Return the elements of a range.

    Raises:
        ParseFault: there are too many.
    """
    found = list(islice(elements, MOST + 1))
    if len(found) > MOST:
        raise ParseFault(
            f"range(): it has more than {MOST:,} elements, the most that catgraph makes; no option "
            "raises this limit"
        )
    return found


def bounds(values: tuple[object, ...]) -> tuple[Value, Value, int, bool]:
    """Return a range's first and last element, its step, and whether the last is left out."""
    if len(values) > 1:
        third = values[2] if len(values) > 2 else None
        step = 1 if third is None else abs(to_i(third))
        if step == 0:
            raise Fault("range(): 3rd arg (step size) must be a non zero integer (e.g. 1 or -1)")
        return values[0], values[1], step, False
    (value,) = values
    if not isinstance(value, str):
        no_method("match", value)
    match = RANGE.search(value)
    if match is None:
        if re.search(".", value):
            raise ParseFault(f"range(): Unable to compute range from the value: {value}")
        raise ParseFault(f"range(): Unknown range format: {value}")
    return match[1], match[3], 1, match[2] == "..."
