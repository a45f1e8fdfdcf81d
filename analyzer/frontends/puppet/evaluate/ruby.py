"""Text, order and equality of values where Puppet's functions leave them to Ruby."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from unicodedata import category

from analyzer.formats.yaml_scalars import RubySymbol
from analyzer.model.keys import pairs_of
from analyzer.model.quote import float_text
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Default, Deferred, Regexp, Sensitive, Unknown
from analyzer.model.versions import SemVer
from analyzer.pattern import pattern

ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\f": "\\f",
    "\v": "\\v",
    "\b": "\\b",
    "\a": "\\a",
    "\x1b": "\\e",
}
UNPRINTABLE = ("Cc", "Cn", "Cs", "Zl", "Zp")
# All but a `#` that would not interpolate.
CHARACTER = pattern(r"[^#]|#(?=[{$@])", re.S)
NUMBER = pattern(r"[+-]?[0-9]+(?:_[0-9]+)*")
DIGITS = r"[0-9]+(?:_[0-9]+)*"
FLOAT = pattern(rf"[+-]?(?:{DIGITS}(?:\.{DIGITS})?|\.{DIGITS})(?:[eE][+-]?{DIGITS})?")
HEX_FLOAT = r"[+-]?0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]+)?(?:[pP][+-]?[0-9]+)?"
WHOLE_FLOAT = pattern(rf"[ \t\n\v\f\r]*(?:{FLOAT.pattern}|{HEX_FLOAT})[ \t\n\v\f\r]*\Z")
SOURCE_PART = pattern(r"(\\.)|.", re.S)
NOT_PRINTED = frozenset({"Cc", "Cs", "Cn"})
WHITE = " \t\n\v\f\r"
CLASSES = {
    type(None): "NilClass",
    int: "Integer",
    float: "Float",
    str: "String",
    list: "Array",
    tuple: "Array",
    dict: "Hash",
    Regexp: "Regexp",
    Default: "Symbol",
    RubySymbol: "Symbol",
    Sensitive: "Puppet::Pops::Types::PSensitiveType::Sensitive",
    Deferred: "Puppet::DataTypes::Deferred",
    Unknown: "Unknown",
}
SIGNED = pattern(r"\(\?([imx]*)(?:-([imx]*))?:(.*)\)\Z", re.S)


class Incomparable(ValueError):
    """Two values that Ruby has no order for; the text is Ruby's."""


def class_name(value: object) -> str:
    """Return the name of a value's class in Ruby."""
    if isinstance(value, bool):
        return "TrueClass" if value else "FalseClass"
    name = CLASSES.get(type(value))
    return name or f"Puppet::Pops::Types::P{type(value).__name__}"


def noun(value: object) -> str:
    """Return how Ruby's messages about conversions call a value."""
    if value is None:
        return "nil"
    return to_s(value) if isinstance(value, bool) else class_name(value)


def to_s(value: object) -> str:
    """Return a value as Ruby's to_s does."""
    match value:
        case str():
            return value
        case None:
            return ""
        case Regexp():
            return regexp_text(value.source)
        case Default():
            return "default"
        case RubySymbol():
            return value.name
        case Sensitive():
            return str(value)
        case _:
            return inspect(value)


def inspect(value: object) -> str:
    """Return a value as Ruby's inspect does; of types it would be an address in memory."""
    match value:
        case list() | tuple():
            return f"[{', '.join(map(inspect, value))}]"
        case dict():
            entries = (f"{inspect(key)}=>{inspect(one)}" for key, one in pairs_of(value))
            return f"{{{', '.join(entries)}}}"
        case None | bool():
            return WORDS[value]
        case Regexp():
            return f"/{regexp_body(value.source)}/"
    return INSPECTED.get(type(value), str)(value)


def quoted(text: str) -> str:
    """Return a string in double quotes."""
    return '"' + CHARACTER.sub(lambda match: ESCAPES.get(match[0]) or shown(match[0]), text) + '"'


def shown(char: str) -> str:
    """Return a character, as its code if it is not printable."""
    if char == "#":
        return "\\#"
    hidden = category(char) in UNPRINTABLE and char != "\x85"
    return code_of(char) if hidden else char


def code_of(char: str) -> str:
    """Return a character's code."""
    code = ord(char)
    return f"\\u{code:04X}" if code < 0x10000 else f"\\u{{{code:X}}}"


def regexp_body(source: str, codes: bool = True) -> str:
    """Return a regular expression as it stands between slashes.

    `codes`: where anything is escaped, so are letters that are not ASCII.
    """
    if "/" not in source and not any(category(char) in NOT_PRINTED for char in source):
        return source
    return SOURCE_PART.sub(lambda match: match[1] or regexp_char(match[0], codes), source)


