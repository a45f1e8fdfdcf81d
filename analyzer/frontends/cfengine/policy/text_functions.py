"""Further functions of texts: names, addresses, versions, times, data in texts.

Facts: evalfunction.c of 3.21, measured (tests/frontends/cfengine/calls.json).
"""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections.abc import Callable
from typing import Any

from analyzer.frontends.cfengine.policy.functions import read_data, split
from analyzer.frontends.cfengine.policy.unknown import NoResult, UnknownResult
from analyzer.frontends.cfengine.policy.variables import DataList
from analyzer.frontends.cfengine.syntax.json_text import NoJson, read_json

MOST_NODES = 100


def last_node(text: str, pattern: str) -> str:
    """Return the part of a text behind the last match of an expression."""
    return split(text, pattern, MOST_NODES)[-1]


def formatted_time(mode: str, template: str, seconds: str) -> str:
    """Return a time as strftime does.

    Raises:
        UnknownResult: it is that of the machine's time zone.
    """
    if mode != "gmtime":
        raise UnknownResult("strftime() depends on the time zone of the machine")
    found = time.strftime(template, time.gmtime(int(seconds)))
    if not found:
        raise NoResult(template)
    return found


def hash_to_int(low: str, high: str, text: str) -> str:
    """Return a number of a range for a text, by its checksum."""
    first, last = sorted((int(low), int(high)))
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
    size = last - first
    return str(first + int.from_bytes(digest[:8], "little") % size) if size else str(first)


def is_json(text: str, strict: str = "false") -> bool:
    """Return whether a text begins with JSON; 3.21 accepts plain values with `strict`, too."""
    try:
        read_json(text)
    except NoJson:
        return False
    return True


def is_data(text: str, kind: str, strict: str = "false") -> bool:
    """Return whether a text is data of a kind, of which only JSON is known."""
    if kind.upper() != "JSON":
        raise NoResult(kind)
    return is_json(text, strict)


def in_subnet(limits: str, *addresses: str) -> bool:
    """Return whether an address is in a network or range.

    Raises:
        NoResult: the range is none.
        UnknownResult: it is not read here.
    """
    if ":" in limits:
        raise UnknownResult("ranges of IPv6 are not read here")
    try:
        if "-" in limits:
            return any(map(in_range(limits), addresses))
        network = ipaddress.ip_network(limits, strict=False)
    except ValueError:
        raise NoResult(limits) from None
    return any(address_of(text) in network for text in addresses)


def address_of(text: str) -> ipaddress.IPv4Address:
    """Return an address; what is none is in no network.

    Raises:
        UnknownResult: it is none.
    """
    try:
        return ipaddress.IPv4Address(text)
    except ValueError:
        raise UnknownResult(f"the address {text!r} is not read here") from None


def in_range(limits: str) -> Callable[[str], bool]:
    """Return a test for addresses in which each part is in its range `a-b`."""
    parts = [tuple(map(int, part.split("-"))) for part in limits.split(".")]

    def test(text: str) -> bool:
        numbers = [int(part) for part in str(address_of(text)).split(".")]
        return len(parts) == len(numbers) and all(
            part[0] <= number <= part[-1] for part, number in zip(parts, numbers, strict=True)
        )

    return test


def number_range(low: str, high: str) -> str:
    """Return a range of integers."""
    first, last = sorted((int(low), int(high)))
    return f"{first},{last}"


def unique_name(text: str) -> str:
    """Return a class's name for a text, with its checksum."""
    from analyzer.frontends.cfengine.policy.classes import canonified

    digest = hashlib.sha1(text.encode("utf-8", "surrogateescape"), usedforsecurity=False)
    return canonified(f"{text}_{digest.hexdigest()}")


def read_yaml_text(text: str) -> Any:
    """Return the container in a text of YAML.

    Raises:
        NoResult: there is none.
    """
    from analyzer.diagnostics import InputError
    from analyzer.formats.yaml_reader import load

    if text.lstrip()[:1] in ("{", "["):
        return read_data(text)
    try:
        return as_data(load(text, "parseyaml()", dates_as_text=True))
    except InputError:
        raise NoResult(text) from None


def as_data(value: Any) -> Any:
    """Return a document as a container.

    Raises:
        NoResult: it is none.
    """
    if isinstance(value, dict):
        return {str(key): nested(item) for key, item in value.items()}
    if isinstance(value, list):
        return DataList(map(nested, value))
    raise NoResult("no container")


def nested(value: Any) -> Any:
    """Return an item of a document."""
    return as_data(value) if isinstance(value, dict | list) else value


def evaluated_text(*arguments: str) -> str | bool:
    """Return the value of an expression of numbers."""
    from analyzer.frontends.cfengine.policy.arithmetic import evaluated

    return evaluated(*arguments)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "canonifyuniquely": unique_name,
    "eval": evaluated_text,
    "hash_to_int": hash_to_int,
    "irange": number_range,
    "isipinsubnet": in_subnet,
    "lastnode": last_node,
    "parseyaml": read_yaml_text,
    "strftime": formatted_time,
    "translatepath": lambda text: text,
    "validdata": is_data,
    "validjson": is_json,
}
