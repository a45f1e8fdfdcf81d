"""Plain scalars of YAML as Ruby's Psych reads them (psych/scalar_scanner.rb): its own YAML 1.1."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from analyzer.model.values import DEFAULT

TEXT = re.compile(r"^[^\d.:\n-]?(?:[^\W\d]|[_\s!@#$%^&*(){}<>|/\\~;=])+", re.M)
TIME = re.compile(
    r"-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?"
    r"(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?",
    re.A,
)
DATE = re.compile(r"\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)", re.A)
BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}")
BASE_60_FLOAT = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}\.[0-9_]*")
FLOAT = re.compile(r"[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?")
INTEGER = re.compile(
    r"[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)"
    r"|[-+]?0x[0-9a-fA-F_,]+"
)
WORDS = {
    "~": None,
    "null": None,
    **dict.fromkeys(("yes", "true", "on"), True),
    **dict.fromkeys(("no", "false", "off"), False),
}
SPECIAL_FLOATS = {".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf, ".nan": math.nan}
BASES = {"0b": 2, "0x": 16}


class Disallowed(Exception):
    """A Ruby class that Puppet does not load from data."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Tried to load unspecified class: {name}")


@dataclass(frozen=True, slots=True)
class RubySymbol:
    """A Ruby symbol, `:a`: no value of Puppet, but a key may be written as one."""

    name: str


def tokenize(text: str) -> object:
    """Return the value of a plain scalar.

    Raises:
        Disallowed: a date or time.
        ValueError: a number without digits.
    """
    if not text:
        return None
    if TEXT.match(text) or "\n" in text:
        return WORDS.get(text.lower(), text) if len(text) <= 5 else text
    if TIME.fullmatch(text):
        raise Disallowed("Time")
    if DATE.fullmatch(text):
        raise Disallowed("Date")
    return _number_or_symbol(text)


def _number_or_symbol(text: str) -> object:
    special = SPECIAL_FLOATS.get(text.lower())
    if special is not None:
        return special
    if text[0] == ":" and len(text) > 1:
        return symbol(text)
    if BASE_60.fullmatch(text):
        return int(_base_60(text))
    if BASE_60_FLOAT.fullmatch(text):
        return float(_base_60(text))
    if FLOAT.fullmatch(text):
        return _float(text)
    return _integer(text) if INTEGER.fullmatch(text) else text


def symbol(text: str) -> object:
    """Return `:name`, or `:"name"`; `:default` is Puppet's default."""
    quoted = re.match(r""":(["'])(.*)\1""", text)
    name = (quoted[2] if quoted else text).removeprefix(":")
    return DEFAULT if name == "default" else RubySymbol(name)


def _base_60(text: str) -> float:
    # Psych counts the powers from the left: two parts are 60**2 and 60.
    parts = [part.replace("_", "") or "0" for part in text.split(":")]
    numbers = [float(part) if "." in part else int(part) for part in parts]
    return sum(number * (1, 60, 3600)[abs(index - 2)] for index, number in enumerate(numbers))


def _float(text: str) -> object:
    if text.lstrip("+-") == ".":
        return text
    digits = re.sub(r"\.([Ee]|$)", r"\1", re.sub("[,_]", "", text))
    return float(digits)


def _integer(text: str) -> int:
    digits = re.sub("[,_]", "", text)
    sign, digits = (-1, digits[1:]) if digits[0] == "-" else (1, digits.lstrip("+"))
    base = BASES.get(digits[:2].lower(), 8 if digits[0] == "0" and len(digits) > 1 else 10)
    try:
        return sign * int(digits, base)
    except ValueError:
        raise ValueError(f'invalid value for Integer(): "{re.sub("[,_]", "", text)}"') from None
