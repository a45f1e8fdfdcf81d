"""The functions of policies that only work on their arguments; all others are not known here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.cfengine.classes import canonified
from analyzer.frontends.cfengine.json_text import NoJson, read_json
from analyzer.frontends.cfengine.variables import Content


class NotKnown(Exception):
    """What a function gives can only be known on the machine, or when its arguments are."""


def regular(pattern: str) -> re.Pattern[str]:
    """Return a regular expression.

    Raises:
        NotKnown: Python does not read it as PCRE does.
    """
    try:
        return re.compile(pattern, re.DOTALL | re.MULTILINE)
    except re.error:
        raise NotKnown(pattern) from None


def read_data(text: str) -> Content:
    """Read JSON.

    Raises:
        NotKnown: it is none.
    """
    try:
        found = read_json(text)
    except NoJson:
        raise NotKnown(text) from None
    if isinstance(found, list | dict):
        return found
    raise NotKnown(text)


Function = Callable[..., Any]
# On texts only.
TEXTS: dict[str, Function] = {
    "canonify": canonified,
    "concat": lambda *parts: "".join(parts),
    "escape": re.escape,
    "parsejson": read_data,
    "regcmp": lambda pattern, text: regular(pattern).fullmatch(text) is not None,
    "strcmp": lambda left, right: left == right,
    "string_downcase": str.lower,
    "string_length": lambda text: str(len(text)),
    "string_replace": lambda text, old, new: text.replace(old, new),
    "string_reverse": lambda text: text[::-1],
    "string_upcase": str.upper,
    "string_trim": str.strip,
}
# On a variable's value, which the argument at a place names.
LISTS: dict[str, tuple[int, Function]] = {
    "every": (1, lambda pattern, items: all(regular(pattern).fullmatch(i) for i in items)),
    "getvalues": (0, lambda items: items),
    "join": (1, lambda glue, items: glue.join(items)),
    "length": (0, lambda items: str(len(items))),
    "none": (1, lambda pattern, items: not any(regular(pattern).fullmatch(i) for i in items)),
    "nth": (0, lambda items, place: items[int(place)]),
    "reverse": (0, lambda items: items[::-1]),
    "some": (1, lambda pattern, items: any(regular(pattern).fullmatch(i) for i in items)),
    "unique": (0, lambda items: list(dict.fromkeys(items))),
}
