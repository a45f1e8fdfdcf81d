"""Hashes of passwords as crypt(3) makes them: MD5 (`$1$`), SHA-256 (`$5$`), SHA-512 (`$6$`).

Python's own module for this is gone from 3.13 on. SHA-crypt is Ulrich Drepper's public
specification, MD5-crypt that of FreeBSD.
"""

from __future__ import annotations

import hashlib

ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ROUNDS = 5000
MD5_ROUNDS = 1000
MD5_ORDER = ((0, 6, 12), (1, 7, 13), (2, 8, 14), (3, 9, 15), (4, 10, 5))


def encoded(value: int, length: int) -> str:
    """Return a number as characters, six bits each, the lowest first."""
    return "".join(ALPHABET[value >> 6 * place & 63] for place in range(length))


def encoded_bytes(digest: bytes, order: list[tuple[int, ...]]) -> str:
    """Return the bytes of a digest as characters, three at a time, in an order of places."""
    text = ""
    for places in order:
        value = int.from_bytes(bytes(digest[place] for place in places))
        text += encoded(value, len(places) + 1)
    return text


def sha_order(size: int) -> list[tuple[int, ...]]:
    """Return the places of a digest's bytes in the text."""
    third = size // 3
    order: list[tuple[int, ...]] = []
    places = (0, third, third * 2)
    for _ in range(third):
        order.append(places)
        # The places move round: to the left in SHA-512, to the right in SHA-256.
        one, two, three = (place + 1 for place in places)
        places = (two, three, one) if size == 64 else (three, one, two)
    order.append((63,) if size == 64 else (31, 30))
    return order


def repeated(digest: bytes, length: int) -> bytes:
    """Return a digest, repeated up to a length."""
    return (digest * (length // len(digest) + 1))[:length]


def sha_crypt(kind: str, password: bytes, salt: str) -> str:
    """Return the hash of a password; `kind` is 5 for SHA-256 and 6 for SHA-512."""
    algorithm = hashlib.sha256 if kind == "5" else hashlib.sha512
    salted = salt[:16].encode()
    length = len(password)
    alternate = algorithm(password + salted + password).digest()
    start = algorithm(password + salted + repeated(alternate, length))
    bits = length
    while bits:
        start.update(alternate if bits & 1 else password)
        bits >>= 1
    digest = start.digest()
    p = repeated(algorithm(password * length).digest(), length)
    s = repeated(algorithm(salted * (16 + digest[0])).digest(), len(salted))
    for turn in range(ROUNDS):
        text = p if turn & 1 else digest
        text += (s if turn % 3 else b"") + (p if turn % 7 else b"")
        digest = algorithm(text + (digest if turn & 1 else p)).digest()
    return f"${kind}${salted.decode()}${encoded_bytes(digest, sha_order(len(digest)))}"


def md5_crypt(password: bytes, salt: str) -> str:
    """Return the hash of a password."""
    salted = salt[:8].encode()
    alternate = hashlib.md5(password + salted + password, usedforsecurity=False).digest()
    start = hashlib.md5(password + b"$1$" + salted, usedforsecurity=False)
    start.update(repeated(alternate, len(password)))
    bits = len(password)
    while bits:
        start.update(b"\0" if bits & 1 else password[:1])
        bits >>= 1
    digest = start.digest()
    for turn in range(MD5_ROUNDS):
        text = password if turn & 1 else digest
        text += (salted if turn % 3 else b"") + (password if turn % 7 else b"")
        text += digest if turn & 1 else password
        digest = hashlib.md5(text, usedforsecurity=False).digest()
    order: list[tuple[int, ...]] = [*MD5_ORDER, (11,)]
    return f"$1${salted.decode()}${encoded_bytes(digest, order)}"
