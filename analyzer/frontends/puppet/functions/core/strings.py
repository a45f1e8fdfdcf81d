"""capitalize, camelcase, downcase, upcase, chomp, chop, lstrip, rstrip and strip."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.functions.core.iterables import elements
from analyzer.frontends.puppet.functions.registry import Call, function
from analyzer.model.values import Value

WHITE = "\0 \t\n\v\f\r"
DATA = {"StringData": "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]"}


def downcase(text: str) -> str:
    """Return a text in small letters; unlike Python's, no letter depends on its place."""
    return text.lower() if text.isascii() else "".join(map(str.lower, text))


def capitalize(text: str) -> str:
    """Return a text with the first letter large and all others small."""
    return text[:1].title() + downcase(text[1:])


def camelcase(text: str) -> str:
    """Return a text of words between underscores as one word."""
    return "".join(map(capitalize, text.split("_")))


def chomp(text: str) -> str:
    """Return a text without the end of the line."""
    return text[:-2] if text.endswith("\r\n") else text[: -text.endswith(("\n", "\r")) or None]


def chop(text: str) -> str:
    """Return a text without its last character."""
    return text[:-2] if text.endswith("\r\n") else text[:-1]


def lstrip(text: str) -> str:
    """Return a text without white space at its start."""
    return text.lstrip(WHITE)


def rstrip(text: str) -> str:
    """Return a text without white space at its end."""
    return text.rstrip(WHITE)


def strip(text: str) -> str:
    """Return a text without white space at its ends."""
    return text.strip(WHITE)


def register(change: Callable[[str], str]) -> None:
    """Make a function that changes texts; numbers are not changed."""
    name = change.__name__

    def of_text(call: Call, text: str) -> str:
        return change(text)

    def of_elements(call: Call, values: object) -> list[Value]:
        return [change(one) if isinstance(one, str) else one for one in elements(values)]

    function(name, "Numeric $arg")(unchanged)
    function(name, "String $arg")(of_text)
    function(name, "Iterable[Variant[String, Numeric]] $arg")(of_elements)


def register_deep(change: Callable[[str], str]) -> None:
    """Make a function of a change of texts, also of those in arrays and hashes."""
    name = change.__name__

    def deep(call: Call, value: object) -> Value:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, list):
            return [deep(call, one) for one in value]
        if isinstance(value, dict):
            return {deep(call, key): deep(call, one) for key, one in value.items()}
        if isinstance(value, tuple):
            return tuple(deep(call, one) for one in value)
        return value

    function(name, "Numeric $arg")(unchanged)
    function(
        name,
        "String $arg",
        "Array[StringData] $arg",
        "Hash[StringData, StringData] $arg",
        types=DATA,
    )(deep)


def unchanged(call: Call, number: float) -> float:
    """Return a number, which has no letters."""
    return number


def upcase(text: str) -> str:
    """Return a text in large letters."""
    return text.upper()


for deep_change in (downcase, upcase):
    register_deep(deep_change)
for plain_change in (capitalize, camelcase, chomp, chop, lstrip, rstrip, strip):
    register(plain_change)
