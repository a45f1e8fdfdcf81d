"""IP addresses as Ruby's IPAddr reads and writes them, and stdlib's functions on them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.frontends.puppet.functions.registry import Call
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    class_name,
    to_s,
    unique,
)
from analyzer.model.values import Value, flat

IPV4 = re.compile(r"(\d+)\.(\d+)\.(\d+)\.(\d+)\Z", re.ASCII)
HEX = "[0-9a-fA-F]{1,4}"
FULL = re.compile(rf"(?:{HEX}:){{7}}{HEX}\Z")
FULL_WITH_IPV4 = re.compile(rf"((?:{HEX}:){{6}})(\d+\.\d+\.\d+\.\d+)\Z", re.ASCII)
COMPRESSED = re.compile(rf"((?:(?:{HEX}:)*{HEX})?)::((?:{HEX}:)*{HEX})?\Z")
COMPRESSED_WITH_IPV4 = re.compile(
    rf"((?:(?:{HEX}:)*{HEX})?)::((?:{HEX}:)*)(\d+\.\d+\.\d+\.\d+)\Z", re.ASCII
)
ZONE = re.compile(r"(.*)(%\w+)\Z", re.ASCII)
BITS = {4: 32, 6: 128}


class AddressFault(Fault):
    """A text that is no address; an ArgumentError in Ruby."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address or a network: the first address in it, and its mask."""

    version: int
    value: int
    mask: int
    zone: str = ""

    @property
    def last(self) -> int:
        """Return the last address in the network."""
        return self.value | ((1 << BITS[self.version]) - 1 ^ self.mask)

    def includes(self, other: Address) -> bool:
        """Return whether another network lies in this one."""
        same = self.version == other.version
        return same and self.value <= other.value and other.last <= self.last

    def __str__(self) -> str:
        if self.version == 4:
            return dotted(self.value)
        return shortened(self.value, self.zone)


def dotted(value: int) -> str:
    """Return an IPv4 address as text."""
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))


def shortened(value: int, zone: str) -> str:
    """Return an IPv6 address as text, the first of the longest runs of zeros left out."""
    groups = [f"{value >> shift & 0xFFFF:x}" for shift in range(112, -1, -16)]
    text = ":".join(groups) + zone
    if text == "0:0:0:0:0:0:0:0":
        return "::"
    for length in range(7, 1, -1):
        zeros = re.compile(rf"\b{':'.join('0' * length)}\b")
        if zeros.search(text):
            text = zeros.sub(":", text, count=1)
            break
    text = re.sub(r":{3,}", "::", text, count=1)
    match = re.match(r"::(ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})\Z", text)
    if match is None:
        return text
    return f"::{match[1] or ''}{dotted(int(match[2], 16) << 16 | int(match[3], 16))}"


def address(text: object) -> Address:
    """Return the address or network that a text names (`IPAddr.new`)."""
    if not isinstance(text, str):
        raise AddressFault("address family must be specified")
    plain, slash, length = text.partition("/")
    zone = ""
    only_ipv6 = False
    if len(plain) > 1 and plain[0] == "[" and plain[-1] == "]" and "\n" not in plain:
        plain, only_ipv6 = plain[1:-1], True
    if match := ZONE.match(plain):
        plain, zone, only_ipv6 = match[1], match[2], True
    value = None if only_ipv6 else ipv4(plain)
    version = 4 if value is not None else 6
    if value is None:
        value = ipv6(plain)
    whole = (1 << BITS[version]) - 1
    mask = masked(length, version, value) if slash else whole
    return Address(version, value & mask, mask, zone)


def ipv4(text: str) -> int | None:
    """Return an IPv4 address as a number, None if a text has not its form."""
    match = IPV4.match(text)
    if match is None:
        return None
    value = 0
    for octet in match.groups():
        if int(octet) > 255:
            raise AddressFault("invalid address: ")
        if octet[0] == "0" and len(octet) > 1:
            raise AddressFault("zero-filled number in IPv4 address is ambiguous: ")
        value = value << 8 | int(octet)
    return value


def ipv6(text: str) -> int:
    """Return an IPv6 address as a number."""
    colons = text.count(":")
    if FULL.match(text):
        return joined(text.split(":"), [], 0)
    if match := FULL_WITH_IPV4.match(text):
        return joined([*match[1].split(":")[:6], "0", "0"], [], ipv4(match[2]) or 0)
    if match := COMPRESSED.match(text):
        right = match[2] or ""
        if colons > (7 if match[1] and right else 8):
            raise AddressFault("invalid address: ")
        return joined(parts(match[1]), parts(right), 0)
    match = COMPRESSED_WITH_IPV4.match(text)
    if match is None or colons > 6:
        raise AddressFault("invalid address: ")
    return joined(parts(match[1]), [*parts(match[2]), "0", "0"], ipv4(match[3]) or 0)


def parts(text: str) -> list[str]:
    """Return the groups of a part of an IPv6 address."""
    return [one for one in text.split(":") if one]


def joined(left: list[str], right: list[str], low: int) -> int:
    """Return the number of the groups, with zeros between both halves."""
    missing = 8 - len(left) - len(right)
    if missing < 0:
        raise AddressFault("invalid address: ")
    value = 0
    for group in [*left, *["0"] * missing, *right]:
        value = value << 16 | int(group, 16)
    return value | low


def masked(text: str, version: int, value: int) -> int:
    """Return the mask that stands behind the slash, as a length or an address."""
    bits = BITS[version]
    if re.match(r"(?:0|[1-9]+\d*)\Z", text, re.ASCII):
        if int(text) > bits:
            raise AddressFault(f"invalid length: {value}")
        return (1 << bits) - (1 << bits - int(text))
    if re.match(r"\d+\Z", text, re.ASCII):
        raise AddressFault("leading zeros in prefix")
    mask = address(text)
    if mask.version != version:
        raise AddressFault(f"address family is not same: {value}")
    rest = mask.value ^ mask.mask
    if rest + 1 & rest:
        raise AddressFault(f"invalid mask {text}: {value}")
    return mask.value


def version_of(text: object) -> int | None:
    """Return an address's version, None if the text is no address."""
    try:
        return address(text).version
    except AddressFault:
        return None


@legacy("enclose_ipv6")
def enclose_ipv6(call: Call, *values: object) -> list[Value]:
    """Put IPv6 addresses in brackets."""
    if len(values) != 1:
        raise ParseFault(f"enclose_ipv6(): Wrong number of arguments given {len(values)} for 1")
    if not isinstance(values[0], str | list):
        shown = class_name(values[0])
        raise ParseFault(
            f"enclose_ipv6(): Wrong argument type given {shown} expected String or Array"
        )
    result = []
    for value in flat([values[0]]):
        if value is None:
            continue
        result.append(value if value == "*" else enclosed(value))
    return unique(result)


def enclosed(value: object) -> Value:
    """Return an address, in brackets if it is one of IPv6."""
    try:
        found = address(value)
    except AddressFault:
        raise ParseFault(
            f"enclose_ipv6(): Wrong argument given {to_s(value)} is not an ip address."
        ) from None
    return f"[{found}]" if found.version == 6 else value


@modern("stdlib::ip_in_range", "String $ipaddress, Variant[String, Array] $range")
def ip_in_range(call: Call, ipaddress: str, ranges: object) -> bool:
    """Return whether an address lies in one of the networks."""
    wanted = address(ipaddress)
    networks = [address(one) for one in (ranges if isinstance(ranges, list) else [ranges])]
    return any(network.includes(wanted) for network in networks)
