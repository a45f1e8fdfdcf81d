"""Ruby's conversions of values, and their errors, where stdlib leaves it to Ruby."""

from __future__ import annotations

import math
import re
from functools import cmp_to_key
from typing import NoReturn, TypeGuard

from analyzer.frontends.puppet.evaluate import ruby
from analyzer.frontends.puppet.evaluate.ruby import (
    WHITE,
    class_name,
    equal,
    inspect,
    noun,
    to_s,
    unique,
)
from analyzer.frontends.puppet.evaluate.ruby import key_of as key
from analyzer.model.quote import float_text
from analyzer.model.values import Value
from analyzer.pattern import pattern

__all__ = [
    "class_name",
    "equal",
    "float_text",
    "inspect",
    "key",
    "noun",
    "to_s",
    "unique",
]


class Fault(Exception):
    """An error that ends a function, in Puppet's or Ruby's words."""


class ParseFault(Fault):
    """A Puppet::ParseError, which some functions tell from other errors."""


DIGITS = r"\d+(?:_\d+)*"
FLOAT = pattern(rf"[+-]?(?:{DIGITS}(?:\.{DIGITS})?|\.{DIGITS})(?:[eE][+-]?{DIGITS})?\Z", re.ASCII)
HEX_FLOAT = pattern(r"[+-]?0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?(?:[pP][+-]?\d+)?\Z", re.ASCII)
LEADING_FLOAT = pattern(
    rf"[ \t\n\v\f\r]*([+-]?(?:{DIGITS}(?:\.{DIGITS})?|\.{DIGITS})(?:[eE][+-]?{DIGITS})?)", re.ASCII
)
LEADING_INTEGER = pattern(rf"[ \t\n\v\f\r]*([+-]?{DIGITS})", re.ASCII)
INTEGER = pattern(
    r"([+-]?)(?:0[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)|0[bB]([01]+(?:_[01]+)*)"
    rf"|0[oO_]?([0-7]+(?:_[0-7]+)*)|0[dD]({DIGITS})|(0|[1-9]\d*(?:_\d+)*))\Z",
    re.ASCII,
)
BASES = (16, 2, 8, 10, 10)
# All else has a name or is printable: so written, it compiles in a hundredth of the time.
NO_NAMED_BYTE = pattern(r"([^\x07-\x0d\x1b\x20-\x7e])")


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is an integer or a float; a boolean is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def to_i(value: Value) -> int:
    """Return a value as `to_i` converts it, which makes the best of any text."""
    if isinstance(value, str):
        match = LEADING_INTEGER.match(value)
        return int(match[1].replace("_", "")) if match else 0
    if value is None:
        return 0
    if not is_number(value):
        no_method("to_i", value)
    return whole(value)


def whole(value: float) -> int:
    """Return a number without its fraction."""
    if isinstance(value, float) and not math.isfinite(value):
        raise Fault(float_text(value))
    return int(value)


def to_f(value: Value) -> float:
    """Return a value as `to_f` converts it, which makes the best of any text."""
    if isinstance(value, str):
        match = LEADING_FLOAT.match(value)
        return float(match[1].replace("_", "")) if match else 0.0
    if value is None:
        return 0.0
    if not is_number(value):
        no_method("to_f", value)
    return float(value)


def float_of(value: Value) -> float:
    """Return a value converted by `Float(value)`, which refuses anything but a number."""
    if isinstance(value, str):
        text = value.strip(WHITE)
        if FLOAT.match(text):
            return float(text.replace("_", ""))
        if HEX_FLOAT.match(text):
            return float.fromhex(text)
        raise Fault(f"invalid value for Float(): {binary(value)}")
    if not is_number(value):
        raise Fault(f"can't convert {noun(value)} into Float")
    return float(value)


def binary(text: str) -> str:
    """Return text in quotes as Ruby shows bytes, which those in errors of Float() are."""
    shown = ""
    for index, part in enumerate(NO_NAMED_BYTE.split(text)):
        data = part.encode("utf-8", "surrogateescape") if index % 2 else b""
        shown += "".join(f"\\x{byte:02X}" for byte in data) or inspect(part)[1:-1]
    return f'"{shown}"'


def integer_of(value: Value) -> int:
    """Return a value converted by `Integer(value)`, which refuses anything but a number."""
    if isinstance(value, str):
        match = INTEGER.match(value.strip(WHITE))
        if match is None:
            raise Fault(f"invalid value for Integer(): {inspect(value)}")
        sign, *digits = match.groups()
        text, base = next((t, b) for t, b in zip(digits, BASES, strict=True) if t is not None)
        return int(sign + text.replace("_", ""), base)
    if not is_number(value):
        raise Fault(f"can't convert {noun(value)} into Integer")
    return whole(value)


def no_method(name: str, value: object) -> NoReturn:
    """Refuse to call a method that a value lacks."""
    raise Fault(f"undefined method `{name}' for {inspect(value)}:{class_name(value)}")


def text_of(value: object) -> str:
    """Return a value where Ruby wants a string and converts nothing."""
    if not isinstance(value, str):
        raise Fault(f"no implicit conversion of {noun(value)} into String")
    return value


def compare(one: object, other: object) -> int:
    """Return the order of two values that `<=>` knows."""
    try:
        return ruby.compare(one, other)
    except ruby.Incomparable as fault:
        raise Fault(str(fault)) from None


def sort(values: list[object]) -> list[Value]:
    """Return values in ascending order."""
    return sorted(values, key=cmp_to_key(compare))
