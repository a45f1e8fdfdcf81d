"""The functions of policies on lists and containers that depend on their arguments only.

What each gives was measured with cf-agent 3.21 (tests/frontends/cfengine/calls.json).
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from analyzer.frontends.cfengine.policy.functions import (
    NUMBER,
    Function,
    real,
)
from analyzer.frontends.cfengine.policy.patterns import in_time, regular
from analyzer.frontends.cfengine.policy.unknown import NoResult, Unknown, UnknownResult
from analyzer.frontends.cfengine.policy.variables import DataList, text_of

Items = list[str]
# As the agent reads them: no capital letters, no IPv4 address at the end of an IPv6 one; parts of
# Ethernet addresses may have too many digits.
PLAIN_ADDRESS = re.compile(r"[0-9a-f:]+|[0-9.]+")
MAC_PARTS, MAC_PART = 6, re.compile("[0-9a-fA-F]+")
PACKED_MAC = re.compile("(?:[0-9a-fA-F]{2}){6}")


def matches(pattern: str, items: Items) -> list[bool]:
    """Return for each item whether a pattern matches it."""
    expression = regular(pattern)
    return in_time(lambda: [expression.fullmatch(item) is not None for item in items])


def filtered(wanted: str, items: Items, regex: str, invert: str, most: str) -> Items:
    """Return the items that equal or match a text, or the other items."""
    found = matches(wanted, items) if truth(regex) else [item == wanted for item in items]
    kept = [i for i, hit in zip(items, found, strict=True) if hit is not truth(invert)]
    return kept[: int(most)]


def truth(text: str) -> bool:
    """Read a yes or no."""
    return text in ("true", "yes", "on", "any")


def unique(items: Items) -> Items:
    """Return each item once, at its first place."""
    return list(dict.fromkeys(items))


def sorting_key(kind: str) -> Any:
    """Return the sort key of an item; texts that are no numbers come before numbers.

    Raises:
        NoResult: the kind of sorting is not known here.
    """
    if kind == "lex":
        return lambda item: item
    if kind.lower() in ("ip", "mac"):
        address = ip_key if kind.lower() == "ip" else mac_key
        return lambda item: (True, found, "") if (found := address(item)) else (False, (), item)
    if kind not in ("int", "real"):
        raise NoResult(kind)

    def key(item: str) -> tuple[bool, float, str]:
        number = NUMBER.match(item)
        value = real(item)
        return (number is not None, int(value) if kind == "int" else value, "" if number else item)

    return key


def ip_key(text: str) -> tuple[int, ...] | None:
    """Return an address as numbers, None if the text is none."""
    if not PLAIN_ADDRESS.fullmatch(text):
        return None
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return (found.version, *found.packed)


def mac_key(text: str) -> tuple[int, ...] | None:
    """Return an Ethernet address as numbers, None if the text is none."""
    parts = re.findall("..", text) if PACKED_MAC.fullmatch(text) else text.split(":")
    if len(parts) != MAC_PARTS or not all(MAC_PART.fullmatch(part) for part in parts):
        return None
    return tuple(int(part, 16) % 256 for part in parts)


def ordered(items: Items, kind: str = "lex") -> Items:
    """Return items in order; of equal ones the last comes first."""
    backwards = items[::-1]
    return sorted(backwards, key=sorting_key(kind))


def extreme(items: Items, kind: str, place: int) -> str:
    """Return the first or last item of the order.

    Raises:
        NoResult: there is none.
    """
    if not items:
        raise NoResult("an empty list")
    return ordered(items, kind)[place]


def sublist(items: Items, side: str, most: str) -> Items:
    """Return the first or the last items."""
    count = int(most)
    return items[:count] if side == "head" else items[max(0, len(items) - count) :]


def product(items: Items) -> float:
    """Return the product of numbers; other texts count as 0."""
    result = 1.0
    for item in items:
        result *= real(item)
    return result


def mean(items: Items) -> float:
    """Return the average of numbers.

    Raises:
        NoResult: there is none.
    """
    if not items:
        raise NoResult("an empty list")
    return sum(map(real, items)) / len(items)


def variance(items: Items) -> float:
    """Return the sample variance of numbers, 0 of one alone.

    Raises:
        NoResult: there is none.
    """
    average = mean(items)
    return sum((real(item) - average) ** 2 for item in items) / max(1, len(items) - 1)


def number(value: float) -> str:
    """Return a number as CFEngine prints it."""
    return f"{value:.6f}"


def nth(value: Any, place: str) -> object:
    """Return an item by its place, or an entry by its key.

    Raises:
        NoResult: there is none.
    """
    try:
        found = value[place] if isinstance(value, dict) else value[int(place)]
    except (KeyError, IndexError):
        raise NoResult(place) from None
    if isinstance(found, Unknown):
        raise UnknownResult(found)
    if isinstance(found, list | dict):
        raise NoResult(place)
    return text_of(found)


def flat(value: Any) -> Items:
    """Return all plain values of a container, however deep."""
    items = value.values() if isinstance(value, dict) else value
    result: Items = []
    for item in items:
        if isinstance(item, list | dict):
            result += flat(item)
        elif item is not None:
            result.append(text_of(item))
    return result


def merged(first: object, *others: object) -> object:
    """Return containers as one: lists joined, entries of the later over those of the earlier."""
    result = first
    for other in others:
        if isinstance(result, list) and isinstance(other, list):
            result = DataList([*result, *other])
        else:
            # An entry that is replaced goes to the end.
            new = keyed(other)
            result = {k: v for k, v in keyed(result).items() if k not in new} | new
    return result


def keyed(value: Any) -> dict[str, object]:
    """Return a container by keys; those of a list are its places."""
    return value if isinstance(value, dict) else {str(n): item for n, item in enumerate(value)}


def is_container(value: object) -> bool:
    """Return whether the items of a value have indices."""
    return isinstance(value, dict | DataList)


# On a list, which the argument at a place is or names.
LISTS: dict[str, tuple[int, Function]] = {
    "every": (1, lambda pattern, items: bool(items) and all(matches(pattern, items))),
    "filter": (1, filtered),
    "grep": (1, lambda pattern, items: filtered(pattern, items, "true", "false", "99999999")),
    "join": (1, lambda glue, items: glue.join(items)),
    "max": (0, lambda items, kind="lex": extreme(items, kind, -1)),
    "mean": (0, lambda items: number(mean(items))),
    "min": (0, lambda items, kind="lex": extreme(items, kind, 0)),
    "none": (1, lambda pattern, items: not any(matches(pattern, items))),
    "product": (0, lambda items: number(product(items))),
    "regarray": (0, lambda items, pattern: any(matches(pattern, items))),
    "reglist": (0, lambda items, pattern: any(matches(pattern, items))),
    "reverse": (0, lambda items: items[::-1]),
    "some": (1, lambda pattern, items: any(matches(pattern, items))),
    "sort": (0, ordered),
    "sublist": (0, sublist),
    "sum": (0, lambda items: number(sum(map(real, items)))),
    "unique": (0, unique),
    "variance": (0, lambda items: number(variance(items))),
}
# On two lists.
PAIRS: dict[str, Function] = {
    "difference": lambda items, others: [i for i in unique(items) if i not in others],
    "intersection": lambda items, others: [i for i in unique(items) if i in others],
}
# On a list or container as it is, which the argument at the first place is or names.
CONTAINERS: dict[str, Function] = {
    "getindices": lambda value: list(keyed(value)) if is_container(value) else [],
    "getvalues": flat,
    "length": lambda value: str(len(value)),
    "nth": nth,
}

# They do not look at the items.
UNREAD = frozenset(("reverse", "sublist"))
# Their container may be an array of variables.
OF_ARRAYS = frozenset(("getindices", "getvalues", "nth"))
NAMES = frozenset((*LISTS, *PAIRS, *CONTAINERS, "mergedata"))
