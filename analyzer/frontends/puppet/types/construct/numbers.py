"""The `new` of Numeric, Integer, Float and Boolean."""

from __future__ import annotations

import re
from collections.abc import Callable

from analyzer.frontends.puppet.types.construct.constructor import Constructor, Overloads
from analyzer.frontends.puppet.types.construct.ruby_format import inspect
from analyzer.frontends.puppet.types.infer import infer_generic
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.mismatches.assertions import assert_instance
from analyzer.frontends.puppet.types.problems import ConversionProblem
from analyzer.model.documents import JsonObject
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import DEFAULT, Default, Value

_SIGN = r"[+-]?\s*"
_HEX, _OCT, _BIN = "(?:0[xX][0-9A-Fa-f]+)", "(?:0[0-7]+)", "(?:0[bB][01]+)"
_DEC = r"(?:0|[1-9]\d*)"
_FLOAT = rf"(?:{_DEC}(?:\.\d+)?(?:[eE]-?\d+)?)"
_INTEGER_TEXT = rf"\A{_SIGN}(?:(?:\d+)|{_HEX}|{_BIN})\z"
_NUMBER_TEXT = rf"\A{_SIGN}(?:{_FLOAT}|{_HEX}|{_OCT}|{_BIN})\z"
_BLANK_AFTER_SIGN = re.compile(r"([+-])[ \t]+(.*)\Z", re.S)
_NUMERIC = re.compile(
    r"[ \t]*([-+]?)[ \t]*((0[xX][0-9A-Fa-f]+)|(0?\d+)((?:\.\d+)?(?:[eE]-?\d+)?))[ \t]*\Z",
    re.ASCII,
)


def to_number(text: str) -> int | float | None:
    """Return the number a text is, None if it is none (Puppet's Utils.to_n)."""
    match = _NUMERIC.match(text.removeprefix("::"))
    if match is None:
        return None
    sign = -1 if match[1] == "-" else 1
    if match[5]:
        # Zero with an exponent is no number.
        if int(match[4]) == 0 and re.match(r"\.?0*[eE]", match[5]):
            return None
        value = float(match[2])
        return None if value == float("inf") else sign * value
    number = whole(match[2])
    return None if number is None else sign * number


def whole(text: str, radix: int | None = None) -> int | None:
    """Return the integer of a text, read as Ruby's Integer() reads it."""
    match = re.match(r"\s*([+-]?)(0[xX]|0[bB]|0[oO]|0(?=\d))?([0-9A-Za-z]+)\s*\Z", text, re.ASCII)
    if match is None:
        return None
    bases = {"0x": 16, "0b": 2, "0o": 8, "0": 8}
    base = radix or bases.get((match[2] or "").lower(), 10)
    digits = match[3]
    if match[2] and radix and bases[match[2].lower()] != radix:
        digits = match[2] + digits
    try:
        return int(match[1] + digits, base)
    except ValueError:
        return None


def _cannot(kind: str, value: object) -> str:
    if isinstance(value, str):
        return f"The string '{value}' cannot be converted to {kind}"
    return f"Value of type {infer_generic(value)} cannot be converted to {kind}"


def _numeric(
    value: bool | float | str | Timespan | Timestamp | None, absolute: bool = False
) -> Value:
    if isinstance(value, bool):
        result: float | None = int(value)
    elif isinstance(value, Timespan | Timestamp):
        result = value.seconds
    elif isinstance(value, str):
        binary = value[:1] == "0" and value[1:2].lower() in ("b", "x")
        result = whole(value) if binary else to_number(value)
    else:
        result = value
    return abs(result) if absolute and result is not None else result


def _integer(
    value: float | str | Timespan | Timestamp,
    radix: int | Default = DEFAULT,
    absolute: bool = False,
) -> int:
    result = _to_integer(value, None if isinstance(radix, Default) else radix)
    return abs(result) if absolute else result


def _to_integer(value: float | str | Timespan | Timestamp, radix: int | None) -> int:
    if isinstance(value, Timespan | Timestamp):
        return value.nanoseconds // 10**9
    if not isinstance(value, str):
        return int(value)
    found = whole(value, radix)
    if found is None:
        match = _BLANK_AFTER_SIGN.match(value)
        found = whole(match[1] + match[2], radix) if match else None
    if found is None:
        raise ConversionProblem(f"invalid value for Integer(): {inspect(value)}")
    return found


def _integer_of_hash(given: JsonObject) -> int:
    return _integer(given["from"], given.get("radix") or DEFAULT, given.get("abs") or False)


