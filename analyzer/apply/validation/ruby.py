"""The words of Ruby's own errors, which Puppet passes on."""

from __future__ import annotations

import re

from analyzer.apply.providers.parameters import inspected, shown

INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7](_?[0-7])*|[1-9](_?\d)*|0)\Z")
FLOAT = re.compile(r"\s*[+-]?(0[xX][0-9a-fA-F]+|\d(_?\d)*(\.\d(_?\d)*)?([eE][+-]?\d+)?)\s*\Z")


class WholeMessage(str):
    """A message that Puppet does not put the parameter's name in front of."""

    __slots__ = ()


def class_of(value: object) -> str:
    """Return the name of a value's class in Ruby."""
    if value is None or isinstance(value, bool):
        return {None: "NilClass", True: "TrueClass", False: "FalseClass"}[value]
    names = {int: "Integer", float: "Float", dict: "Hash", list: "Array"}
    return names.get(type(value), "String")


def no_method(method: str, value: object) -> str:
    """Return the error of a call that a value does not answer."""
    return f"undefined method `{method}' for {inspected(value)}:{class_of(value)}"


def no_conversion(value: object) -> str:
    """Return the error of a value that is used as a string."""
    plain = value is None or isinstance(value, bool)
    kind = inspected(value) if plain else class_of(value)
    return f"no implicit conversion of {kind} into String"


def munging(name: str, value: object, why: str) -> str:
    """Return Puppet's message for an error in a munge."""
    return f"Munging failed for value {inspected(value)} in class {name}: {why}"


def validating(name: str, why: str) -> str:
    """Return Puppet's message for an unforeseen error in a validate."""
    return f"Validate method failed for class {name}: {why}"


def no_integer(text: str) -> str:
    """Return why `Integer(text)` fails, empty where it does not."""
    if INTEGER.match(text.strip()):
        return ""
    return f"invalid value for Integer(): {inspected(text)}"


def to_i(text: str) -> int:
    """Return the number that a text begins with, else 0."""
    found = re.match(r"\s*([+-]?\d+)", text)
    return int(found[1]) if found else 0


def is_path(value: object) -> bool:
    """Return whether Puppet takes a value for an absolute path; one line of it is enough."""
    return isinstance(value, str) and re.search(r"^/", value, re.MULTILINE) is not None


__all__ = [
    "FLOAT",
    "WholeMessage",
    "class_of",
    "inspected",
    "is_path",
    "munging",
    "no_conversion",
    "no_integer",
    "no_method",
    "shown",
    "to_i",
    "validating",
]
