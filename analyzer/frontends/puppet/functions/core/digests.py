"""md5, sha1, sha256, digest and shellquote."""

from __future__ import annotations

import hashlib
import re

from analyzer.frontends.puppet.evaluate.ruby import class_name, inspect, noun
from analyzer.frontends.puppet.functions.core.collections import flat
from analyzer.frontends.puppet.functions.registry import Call, legacy_function
from analyzer.model.values import DEFAULT

SAFE = re.compile(r"[a-zA-Z0-9@%_+=:,./-]+")
DANGEROUS = re.compile(r'([!"`$\\])')


def hexdigest(call: Call, algorithm: str, text: object) -> str:
    """Return the digest of a string."""
    if not isinstance(text, str):
        call.fail(f"no implicit conversion of {noun(text)} into String")
    return hashlib.new(algorithm, text.encode("utf-8", "surrogateescape")).hexdigest()


@legacy_function("md5", 1)
def md5(call: Call, text: object) -> str:
    """Return the MD5 digest of a string."""
    return hexdigest(call, "md5", text)


@legacy_function("sha1", 1)
def sha1(call: Call, text: object) -> str:
    """Return the SHA1 digest of a string."""
    return hexdigest(call, "sha1", text)


@legacy_function("sha256", 1)
def sha256(call: Call, text: object) -> str:
    """Return the SHA256 digest of a string."""
    return hexdigest(call, "sha256", text)


@legacy_function("digest", 1)
def digest(call: Call, text: object) -> str:
    """Return the digest of a string; Puppet's setting of the algorithm is SHA256 by default."""
    return hexdigest(call, "sha256", text)


@legacy_function("shellquote", -1)
def shellquote(call: Call, *words: object) -> str:
    """Return words as a shell takes them."""
    found = [quoted(call, word) for word in flat(words)]
    check_encodings(call, found)
    return " ".join(found)


def check_encodings(call: Call, words: list[str]) -> None:
    """Refuse what Ruby cannot join: words that it quoted byte by byte, and others with letters."""
    kinds = [bytewise(word) for word in words if not word.isascii()]
    if len(set(kinds)) == 2:
        names = ("ASCII-8BIT", "UTF-8") if kinds[0] else ("UTF-8", "ASCII-8BIT")
        call.fail(f"incompatible character encodings: {names[0]} and {names[1]}")


def bytewise(word: str) -> bool:
    """Return whether a quoted word had to be quoted byte by byte."""
    return word.startswith('"') and "'" in word and bool(DANGEROUS.search(word[1:-1]))


def quoted(call: Call, word: object) -> str:
    """Return a word in the quotes that it needs."""
    if isinstance(word, dict):
        call.fail("no implicit conversion of Hash into String")
    if word is DEFAULT:
        call.fail("undefined method `count' for :default:Symbol")
    if not isinstance(word, str):
        call.fail(f"undefined method `length' for {inspect(word)}:{class_name(word)}")
    if SAFE.fullmatch(word):
        return word
    if not DANGEROUS.search(word):
        return f'"{word}"'
    if "'" not in word:
        return f"'{word}'"
    return '"' + DANGEROUS.sub(r"\\\1", word) + '"'
