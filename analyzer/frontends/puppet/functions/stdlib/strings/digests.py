"""Digests of stdlib: crc32, sha256, hashes of passwords."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

from analyzer.frontends.puppet.functions.registry import Call, UndecidedCall
from analyzer.frontends.puppet.functions.stdlib.api import legacy, modern
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault, ParseFault, class_name, to_s
from analyzer.frontends.puppet.functions.stdlib.strings.crypt import md5_crypt, sha_crypt
from analyzer.model.values import Sensitive, Unknown

DIGESTED = "Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $my_data"
SALT = re.compile(r"[a-zA-Z0-9./]+\Z")
BCRYPT_SALT = re.compile(r"^[0-9]{2}\$[./A-Za-z0-9]{22}", re.M)
BCRYPT = ("bcrypt", "bcrypt-a", "bcrypt-x", "bcrypt-y")
CRYPTS: dict[str, Callable[[bytes, str], str]] = {
    "md5": md5_crypt,
    "sha-256": partial(sha_crypt, "5"),
    "sha-512": partial(sha_crypt, "6"),
}


def unwrapped(value: object) -> Any:
    """Return a value that may be sensitive."""
    return value.value if isinstance(value, Sensitive) else value


def raw(text: str) -> bytes:
    """Return a text's bytes."""
    return text.encode("utf-8", "surrogateescape")


@modern("stdlib::crc32", DIGESTED)
def crc32(call: Call, value: object) -> str:
    """Return the CRC-32 of a value's text, in hexadecimal."""
    return f"{zlib.crc32(raw(to_s(unwrapped(value)))):x}"


@modern("stdlib::sha256", DIGESTED)
def sha256(call: Call, value: object) -> str:
    """Return the SHA-256 digest of a value's text."""
    return hashlib.sha256(raw(to_s(unwrapped(value)))).hexdigest()


@legacy("pw_hash", 3)
def pw_hash(call: Call, *values: object) -> str | None:
    """Return the hash of a password, as crypt(3) makes it."""
    password, kind, salt = map(unwrapped, values)
    if not isinstance(password, str | None):
        raise Fault("pw_hash(): first argument must be a string")
    if not isinstance(kind, str):
        raise Fault("pw_hash(): second argument must be a string")
    name = kind.lower()
    if name not in CRYPTS and name not in BCRYPT:
        raise Fault(f"pw_hash(): {kind} is not a valid hash type")
    check_salt(salt, name in BCRYPT)
    if not password:
        return None
    if name in BCRYPT:
        raise UndecidedCall(Unknown("pw_hash with bcrypt"))
    return CRYPTS[name](raw(password), salt)


def check_salt(salt: object, bcrypt: bool) -> None:
    """Refuse a salt that is none."""
    if not isinstance(salt, str):
        raise Fault("pw_hash(): third argument must be a string")
    if not salt:
        raise Fault("pw_hash(): third argument must not be empty")
    if bcrypt and not BCRYPT_SALT.search(salt):
        raise Fault(
            "pw_hash(): characters in salt must match (?-mix:^[0-9]{2}\\$[.\\/A-Za-z0-9]{22})"
        )
    if not bcrypt and not SALT.match(salt):
        raise Fault("pw_hash(): characters in salt must be in the set [a-zA-Z0-9./]")


@legacy("str2saltedpbkdf2")
def str2saltedpbkdf2(call: Call, *values: object) -> dict[str, object]:
    """Return the hash of a password for macOS."""
    name = "str2saltedpbkdf2()"
    if len(values) != 3:
        raise Fault(f"{name}: wrong number of arguments ({len(values)} for 3)")
    password, salt, iterations = map(unwrapped, values)
    if not isinstance(password, str):
        raise Fault(f"{name}: first argument must be a string")
    if not isinstance(salt, str):
        raise Fault(f"{name}: second argument must be a string")
    if len(raw(salt)) < 8:
        raise Fault(f"{name}: second argument must be at least 8 bytes long")
    if not isinstance(iterations, int) or isinstance(iterations, bool):
        raise Fault(f"{name}: third argument must be an integer")
    if not 40_000 < iterations < 70_000:
        raise Fault(f"{name}: third argument must be between 40,000 and 70,000")
    made = hashlib.pbkdf2_hmac("sha512", raw(password), raw(salt), iterations, 128)
    return {"password_hex": made.hex(), "salt_hex": raw(salt).hex(), "iterations": iterations}


@legacy("str2saltedsha512")
def str2saltedsha512(call: Call, *values: object) -> Unknown:
    """Check the argument; the salt is another one each time, so that the hash is not known."""
    name = "str2saltedsha512()"
    if len(values) != 1:
        raise ParseFault(
            f"{name}: Wrong number of arguments passed ({len(values)} but we require 1)"
        )
    if not isinstance(values[0], str):
        raise ParseFault(f"{name}: Requires a String argument, you passed: {class_name(values[0])}")
    return Unknown("str2saltedsha512 makes a random salt")