def regexp_char(char: str, codes: bool) -> str:
    """Return a character of a regular expression in which something has to be escaped."""
    if char == "/":
        return "\\/"
    if not char.isascii():
        return code_of(char) if codes else char
    return char if char.isprintable() or char.isspace() else f"\\x{ord(char):02X}"


WORDS = {None: "nil", True: "true", False: "false"}
INSPECTED: dict[type, Callable[[Any], str]] = {
    str: quoted,
    float: float_text,
    Default: lambda value: ":default",
    RubySymbol: lambda value: f":{value.name}",
    Sensitive: lambda value: f"#<{value}>",
}


def regexp_text(source: str) -> str:
    """Return a regular expression's text as a group with its options."""
    options, body = "-mix", source
    match = SIGNED.match(source)
    if match and balanced(match[3]):
        on = "".join(each for each in "mix" if each in match[1])
        off = "".join(each for each in "mix" if each not in match[1])
        options, body = on + (f"-{off}" if off else ""), match[3]
    return f"(?{options}:{regexp_body(body, codes=False)})"


def balanced(text: str) -> bool:
    """Return whether no group is closed before it is opened."""
    depth = 0
    for char in re.sub(r"\\.|\[[^\]]*\]", "", text, flags=re.S):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


def to_i(text: str) -> int:
    """Return the number that a text begins with, 0 if there is none."""
    match = NUMBER.match(text.lstrip(WHITE))
    return int(match[0].replace("_", "")) if match else 0


def to_f(text: str) -> float:
    """Return the float that a text begins with, 0.0 if there is none."""
    match = FLOAT.match(text.lstrip(WHITE))
    return float(match[0].replace("_", "")) if match else 0.0


def strict_float(text: str) -> float | None:
    """Return the float that a whole text is, None if it is none."""
    if WHOLE_FLOAT.match(text) is None:
        return None
    plain = text.strip(WHITE).replace("_", "")
    return float.fromhex(plain) if "x" in plain.lower() else float(plain)


def equal(left: object, right: object) -> bool:
    """Return whether Ruby's `==` holds: unlike Python's, true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        there = {key_of(key): value for key, value in pairs_of(right)}
        return len(left) == len(right) and all(
            key_of(key) in there and equal(value, there[key_of(key)])
            for key, value in pairs_of(left)
        )
    return bool(left == right)


def key_of(value: object) -> Any:
    """Return the key that tells values apart in a hash (`eql?`): 1, 1.0 and true are three."""
    if isinstance(value, (list, tuple)):
        return ("array", *map(key_of, value))
    if isinstance(value, dict):
        return ("hash", frozenset((key_of(key), key_of(one)) for key, one in pairs_of(value)))
    return (type(value), value)


def unique(values: list[object]) -> list[Any]:
    """Return the values without those that were there before."""
    first: dict[Any, Any] = {}
    for value in values:
        first.setdefault(key_of(value), value)
    return list(first.values())


def compare(left: object, right: object) -> int:
    """Return -1, 0 or 1 as `<=>` does.

    Raises:
        Incomparable: there is no order between the two.
    """
    order = order_of(left, right)
    if order is None:
        raise Incomparable(f"comparison of {class_name(left)} with {operand(right)} failed")
    return order


def operand(value: object) -> str:
    """Return how an error of comparison calls its right side."""
    return inspect(value) if immediate(value) else class_name(value)


def immediate(value: object) -> bool:
    """Return whether Ruby holds a value in a word, or shows it as if it did."""
    if isinstance(value, int):
        return -(2**62) <= value < 2**62
    return value is None or isinstance(value, (float, Default))


def order_of(left: object, right: object) -> int | None:
    """Return -1, 0 or 1, None if there is no order."""
    if isinstance(left, bool) or isinstance(right, bool):
        return 0 if left is right else None
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return (left > right) - (left < right)
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    if isinstance(left, list) and isinstance(right, list):
        return order_of_arrays(left, right)
    if isinstance(left, (Timespan, Timestamp)):
        return order_of_moments(left, right)
    if isinstance(left, SemVer) and isinstance(right, SemVer):
        return (left > right) - (left < right)
    return 0 if equal(left, right) else None


def order_of_moments(left: Timespan | Timestamp, right: object) -> int | None:
    """Return the order of moments; numbers count as seconds."""
    if isinstance(right, type(left)):
        return order_of(left.nanoseconds, right.nanoseconds)
    if isinstance(right, (int, float)):
        return order_of(left.nanoseconds, right * 10**9)
    return None


def order_of_arrays(left: list[object], right: list[object]) -> int | None:
    """Return the order of the first elements that are not equal, then of the lengths."""
    for one, other in zip(left, right, strict=False):
        order = order_of(one, other)
        if order != 0:
            return order
    return (len(left) > len(right)) - (len(left) < len(right))
