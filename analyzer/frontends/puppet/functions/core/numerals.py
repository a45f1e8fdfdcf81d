"""Numbers as the conversions of Ruby's sprintf write them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal, localcontext

from analyzer.frontends.puppet.evaluate.ruby import inspect, noun, strict_float
from analyzer.model.room import check_room

INTEGER = re.compile(
    r"\s*([+-]?)(?:0[xX]([\da-fA-F]+(?:_[\da-fA-F]+)*)|0[bB]([01]+(?:_[01]+)*)"
    r"|0[dD](\d+(?:_\d+)*)|0(?:[oO]|_)?([0-7]+(?:_[0-7]+)*)|(0|[1-9]\d*(?:_\d+)*))\s*\Z",
    re.A,
)
BASES = (16, 2, 10, 8, 10)
RADIX = {"o": 8, "x": 16, "X": 16, "b": 2, "B": 2}
PREFIX = {"o": "0", "x": "0x", "X": "0X", "b": "0b", "B": "0B"}
INT = 2**31
LONG = 2**63
# Of a float: the bits, and the hexadecimal digits behind the first of them.
BITS = 53
FRACTION = 13
# The most digits that Ruby rounds by its quick way.
QUICK = 14
DIGITS = "0123456789abcdef"


class FormatError(ValueError):
    """A format or value that Ruby refuses; the text is Ruby's."""


@dataclass(slots=True)
class Spec:
    """The flags, width and precision of a conversion: the part between `%` and its letter."""

    flags: str = ""
    width: int = 0
    precision: int | None = None

    @property
    def left(self) -> bool:
        """Return whether the value stands at the left."""
        return "-" in self.flags

    @property
    def zeros(self) -> bool:
        """Return whether zeros fill the width."""
        return "0" in self.flags and not self.left

    def padded(self, text: str) -> str:
        """Return a text with spaces up to the width."""
        return text.ljust(self.width) if self.left else text.rjust(self.width)

    def sign(self, negative: bool) -> str:
        """Return the sign of a number."""
        if negative:
            return "-"
        return "+" if "+" in self.flags else " " if " " in self.flags else ""


def integer_of(value: object) -> int:
    """Return a value as Ruby's Integer() does.

    Raises:
        FormatError: it is no number.
    """
    if isinstance(value, float):
        if not math.isfinite(value):
            raise FormatError(inspect(value))
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise FormatError(f"can't convert {noun(value)} into Integer")
    match = INTEGER.match(value)
    if match is None:
        raise FormatError(f"invalid value for Integer(): {inspect(value)}")
    base, digits = next(
        (b, group) for b, group in zip(BASES, match.groups()[1:], strict=True) if group is not None
    )
    number = int(digits.replace("_", ""), base)
    return -number if match[1] == "-" else number


def bytes_of(char: str) -> str:
    """Return the bytes of a character as codes."""
    return "".join(f"\\x{byte:02X}" for byte in char.encode())


def width_of(value: object) -> int:
    """Return a value that stands for a width or a character.

    Raises:
        FormatError: it is no number.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FormatError(f"no implicit conversion of {noun(value)} into Integer")
    if abs(value) >= LONG and isinstance(value, float):
        raise FormatError(f"float {value:.10g} out of range of integer")
    number = int(value)
    if not -INT <= number < INT:
        size = "small" if number < 0 else "big"
        raise FormatError(f"integer {number} too {size} to convert to `int'")
    return number


def float_of(value: object) -> float:
    """Return a value as Ruby's Float() does.

    Raises:
        FormatError: it is no number.
    """
    if isinstance(value, str):
        number = strict_float(value)
        if number is None:
            shown = "".join(c if c.isascii() else bytes_of(c) for c in inspect(value))
            raise FormatError(f"invalid value for Float(): {shown}")
        return number
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FormatError(f"can't convert {noun(value)} into Float")
    return float(value)


def in_base(number: int, base: int) -> str:
    """Return the digits of a number that is not negative."""
    if base == 10:
        return str(number)
    digits = ""
    while number:
        number, digit = divmod(number, base)
        digits = DIGITS[digit] + digits
    return digits or "0"


def complement(number: int, base: int) -> str:
    """Return a negative number's digits in two's complement, from the last digit of its sign."""
    size = len(in_base(-number, base)) + 1
    digits = in_base(base**size + number, base)
    last = DIGITS[base - 1]
    return last + digits.lstrip(last)


def integer(spec: Spec, letter: str, value: object) -> str:
    """Format an integer for `d i u o x X b B`."""
    number = integer_of(value)
    base = RADIX.get(letter, 10)
    signed = base == 10 or "+" in spec.flags or " " in spec.flags
    dots = number < 0 and not signed
    digits = complement(number, base) if dots else in_base(abs(number), base)
    sign = spec.sign(number < 0) if signed else ""
    if letter == "X":
        digits = digits.upper()
    prefix = PREFIX.get(letter, "") if "#" in spec.flags else ""
    fill = digits[0] if dots else "0"
    return laid_out(spec, sign, prefix, digits, fill if dots else "")


def laid_out(spec: Spec, sign: str, prefix: str, digits: str, dots: str) -> str:
    """Return an integer's parts in their width; `dots`: the digit of a sign without end."""
    width = spec.width - len(sign) - 2 * bool(dots)
    precision = -1 if spec.precision is None else spec.precision - 2 * bool(dots)
    if prefix == "0":
        if dots:
            prefix = ""
        elif digits == "0":
            digits, precision = "", precision - (spec.precision is not None)
        elif precision > len(digits):
            prefix = ""
    elif digits == "0":
        prefix = ""
    width -= len(prefix)
    if spec.zeros and spec.precision is None:
        precision, width = width, 0
    else:
        if precision < len(digits):
            digits = "" if not prefix and precision == 0 and digits == "0" else digits
            precision = len(digits)
        width -= precision
    body = digits.rjust(check_room(precision), dots or "0")
    text = f"{sign}{prefix}{'..' if dots else ''}{body}"
    space = " " * max(width, 0)
    return text + space if spec.left else space + text


