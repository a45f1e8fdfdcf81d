"""What Ruby's own library computes from values alone: digests, JSON, names of files."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import posixpath
import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.ruby_functions.hashes import pairs
from analyzer.frontends.puppet.ruby_functions.lists import to_h
from analyzer.frontends.puppet.ruby_functions.strings import typed
from analyzer.frontends.puppet.ruby_functions.values import (
    OURS,
    NotStatic,
    Pattern,
    RubyError,
    written,
)
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Sensitive, Unknown

Function = Callable[..., Any]

_SPECIAL = frozenset(".*?+^$|\\()[]{}-")
_ESCAPED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f", "\v": "\\v", " ": "\\ ", "#": "\\#"}


def plain(value: Any) -> Any:
    """Return a value of Ruby's as Puppet's.

    Raises:
        NotStatic: Puppet has none for it.
    """
    if value is None or isinstance(value, (str, bool, int, float)):
        if isinstance(value, float) and (not math.isfinite(value)):
            raise NotStatic("a float without a value")
        return value
    if type(value) is list:
        return [plain(one) for one in value]
    if isinstance(value, dict):
        if any(not isinstance(key, (str, int)) or key is True for key in value):
            raise NotStatic("a key of a hash")
        return {key: plain(one) for key, one in value.items()}
    if type(value) is Sensitive:
        return Sensitive(plain(value.value))
    if type(value) in OURS:
        raise NotStatic(f"a {type(value).__name__} as a value")
    return value


def integer(value: Any, *base: Any) -> int:
    """Evaluate `Integer(value)`."""
    if type(value) is int and not base:
        return value
    if isinstance(value, str) and not base and re.fullmatch(r"-?(?:[1-9]\d*|0)", value):
        return int(value)
    if isinstance(value, str) and not base and re.fullmatch(r"[a-zA-Z ./:,;-]*", value):
        raise RubyError("ArgumentError", f'invalid value for Integer(): "{value}"')
    raise NotStatic("a conversion to an integer")


def floating(value: Any) -> float:
    """Evaluate `Float(value)`."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"-?\d+(?:\.\d+)?", value):
        return float(value)
    raise NotStatic("a conversion to a float")


def listed(value: Any) -> list[Any]:
    """Evaluate `Array(value)`."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return pairs(value)
    return [] if value is None else [value]


def required(name: Any) -> bool:
    """Evaluate `require` of a library of Ruby or of Puppet."""
    if not isinstance(name, str) or not re.fullmatch(r"[\w/\-]+", name):
        raise NotStatic("a require")
    return True


KERNEL: dict[str, Function] = {
    "Array": listed,
    "Float": floating,
    "Integer": integer,
    "String": written,
    "require": required,
}


def digest(algorithm: str) -> Function:
    """Return a function of a text that returns its digest in hexadecimal."""
    return lambda text: hashlib.new(algorithm, typed(text, str).encode()).hexdigest()


def escaped(text: Any) -> str:
    """Evaluate `Regexp.escape`."""
    marks = [f"\\{char}" if char in _SPECIAL else _ESCAPED.get(char, char) for char in text]
    return "".join(marks)


def union(*parts: Any) -> Pattern:
    """Evaluate `Regexp.union` of texts."""
    given = parts[0] if len(parts) == 1 and isinstance(parts[0], list) else parts
    return Pattern("|".join(escaped(typed(one, str)) for one in given), "")


def pattern(source: Any, *options: Any) -> Pattern:
    """Evaluate `Regexp.new`."""
    if options:
        raise NotStatic("options of an expression")
    return source if isinstance(source, Pattern) else Pattern(typed(source, str), "")


def joined(*parts: Any) -> str:
    """Evaluate `File.join`."""
    words = [typed(one, str) for one in flat(parts)]
    text = words[0] if words else ""
    for one in words[1:]:
        text = f"{text.rstrip('/')}/{one.lstrip('/')}" if one else f"{text.rstrip('/')}/"
    return text


def flat(parts: Any) -> list[Any]:
    """Return all texts of nested lists."""
    found: list[Any] = []
    for one in parts:
        found += flat(one) if isinstance(one, list) else [one]
    return found


def basename(path: Any, *ending: Any) -> str:
    """Evaluate `File.basename`."""
    name = posixpath.basename(typed(path, str).rstrip("/")) or "/" * bool(path)
    if ending and ending[0] == ".*":
        return posixpath.splitext(name)[0]
    return name.removesuffix(ending[0]) if ending and name != ending[0] else name


def dirname(path: Any) -> str:
    """Evaluate `File.dirname`."""
    return posixpath.dirname(re.sub(r"/+", "/", typed(path, str)).rstrip("/") or "/") or "."


def generated(value: Any) -> str:
    """Evaluate `JSON.generate` and `to_json`."""
    if any(isinstance(one, float) for one in walk(value)):
        raise NotStatic("a float in JSON")
    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))


def walk(value: Any) -> list[Any]:
    """Return a value with all that it holds."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [value]
    for one in inner:
        found += walk(one)
    return found


