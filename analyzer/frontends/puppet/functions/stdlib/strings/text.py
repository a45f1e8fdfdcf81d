"""Texts of stdlib: case, runs of characters, line ends, names of files, beginnings and ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    ParseFault,
    no_method,
    text_of,
)
from analyzer.frontends.puppet.functions.stdlib.strings.characters import character_set, squeezed
from analyzer.model.values import Value


def each_text(name: str, values: tuple[object, ...], change: Callable[[str], str]) -> Value:
    """Change a text, or the texts of an array."""
    if not values:
        raise ParseFault(f"{name}(): Wrong number of arguments given (0 for 1)")
    value = values[0]
    if isinstance(value, str):
        return change(value)
    if not isinstance(value, list):
        raise ParseFault(f"{name}(): Requires either array or string to work with")
    return [change(one) if isinstance(one, str) else one for one in value]


def swapped(text: str) -> str:
    """Return a text with capitals for small letters, and the other way, one by one."""
    return "".join(map(str.swapcase, text))


@legacy("swapcase")
def swapcase(call: Call, *values: object) -> Value:
    """Turn capitals into small letters, and small letters into capitals."""
    return each_text("swapcase", values, swapped)


@legacy("squeeze")
def squeeze(call: Call, *values: Any) -> Value:
    """Make runs of the same character one."""
    if len(values) not in (1, 2):
        raise ParseFault(f"squeeze(): Wrong number of arguments given {len(values)} for 2 or 1")
    given = values[1] if len(values) == 2 else None
    every = given is None or given is False
    whole = values[0]
    for one in whole if isinstance(whole, list) else [whole]:
        if not isinstance(one, str):
            no_method("squeeze", one)
    contains = (lambda char: True) if every else character_set(text_of(given))
    if isinstance(whole, list):
        return [squeezed(one, contains) for one in whole]
    return squeezed(whole, contains)


def line_ends(name: str, value: object) -> str:
    """Return the text whose line ends a function changes."""
    if not isinstance(value, str):
        raise ParseFault(f"{name}(): Requires string as argument")
    return value


@legacy("dos2unix", 1)
def dos2unix(call: Call, value: object) -> str:
    """Make line ends `\\n`."""
    return line_ends("dos2unix", value).replace("\r\n", "\n")


@legacy("unix2dos", 1)
def unix2dos(call: Call, value: object) -> str:
    """Make line ends `\\r\\n`."""
    return re.sub(r"\r*\n", "\r\n", line_ends("unix2dos", value))


@legacy("basename")
def basename(call: Call, *values: Any) -> str:
    """Return a path's last name, without an ending if it is that."""
    if not values:
        raise ParseFault("basename(): No arguments given")
    if len(values) > 2:
        raise ParseFault(f"basename(): Too many arguments given ({len(values)})")
    for value, ordinal in zip(values, ("first", "second"), strict=False):
        if not isinstance(value, str):
            raise ParseFault(f"basename(): Requires string as {ordinal} argument")
    path, ending = (*values, "")[:2]
    name = str(path).rstrip("/").rpartition("/")[2]
    if not name:
        return "/" if path else ""
    if ending == ".*":
        return name[: name.rfind(".")] if name.rfind(".") > 0 else name
    return name[: -len(ending)] if ending and name != ending and name.endswith(ending) else name


@legacy("dirname")
def dirname(call: Call, *values: object) -> str:
    """Return a path without its last name."""
    if not values:
        raise ParseFault("dirname(): No arguments given")
    if len(values) > 1:
        raise ParseFault(f"dirname(): Too many arguments given ({len(values)})")
    path = values[0]
    if not isinstance(path, str):
        raise ParseFault("dirname(): Requires string as argument")
    if not path:
        raise ParseFault("dirname(): Requires a non-empty string as argument")
    absolute = path.startswith("/")
    path = "/" + path.lstrip("/") if absolute else path
    before = path.rstrip("/").rpartition("/")[0].rstrip("/")
    return before or ("/" if absolute else ".")


@modern("stdlib::extname", "String $filename")
def extname(call: Call, filename: str) -> str:
    """Return the ending of a file's name, with its dot."""
    name = filename.rstrip("/").rpartition("/")[2].lstrip(".")
    _, dot, ending = name.rpartition(".")
    stem = len(name) - len(ending) - 1
    return dot + ending if dot and stem >= 0 and (stem or name != filename) else ""


@modern(
    "stdlib::start_with", "String $test_string, Variant[String[1], Array[String[1], 1]] $prefixes"
)
def start_with(call: Call, text: str, prefixes: str | list[str]) -> bool:
    """Return whether a text begins with one of some texts."""
    return text.startswith(tuple(prefixes) if isinstance(prefixes, list) else prefixes)


@modern(
    "stdlib::end_with", "String $test_string, Variant[String[1], Array[String[1], 1]] $suffixes"
)
def end_with(call: Call, text: str, suffixes: str | list[str]) -> bool:
    """Return whether a text ends with one of some texts."""
    return text.endswith(tuple(suffixes) if isinstance(suffixes, list) else suffixes)


ENSURED = {"package": "installed", "service": "running"}


@modern(
    "stdlib::ensure",
    "Variant[Boolean, Enum['present', 'absent']] $ensure, "
    "Enum['directory', 'link', 'mounted', 'service', 'file', 'package'] $resource",
)
def ensure(call: Call, wanted: object, resource: str) -> str:
    """Return the value of `ensure` for a type's resource that must exist, or must not."""
    if wanted in (True, "present"):
        return ENSURED.get(resource, resource)
    return "stopped" if resource == "service" else "absent"