def floating(spec: Spec, letter: str, value: object) -> str:
    """Format a float for `f e E g G a A`."""
    check_room(spec.precision or 0)
    if letter == "f" and isinstance(value, int) and not isinstance(value, bool):
        places = 6 if spec.precision is None else spec.precision
        tail = f".{'0' * places}" if places else ""
        return framed(spec, spec.sign(value < 0), f"{abs(value)}{tail}")
    number = float_of(value)
    negative = math.copysign(1, number) < 0
    if not math.isfinite(number):
        name = "NaN" if math.isnan(number) else "Inf"
        return spec.padded(spec.sign(negative and name == "Inf") + name)
    if letter in "aA":
        return hexadecimal(spec, letter, number)
    sharp = "#" if "#" in spec.flags else ""
    places = 6 if spec.precision is None else spec.precision
    digits = f"%{sharp}.{places}{letter}" % settled(abs(number), letter, places)
    return framed(spec, spec.sign(negative), digits)


def settled(number: float, letter: str, places: int) -> float:
    """Return the number to round: Ruby treats a number near the middle as the middle."""
    if number == 0:
        return number
    exact = Decimal(number)
    power = exact.adjusted()
    kept = places + {"f": power + 1, "e": 1, "E": 1}.get(letter, 0 if places else 1)
    if not 0 < kept <= QUICK:
        return number
    steps = 2 + (abs(power) >> 4).bit_count()
    leading = number / 10.0**power if power > -300 else 1.0
    tolerance = (steps * leading + 7) * 2.0**-52 * 10.0 ** (kept - 1)
    unit = Decimal(1).scaleb(power - kept + 1)
    with localcontext() as context:
        context.prec = 800
        whole, rest = divmod(exact, unit)
        if abs(rest / unit - Decimal("0.5")) > Decimal(tolerance):
            return number
        return float((whole + whole % 2) * unit)


def framed(spec: Spec, sign: str, digits: str) -> str:
    """Return a float's sign and digits in their width."""
    if spec.zeros:
        digits = digits.rjust(spec.width - len(sign), "0")
    return spec.padded(sign + digits)


def hexadecimal(spec: Spec, letter: str, number: float) -> str:
    """Format a float for `a` and `A`."""
    mantissa, exponent = math.frexp(abs(number))
    bits = int(mantissa * 2**BITS)
    places = spec.precision
    if places is not None:
        bits = rounded(bits, places)
        if bits >= 2**BITS:
            bits, exponent = bits // 2, exponent + 1
    # One digit before the dot, and what the other bits make behind it.
    digits = f"{bits:014x}"
    fraction = digits[1:].rstrip("0") if places is None else digits[1:].ljust(places, "0")[:places]
    dot = "." if fraction or "#" in spec.flags else ""
    power = exponent - 1 if bits else 0
    text = f"{digits[0]}{dot}{fraction}p{power:+d}"
    sign = spec.sign(math.copysign(1, number) < 0)
    if spec.zeros:
        text = text.rjust(spec.width - len(sign) - 2, "0")
    text = spec.padded(f"{sign}0x{text}")
    return text.upper() if letter == "A" else text


def rounded(bits: int, places: int) -> int:
    """Return the bits of a number with so many hexadecimal digits behind the dot."""
    if places >= FRACTION:
        return bits
    unit: int = 16 ** (FRACTION - places)
    whole, rest = divmod(bits, unit)
    return (whole + (rest > unit // 2 or (rest == unit // 2 and whole % 2 == 1))) * unit
