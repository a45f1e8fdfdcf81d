"""Values as text of other languages: to_ruby, to_python, to_toml."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.functions.registry import Call, UndecidedCall
from analyzer.frontends.puppet.functions.stdlib.api import modern
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    class_name,
    inspect,
    no_method,
    sort,
    to_s,
)
from analyzer.model.keys import of_key
from analyzer.model.values import DEFAULT, Regexp, Sensitive, Unknown, Value

TYPE_KEY = "__ptype"
VALUE_KEY = "__pvalue"
BARE_KEY = re.compile(r"(?:\A|(?<=\n)(?!\Z))[a-zA-Z0-9_-]*$", re.M)
PYTHON_WORDS = {None: "None", True: "True", False: "False"}


def as_data(value: object) -> Value:
    """Return a value made of data only: other values become hashes (rich data)."""
    if value is DEFAULT:
        return {TYPE_KEY: "Default"}
    if isinstance(value, Regexp):
        return {TYPE_KEY: "Regexp", VALUE_KEY: value.source}
    if isinstance(value, Sensitive):
        return {TYPE_KEY: "Sensitive", VALUE_KEY: as_data(value.value)}
    if isinstance(value, list):
        return [as_data(one) for one in value]
    if isinstance(value, dict):
        if all(isinstance(name, str) and name not in (TYPE_KEY, VALUE_KEY) for name in value):
            return {name: as_data(one) for name, one in value.items()}
        flat = [as_data(part) for k, v in value.items() for part in (of_key(k), v)]
        return {TYPE_KEY: "Hash", VALUE_KEY: flat}
    if value is None or isinstance(value, str | int | float):
        return value
    raise UndecidedCall(Unknown(f"the data of {class_name(value)}"))


def literal(value: object, arrow: str, plain: Callable[[object], str]) -> str:
    """Return data as a literal of a language."""
    if isinstance(value, list):
        return f"[{', '.join(literal(one, arrow, plain) for one in value)}]"
    if isinstance(value, dict):
        entries = (
            literal(k, arrow, plain) + arrow + literal(v, arrow, plain) for k, v in value.items()
        )
        return f"{{{', '.join(entries)}}}"
    return plain(value)


@modern("to_ruby stdlib::to_ruby", "Any $object")
def to_ruby(call: Call, value: object) -> str:
    """Return a value as a literal of Ruby."""
    return literal(as_data(value), " => ", inspect)


@modern("to_python stdlib::to_python", "Any $object")
def to_python(call: Call, value: object) -> str:
    """Return a value as a literal of Python."""
    return literal(as_data(value), ": ", in_python)


def in_python(value: object) -> str:
    """Return a simple value as a literal of Python."""
    if value is None or isinstance(value, bool):
        return PYTHON_WORDS[value]
    return inspect(value)


@modern("to_toml stdlib::to_toml", "Hash $data")
def to_toml(call: Call, data: dict[object, object]) -> str:
    """Return a hash as TOML, its keys in order."""
    lines: list[str] = []
    dump_table(data, [], lines)
    return "".join(f"{line}\n" for line in lines)


Pairs = list[tuple[Any, Any]]


def sorted_pairs(data: dict[object, object]) -> tuple[Pairs, Pairs, Pairs]:
    """Return a table's simple values, tables, and arrays of tables."""
    simple: Pairs = []
    tables: Pairs = []
    arrays: Pairs = []
    for name in sort(list(data)):
        value = data[name]
        if isinstance(value, dict):
            tables.append((name, value))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            arrays.append((name, value))
        else:
            simple.append((name, value))
    return simple, tables, arrays


def dump_table(data: dict[object, object], prefix: list[str], lines: list[str]) -> None:
    """Write a table, with its name if it has simple values or none at all."""
    simple, _, _ = pairs = sorted_pairs(data)
    if prefix and (simple or not data):
        lines.append(f"[{'.'.join(prefix)}]")
    dump_pairs(pairs, prefix, lines)


def dump_pairs(pairs: tuple[Pairs, Pairs, Pairs], prefix: list[str], lines: list[str]) -> None:
    """Write what a table holds."""
    simple, tables, arrays = pairs
    lines += [f"{toml_key(name)} = {toml_value(value)}" for name, value in simple]
    for name, value in tables:
        dump_table(value, [*prefix, toml_key(name)], lines)
    for name, value in arrays:
        inner = [*prefix, toml_key(name)]
        for table in value:
            lines.append(f"[[{'.'.join(inner)}]]")
            if not isinstance(table, dict):
                no_method("keys", table)
            dump_pairs(sorted_pairs(table), inner, lines)


def toml_key(name: object) -> str:
    """Return a key, in quotes if need be."""
    if BARE_KEY.search(to_s(name)):
        return to_s(name)
    if not isinstance(name, str):
        no_method("gsub", name)
    return '"' + name.replace('"', '\\"') + '"'


def toml_value(value: object) -> str:
    """Return a simple value: what Ruby shows of it, but that `#{` is not escaped."""
    text = inspect(value)
    if isinstance(value, str):
        return re.sub(r"\\(#[$@{])", r"\1", text)
    return inspect(text) if isinstance(value, Regexp) else text
