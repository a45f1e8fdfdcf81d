"""What Ruby makes of a value where Puppet leaves it to Ruby: text, class names, equality."""

from __future__ import annotations

import math
import unicodedata
from typing import Any

from analyzer.formats.yaml_scalars import Symbol
from analyzer.model.values import Default, Sensitive

ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\f": "\\f",
    "\v": "\\v",
    "\a": "\\a",
    "\b": "\\b",
    "\x1b": "\\e",
}
CLASSES: tuple[tuple[type, str], ...] = (
    (str, "String"),
    (int, "Integer"),
    (float, "Float"),
    (list, "Array"),
    (tuple, "Array"),
    (dict, "Hash"),
    (Symbol, "Symbol"),
    (Default, "Symbol"),
    (Sensitive, "Puppet::Pops::Types::PSensitiveType::Sensitive"),
)


def class_name(value: Any) -> str:
    """The name of a value's Ruby class."""
    if value is None:
        return "NilClass"
    if isinstance(value, bool):
        return "TrueClass" if value else "FalseClass"
    return next((name for kind, name in CLASSES if isinstance(value, kind)), type(value).__name__)


def to_s(value: Any) -> str:
    """`value.to_s`."""
    if isinstance(value, str):
        return value
    if isinstance(value, Symbol):
        return value.name
    if isinstance(value, Default):
        return "default"
    if isinstance(value, Sensitive):
        return "Sensitive [value redacted]"
    return "" if value is None else inspect(value)


def inspect(value: Any) -> str:
    """`value.inspect`."""
    if isinstance(value, str):
        return f'"{_escaped(value)}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, dict):
        pairs = (f"{inspect(key)}=>{inspect(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(inspect, value)) + "]"
    return _inspect_other(value)


def _inspect_other(value: Any) -> str:
    if value is None:
        return "nil"
    if isinstance(value, Sensitive):
        return "#<Sensitive [value redacted]>"
    return f":{to_s(value)}" if isinstance(value, Symbol | Default) else str(value)


def _escaped(text: str) -> str:
    parts = []
    for index, char in enumerate(text):
        if char in ESCAPES:
            parts.append(ESCAPES[char])
        elif char == "#" and text[index + 1 : index + 2] in ("{", "$", "@"):
            parts.append("\\#")
        else:
            parts.append(char if _printable(char) else _code(char))
    return "".join(parts)


def _printable(char: str) -> bool:
    return char == " " or unicodedata.category(char)[0] not in "CZ" or char == "\u3000"


def _code(char: str) -> str:
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\u{{{code:X}}}"


def _float(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    digits, _, exponent = repr(value).partition("e")
    if not exponent:
        size = abs(value)
        if size and size < 1e-4:
            return f"{value:e}"
        return digits
    # Python changes to the exponent at the same sizes, but for 1e16, and writes no ".0".
    return f"{digits if '.' in digits else digits + '.0'}e{exponent[0]}{exponent[1:].zfill(2)}"


def identity(value: Any) -> Any:
    """What two values have in common when Ruby's `eql?` holds of them: 1, 1.0 and true differ."""
    if isinstance(value, list | tuple):
        return ("array", *map(identity, value))
    if isinstance(value, dict):
        return ("hash", frozenset((identity(key), identity(item)) for key, item in value.items()))
    return (class_name(value), value)


def union(first: list[Any], second: list[Any]) -> list[Any]:
    """`first | second`: the elements of both in order, each once."""
    seen: dict[Any, Any] = {}
    for value in (*first, *second):
        seen.setdefault(identity(value), value)
    return list(seen.values())
