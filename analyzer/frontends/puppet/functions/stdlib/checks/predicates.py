"""Questions of stdlib about values: is_array, is_ip_address, is_domain_name and others."""

from __future__ import annotations

import re
from collections.abc import Callable

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.checks.addresses import version_of
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    class_name,
    float_text,
    is_number,
    text_of,
    to_f,
    to_i,
    to_s,
)
from analyzer.model.values import DEFAULT, Value

Question = Callable[..., bool]

DEPRECATED = (
    "This method is deprecated, please use match expressions with Stdlib::Compat::{} instead. "
    "They are described at https://docs.puppet.com/puppet/latest/reference/"
    "lang_data_type.html#match-expressions."
)
SLASH, LABEL = r"[\\/]", r"[^\\/]+"
WINDOWS = re.compile(
    rf"^(?:[A-Z]:{SLASH}|{SLASH}{SLASH}{LABEL}{SLASH}{LABEL}|{SLASH}{SLASH}\?{SLASH}{LABEL})",
    re.M | re.I,
)
POSIX = re.compile(r"^/", re.M)
INTEGER = re.compile(r"^-?(?:[1-9]\d*|0)$", re.M | re.ASCII)
NUMERIC = re.compile(r"^-?(?:[1-9]\d*|0)(?:\.\d+)?(?:[eE]-?\d+)?$", re.M | re.ASCII)
EMAIL = re.compile(r"(?:[\w+\-].?)+@[a-z\d\-]+(?:\.[a-z]+)*\.[a-z]+\Z", re.ASCII)
MAC = re.compile(r"^[a-f0-9]{1,2}(?:(?::[a-f0-9]{1,2}){5}|(?::[a-f0-9]{1,2}){19})$", re.M | re.I)
LABEL_OF_DOMAIN = re.compile(r"^[a-z\d-]+$", re.M | re.I | re.ASCII)
TOP_LEVEL = re.compile(r"\.[A-Za-z]+$", re.M)


def deprecated(name: str, alias: str, key: str = "") -> Callable[[Question], Question]:
    """Register a question that says that it is deprecated, before it is answered."""

    def register(ask: Question) -> Question:
        @modern(name, "Any *$args")
        def answer(call: Call, *values: object) -> bool:
            call.call("deprecation", key or name, DEPRECATED.format(alias))
            return ask(*values)

        return ask

    return register


def question(name: str) -> Callable[[Question], Question]:
    """Register a question of the 3.x API."""

    def register(ask: Question) -> Question:
        @legacy(name)
        def answer(call: Call, *values: object) -> bool:
            return ask(*values)

        return ask

    return register


def one(
    name: str, values: tuple[object, ...], *, bracket: bool = False, more: bool = False
) -> Value:
    """Return the only argument; some functions take more and look at the first."""
    if len(values) == 1 or (more and values):
        return values[0]
    count = f"({len(values)} for 1)" if bracket else f"{len(values)} for 1"
    raise ParseFault(f"{name}(): Wrong number of arguments given {count}")


@modern("is_absolute_path", "Any *$args")
def is_absolute_path(call: Call, *values: object) -> bool:
    """Return whether a text is an absolute path of Unix or Windows."""
    call.call("deprecation", "is_absolute_path", DEPRECATED.format("Absolute_Path"))
    return is_path(call, *values)


def is_path(call: Call, *values: object) -> bool:
    """Return whether a text is an absolute path of Unix or Windows."""
    if len(values) != 1:
        raise Fault(f"is_absolute_path(): Wrong number of arguments given ({len(values)} for 1)")
    path = values[0]
    if not isinstance(path, str):
        for _ in ("posix", "windows"):
            call.log(
                "warning",
                f"Cannot check if {to_s(path)} is an absolute path because it is a "
                f"'{class_name(path)}' and not a String'",
            )
        return False
    return bool(POSIX.search(path) or WINDOWS.search(path))


@deprecated("is_array", "Array")
def is_array(*values: object) -> bool:
    """Return whether the value is an array."""
    return isinstance(one("is_array", values, bracket=True, more=True), list)


@deprecated("is_bool", "Bool")
def is_bool(*values: object) -> bool:
    """Return whether the value is a boolean."""
    return isinstance(one("is_bool", values, bracket=True), bool)


@deprecated("is_float", "Float")
def is_float(*values: object) -> bool:
    """Return whether the value is a float, or exactly the text of one."""
    value = one("is_float", values)
    return isinstance(value, float) or (isinstance(value, str) and value == float_text(to_f(value)))


@deprecated("is_ip_address", "Ip_address")
def is_ip_address(*values: object) -> bool:
    """Return whether the value is an address of IPv4 or IPv6."""
    return version_of(one("is_ip_address", values)) is not None


@deprecated("is_ipv4_address", "Ipv4")
def is_ipv4_address(*values: object) -> bool:
    """Return whether the value is an address of IPv4."""
    return version_of(one("is_ipv4_address", values)) == 4


@deprecated("is_ipv6_address", "Ipv6", "is_ipv4_address")
def is_ipv6_address(*values: object) -> bool:
    """Return whether the value is an address of IPv6."""
    return version_of(one("is_ipv6_address", values)) == 6


@deprecated("is_numeric", "Numeric")
def is_numeric(*values: object) -> bool:
    """Return whether the value is a number, or the text of one."""
    value = one("is_numeric", values)
    return is_number(value) or (isinstance(value, str) and bool(NUMERIC.search(value)))


@deprecated("is_string", "String")
def is_string(*values: object) -> bool:
    """Return whether the value is a text, but not that of a number; undef is one."""
    value = one("is_string", values, bracket=True, more=True)
    if not isinstance(value, str):
        return value is None
    return value not in (float_text(to_f(value)), to_s(to_i(value)))


@question("is_hash")
def is_hash(*values: object) -> bool:
    """Return whether the value is a hash."""
    return isinstance(one("is_hash", values, bracket=True), dict)


@question("is_integer")
def is_integer(*values: object) -> bool:
    """Return whether the value is an integer, or the text of one."""
    value = one("is_integer", values)
    if isinstance(value, str):
        return bool(INTEGER.search(value))
    return isinstance(value, int) and not isinstance(value, bool)


@question("is_domain_name")
def is_domain_name(*values: object) -> bool:
    """Return whether the value has the form of a domain's name."""
    name = one("is_domain_name", values)
    if not isinstance(name, str):
        return False
    if name == ".":
        return True
    name = name.removesuffix(".")
    if not name or len(name) > 255 or ("." in name and not TOP_LEVEL.search(name)):
        return False
    labels = name.rstrip(".").split(".") if name.strip(".") else []
    return all(map(is_label, labels))


def is_label(label: str) -> bool:
    """Return whether a text has the form of a part of a domain's name."""
    at_edges = label[:1] == "-" or label[-1:] == "-"
    return 1 <= len(label) <= 63 and not at_edges and bool(LABEL_OF_DOMAIN.search(label))


@question("is_email_address")
def is_email_address(*values: object) -> bool:
    """Return whether the value has the form of an email address."""
    value = one("is_email_address", values)
    return isinstance(value, str) and bool(EMAIL.match(value))


@question("is_mac_address")
def is_mac_address(*values: object) -> bool:
    """Return whether the value has the form of a hardware address."""
    value = one("is_mac_address", values)
    return value is not DEFAULT and bool(MAC.search(text_of(value)))