def parsed(text: Any) -> Any:
    """Evaluate `JSON.parse`."""
    try:
        return json.loads(typed(text, str))
    except (ValueError, RecursionError):
        raise NotStatic("JSON with an error") from None


def encoded(text: Any) -> str:
    """Evaluate `Base64.strict_encode64`."""
    return base64.b64encode(typed(text, str).encode()).decode()


def secret(value: Any) -> Sensitive:
    """Evaluate `Sensitive.new`."""
    return value if isinstance(value, Sensitive) else Sensitive(value)


def hash_from(value: Any, *more: Any) -> dict[Any, Any]:
    """Evaluate `Hash[pairs]`."""
    if more:
        raise NotStatic("a hash of a list")
    return dict(value) if isinstance(value, dict) else to_h(typed(value, list))


def list_of(count: Any = 0, value: Any = None) -> list[Any]:
    """Evaluate `Array.new`."""
    if not 0 <= typed(count, int) <= 10_000:
        raise NotStatic("too much data")
    return [value] * count


_DIGESTS = {
    "MD5": "md5",
    "SHA1": "sha1",
    "SHA256": "sha256",
    "SHA384": "sha384",
    "SHA512": "sha512",
}
_SENSITIVE = "Puppet::Pops::Types::PSensitiveType::Sensitive"
FUNCTIONS: dict[tuple[str, str], Function] = {
    **{(f"Digest::{name}", "hexdigest"): digest(kind) for name, kind in _DIGESTS.items()},
    ("Array", "new"): list_of,
    ("Base64", "strict_encode64"): encoded,
    ("File", "basename"): basename,
    ("File", "dirname"): dirname,
    ("File", "extname"): lambda path: posixpath.splitext(posixpath.basename(path))[1],
    ("File", "join"): joined,
    ("Hash", "[]"): hash_from,
    ("JSON", "generate"): generated,
    ("JSON", "parse"): parsed,
    ("Regexp", "escape"): escaped,
    ("Regexp", "new"): pattern,
    ("Regexp", "quote"): escaped,
    ("Regexp", "union"): union,
    ("String", "new"): lambda text="": typed(text, str),
    (_SENSITIVE, "new"): secret,
}


def call(kind: str, name: str, arguments: list[Any]) -> Any:
    """Return the result of a method of a class.

    Raises:
        NotStatic: it is not known here.
    """
    found = FUNCTIONS.get((kind, name))
    if found is None:
        raise NotStatic(f"{kind}.{name}")
    try:
        return found(*arguments)
    except (TypeError, ValueError, AttributeError) as error:
        raise NotStatic(f"{kind}.{name}: {error}") from None


def unknown_in(value: Any) -> Unknown | None:
    """Return something Unknown in a value."""
    return find_unknown([value])
