"""Random numbers and texts that are the same on a node each time: seeded_rand, fqdn_rotate, ..."""

from __future__ import annotations

import hashlib
from typing import Any

from analyzer.frontends.puppet.functions.core.randoms import below, deterministic, fqdn, generator
from analyzer.frontends.puppet.functions.registry import Call, UndecidedCall
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.checks.predicates import is_integer
from analyzer.frontends.puppet.functions.stdlib.ruby import (
    Fault,
    ParseFault,
    text_of,
    to_i,
    to_s,
)
from analyzer.model.values import Unknown, Value, flat

DIGITS = "0123456789"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALPHANUMERIC = DIGITS + CAPITALS + CAPITALS.lower()
SMALL_FIRST = DIGITS + CAPITALS.lower() + CAPITALS
DNS_NAMESPACE = bytes.fromhex("6ba7b8109dad11d180b400c04fd430c8")


def is_positive(value: object) -> bool:
    """Return whether a value is a positive integer, or the text of one."""
    return is_integer(value) and to_i(value) > 0


@legacy("seeded_rand", 2)
def seeded_rand(call: Call, limit: object, seed: object) -> int:
    """Return a number less than a limit."""
    if not is_positive(limit):
        raise Fault("seeded_rand(): first argument must be a positive integer")
    if not isinstance(seed, str):
        raise Fault("seeded_rand(): second argument must be a string")
    return deterministic(call, seed, to_i(limit))


@modern("stdlib::seeded_rand", "Integer[1] $max, String $seed")
def namespaced_seeded_rand(call: Call, limit: int, seed: str) -> int:
    """Return a number less than a limit."""
    return deterministic(call, seed, limit)


@modern(
    "seeded_rand_string stdlib::seeded_rand_string",
    "Integer[1] $length, String $seed, String[2] $charset = undef",
)
def seeded_rand_string(call: Call, length: int, seed: str, charset: Any = None) -> str:
    """Return text of some length."""
    digest = hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()
    source = generator(int(digest, 16))
    chars = charset or SMALL_FIRST
    return "".join(chars[below(source, len(chars))] for _ in range(length))


@legacy("fqdn_rand_string", -2)
def fqdn_rand_string(call: Call, length: object, *rest: object) -> str:
    """Return text of some length, that depends on the node's name."""
    if not is_positive(length):
        raise Fault("fqdn_rand_string(): first argument must be a positive integer")
    charset = rest[0] if rest else None
    if charset is not None and not isinstance(charset, str):
        raise Fault("fqdn_rand_string(): second argument must be undef or a string")
    return rand_string(call, to_i(length), charset, rest[1:])


@modern(
    "stdlib::fqdn_rand_string",
    "Integer[1] $length, Optional[String] $charset = undef, Any *$seed",
)
def namespaced_rand_string(call: Call, length: int, charset: object = None, *seed: object) -> str:
    """Return text of some length, that depends on the node's name."""
    return rand_string(call, length, charset, seed)


def rand_string(call: Call, length: int, charset: Any, seeds: tuple[object, ...]) -> str:
    """Return text of some length, a character at a time."""
    chars = charset or ALPHANUMERIC
    drawn = []
    for place in range(1, length + 1):
        seed = joined([*seeds, place])
        index = call.call("fqdn_rand", len(chars), seed)
        if isinstance(index, Unknown):
            raise UndecidedCall(index)
        drawn.append(chars[int(index)])
    return "".join(drawn)


def joined(seeds: list[object]) -> str:
    """Return seeds as one text."""
    return ":".join(to_s(seed) for seed in flat(seeds))


@legacy("fqdn_rotate")
def fqdn_rotate(call: Call, *values: object) -> Value:
    """Rotate an array or text by a number of places that depends on the node's name."""
    if not values:
        raise ParseFault("fqdn_rotate(): Wrong number of arguments given (0 for 1)")
    if not isinstance(values[0], list | str):
        raise ParseFault("fqdn_rotate(): Requires either array or string to work with")
    return rotated(call, values[0], call.variable("::fqdn"), list(values[1:]))


@modern(
    "stdlib::fqdn_rotate",
    "String $input, Variant[Integer,String] *$seeds",
    "Array $input, Variant[Integer,String] *$seeds",
)
def namespaced_fqdn_rotate(call: Call, value: object, *seeds: object) -> Value:
    """Rotate an array or text by a number of places that depends on the node's name."""
    return rotated(call, value, fqdn(call), list(seeds))


def rotated(call: Call, value: Any, name: Value, seeds: list[object]) -> Value:
    """Return an array or text rotated."""
    if isinstance(name, Unknown):
        raise UndecidedCall(name)
    if len(value) <= 1:
        return value
    offset = deterministic(call, f"{to_s(name)}:{joined(seeds)}", len(value))
    return value[offset:] + value[:offset]


@legacy("fqdn_uuid")
def fqdn_uuid(call: Call, *values: object) -> str:
    """Return the UUID (version 5) of a name in the namespace of DNS."""
    if not values:
        raise Fault("fqdn_uuid: No arguments given")
    if len(values) != 1:
        raise Fault(f"fqdn_uuid: Too many arguments given ({len(values)})")
    name = text_of(values[0]).encode("utf-8", "surrogateescape")
    digest = bytearray(hashlib.sha1(DNS_NAMESPACE + name, usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
