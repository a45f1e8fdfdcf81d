"""Ruby's `format` for one specifier: `%<flags><width>.<precision><letter>`."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf, isnan

from analyzer.model.room import check_room

_BASES = {"x": (16, "0x"), "X": (16, "0X"), "o": (8, "0"), "b": (2, "0b"), "B": (2, "0B")}
_DIGITS = "0123456789abcdef"
_TO_TEXT: dict[int, Callable[[int], str]] = {2: "{:b}".format, 8: "{:o}".format, 16: "{:x}".format}


def integer(letter: str, flags: str, width: int | None, precision: int | None, value: int) -> str:
    """Return an integer with `d`, `x`, `X`, `o`, `b`, `B`; negative ones in two's complement."""
    sign, prefix = "", ""
    if letter in _BASES:
        base, prefix = _BASES[letter]
        prefix = prefix if "#" in flags and value else ""
        if value < 0 and not set(flags) & {"+", " "}:
            return _complement(letter, flags, width, precision, value, prefix)
        digits = _TO_TEXT[base](abs(value))
        digits = digits.upper() if letter == "X" else digits
    else:
        digits = str(abs(value))
    if value < 0:
        sign = "-"
    elif "+" in flags:
        sign = "+"
    elif " " in flags:
        sign = " "
    if precision is not None:
        digits = digits.rjust(check_room(precision), "0")
    elif "0" in flags and "-" not in flags and width is not None:
        digits = digits.rjust(check_room(width) - len(sign + prefix), "0")
    return aligned(sign + prefix + digits, flags, width)


def _complement(
    letter: str, flags: str, width: int | None, precision: int | None, value: int, prefix: str
) -> str:
    base = _BASES[letter][0]
    last = _DIGITS[base - 1]
    length = 1
    while base**length < -2 * value:
        length += 1
    digits = _TO_TEXT[base](base**length + value).rjust(length, "0").lstrip(last)
    digits = last + digits
    if letter == "X":
        digits, last = digits.upper(), last.upper()
    size = precision
    if size is None and "0" in flags and "-" not in flags and width is not None:
        size = width - len(prefix)
    # The two dots count among the digits.
    return aligned(f"{prefix}..{digits.rjust(check_room(size or 0) - 2, last)}", flags, width)


def real(letter: str, flags: str, width: int | None, precision: int | None, value: float) -> str:
    """Return a float with `e`, `E`, `f`, `g`, `G`, `a`, `A`."""
    check_room(max(width or 0, precision or 0))
    if isinf(value) or isnan(value):
        sign = "-" if value < 0 else "+" if "+" in flags else " " if " " in flags else ""
        return aligned(sign + ("NaN" if isnan(value) else "Inf"), flags, width)
    if letter in "aA":
        shown = _hexadecimal(value, precision)
        sign = "" if value < 0 else "+" if "+" in flags else " " if " " in flags else ""
        return aligned(sign + (shown.upper() if letter == "A" else shown), flags, width)
    kept = "".join(flag for flag in flags if flag in "+ #0-")
    size = "" if width is None else str(width)
    point = "" if precision is None else f".{precision}"
    return f"%{kept}{size}{point}{letter}" % value


def _hexadecimal(value: float, precision: int | None) -> str:
    mantissa, exponent = value.hex().split("p")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0") if precision is None else fraction[:precision]
    return f"{whole}{'.' + fraction if fraction else ''}p{exponent}"


def text(flags: str, width: int | None, precision: int | None, value: str) -> str:
    """Return a string with `s`."""
    return aligned(value if precision is None else value[:precision], flags, width)


def aligned(shown: str, flags: str, width: int | None) -> str:
    """Return a text at the side of its field that the flags say."""
    if width is None:
        return shown
    width = check_room(width)
    return shown.ljust(width) if "-" in flags else shown.rjust(width)


def inspect(value: str) -> str:
    """Return a string as Ruby's `inspect` shows it."""
    pieces = []
    names = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e", '"': '\\"', "\\": "\\\\"}
    names |= {"\x07": "\\a", "\x08": "\\b", "\x0b": "\\v", "\x0c": "\\f"}
    for index, char in enumerate(value):
        if char == "#" and value[index + 1 : index + 2] in ("{", "$", "@"):
            pieces.append("\\#")
        elif char in names:
            pieces.append(names[char])
        elif char < " " or char == "\x7f":
            pieces.append(f"\\x{ord(char):02X}" if char == "\x7f" else f"\\u{ord(char):04X}")
        else:
            pieces.append(char)
    return f'"{"".join(pieces)}"'