def _float(value: float | str | Timespan | Timestamp, absolute: bool = False) -> float:
    result = _to_float(value)
    return abs(result) if absolute else result


def _to_float(value: float | str | Timespan | Timestamp) -> float:
    if isinstance(value, Timespan | Timestamp):
        return value.seconds
    if not isinstance(value, str):
        return float(value)
    text = value
    match = _BLANK_AFTER_SIGN.match(value)
    if match:
        text = match[1] + match[2]
    if text[:2].lower() == "0b":
        return float(int(text, 2))
    if re.match(r"\s*[+-]?0[xX]", text):
        return float(int(text, 16))
    if re.match(r"\s*[+-]?0[bB]", text):
        raise ConversionProblem(f"invalid value for Float(): {inspect(text)}")
    return float(text)


def _boolean(value: object) -> bool:
    if isinstance(value, str):
        return value.lower() not in ("false", "no", "n")
    return bool(value)


def _radix_problem(radix: object) -> None:
    if radix is not DEFAULT and radix not in (2, 8, 10, 16):
        raise ConversionProblem(f"Illegal radix: {radix}, expected 2, 8, 10, 16, or default")


def _no_integer(value: object, radix: object = DEFAULT, absolute: object = None) -> str:
    _radix_problem(radix)
    return _cannot("Integer", value)


_INTEGER = Overloads(
    "new",
    {
        "Radix": "Variant[Default, Integer[2,2], Integer[8,8], Integer[10,10], Integer[16,16]]",
        "Convertible": (
            f"Variant[Numeric, Boolean, Pattern[/{_INTEGER_TEXT}/], Timespan, Timestamp]"
        ),
        "NamedArgs": (
            "Struct[{from => Convertible, Optional[radix] => Radix, Optional[abs] => Boolean}]"
        ),
    },
)


def _no_integer_of_hash(given: dict[str, object]) -> str:
    if "from" in given:
        found = _INTEGER.resolver("Convertible")
        if found is not None and not instance(found, given["from"]):
            return _no_integer(given["from"])
    if given.get("radix") is not None:
        _radix_problem(given["radix"])
    names = _INTEGER.resolver("NamedArgs")
    assert names is not None
    assert_instance("Integer.new", names, given)
    return ""


def integer() -> Constructor:
    """Integer.new."""
    return Constructor(
        "new",
        (
            _INTEGER.overload(_integer, "Convertible from", "Radix radix?", "Boolean abs?"),
            _INTEGER.overload(_integer_of_hash, "NamedArgs hash_args"),
        ),
        (
            _INTEGER.overload(_no_integer_of_hash, "Hash hash_args"),
            _INTEGER.overload(_no_integer, "Any from", "Integer radix?", "Boolean abs?"),
        ),
    )


def _reals(name: str, kind: str, make: Callable[..., Value], convertible: str) -> Constructor:
    overloads = Overloads(
        name,
        {
            "Convertible": convertible,
            "NamedArgs": "Struct[{from => Convertible, Optional[abs] => Boolean}]",
        },
    )

    def of_hash(given: dict[str, object]) -> object:
        return make(given["from"], given.get("abs") or False)

    def wrong(value: object, absolute: bool = False) -> str:
        return _cannot(kind, value)

    return Constructor(
        name,
        (
            overloads.overload(make, "Convertible from", "Boolean abs?"),
            overloads.overload(of_hash, "NamedArgs hash_args"),
        ),
        (overloads.overload(wrong, "Any from", "Boolean abs?"),),
    )


def numeric() -> Constructor:
    """Numeric.new."""
    pattern = f"Pattern[/{_NUMBER_TEXT}/]"
    convertible = f"Variant[Integer, Float, Boolean, {pattern}, Timespan, Timestamp]"
    return _reals("new_numeric", "Numeric", _numeric, convertible)


def floating() -> Constructor:
    """Float.new."""
    pattern = f"Pattern[/{_NUMBER_TEXT}/]"
    convertible = f"Variant[Numeric, Boolean, {pattern}, Timespan, Timestamp]"
    return _reals("new_float", "Float", _float, convertible)


def boolean() -> Constructor:
    """Boolean.new."""
    overloads = Overloads("new_boolean", {})
    accepted = "Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]] from"
    return Constructor(
        "new_boolean",
        (overloads.overload(_boolean, accepted),),
        (overloads.overload(lambda value: _cannot("Boolean", value), "Any from"),),
    )
