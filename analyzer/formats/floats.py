"""Floats as Ruby writes them."""

from __future__ import annotations

import math
from decimal import Decimal


def float_text(value: float) -> str:
    """Return a float's text: with an exponent from 1e15 up and below 1e-4."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    assert isinstance(exponent, int)
    point = len(text) + exponent
    minus = "-" if sign else ""
    if value == 0:
        return minus + "0.0"
    if not -4 < point <= 15:
        shift = point - 1
        return f"{minus}{text[0]}.{text[1:] or '0'}e{'-' if shift < 0 else '+'}{abs(shift):02d}"
    if point <= 0:
        return f"{minus}0.{'0' * -point}{text}"
    return f"{minus}{text[:point].ljust(point, '0')}.{text[point:] or '0'}"
