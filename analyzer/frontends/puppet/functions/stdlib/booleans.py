"""Booleans of stdlib, from and to text and numbers."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    float_of,
    to_i,
    to_s,
)

EMPTY_LINE = re.compile(r"(?:\A|(?<=\n)(?!\Z))$", re.M)
YES = re.compile(r"^(?:1|t|y|true|yes)$", re.M | re.I)
NO = re.compile(r"^(?:0|f|n|false|no)$", re.M | re.I)
UNDEF = re.compile(r"^(?:undef|undefined)$", re.M)


@legacy("str2bool")
def str2bool(call: Call, *values: object) -> bool:
    """Return the boolean of a text such as `yes`, `0` or `false`."""
    if not values:
        raise ParseFault("str2bool(): Wrong number of arguments given (0 for 1)")
    text = values[0]
    if isinstance(text, bool):
        return text
    if not isinstance(text, str):
        raise ParseFault("str2bool(): Requires string to work with")
    if EMPTY_LINE.search(text):
        return False
    if YES.search(text):
        return True
    if NO.search(text) or UNDEF.search(text):
        return False
    raise ParseFault("str2bool(): Unknown type of boolean given")


@legacy("num2bool")
def num2bool(call: Call, *values: object) -> bool:
    """Return whether a number is more than zero."""
    if len(values) != 1:
        raise ParseFault(f"num2bool(): Wrong number of arguments given ({len(values)} for 1)")
    number = values[0]
    if isinstance(number, str):
        try:
            number = float_of(number)
        except Fault as fault:
            raise ParseFault(
                f"num2bool(): '{number}' does not look like a number: {fault}"
            ) from None
    elif isinstance(number, bool) or not isinstance(number, int | float):
        number = to_s(number)
    return to_i(number) > 0


@legacy("any2bool")
def any2bool(call: Call, *values: object) -> bool:
    """Return the boolean of any value: numbers as num2bool, text as str2bool, the rest is true."""
    if not values:
        raise ParseFault("any2bool(): Wrong number of arguments given (0 for 1)")
    value = values[0]
    if isinstance(value, bool):
        return value
    if value is None:
        return False
    if isinstance(value, int | float):
        return num2bool(call, value)
    if not isinstance(value, str):
        return True
    try:
        float_of(value)
    except Fault:
        return str2bool(call, value)
    return num2bool(call, value)


@legacy("bool2num")
def bool2num(call: Call, *values: object) -> int:
    """Return 1 for what str2bool finds true, else 0."""
    if not values:
        raise ParseFault("bool2num(): Wrong number of arguments given (0 for 1)")
    return 1 if str2bool(call, values[0]) else 0


@legacy("bool2str")
def bool2str(call: Call, *values: object) -> str:
    """Return a boolean's text, `true` and `false` if no others are given."""
    if len(values) not in (1, 3):
        raise ParseFault(f"bool2str(): Wrong number of arguments given ({len(values)} for 3)")
    value, *texts = values
    defaults = ("true", "false")
    words = [
        w if w not in (None, False) else d for w, d in zip(texts or defaults, defaults, strict=True)
    ]
    if not isinstance(value, bool):
        raise ParseFault("bool2str(): Requires a boolean to work with")
    if not all(isinstance(word, str) for word in words):
        raise ParseFault("bool2str(): Requires strings to convert to")
    return str(words[0] if value else words[1])
