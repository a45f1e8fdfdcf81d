"""The functions of policies that depend on their arguments only; all others are unknown here.

What each gives was measured with cf-agent 3.21 (tests/frontends/cfengine/calls.json).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.patterns import in_time, is_match, regular
from analyzer.frontends.cfengine.policy.unknown import NoResult, UnknownResult
from analyzer.frontends.cfengine.policy.variables import Container, DataList
from analyzer.frontends.cfengine.syntax.json_text import NoJson, read_json

MOST_NUMBERS, WIDEST = 100_000, 10_000


def read_data(text: str) -> Container:
    """Read JSON.

    Raises:
        NoResult: it is none.
    """
    try:
        found = read_json(text)
    except NoJson:
        raise NoResult(text) from None
    if isinstance(found, list):
        return DataList(found)
    if isinstance(found, dict):
        return found
    raise NoResult(text)


NOT_ESCAPED = re.compile(rb"[^A-Za-z0-9]")
DIRECTIVE = re.compile(r"%(?:%|([-+ 0#]*[0-9]*(?:\.[0-9]+)?)([a-zA-Z]))")
UNHANDLED = "(unhandled format)"
# A group, or another character, in the replacement of a match; and what is not read of them.
GROUP = re.compile(r"(?:\$(?=[0-9&+])|\\(?=[0-9]))([0-9]{1,2}|[&+])|\\(.)", re.DOTALL)
SPECIAL = re.compile(r"\$[`']|\\(?:0|$)")
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "e": "\x1b", "f": "\f"}
OPTIONS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}
NUMBER = re.compile(r"\s*[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
# What `sscanf("%lf%c%s")` finds: a number, one character, and a word after it.
REAL = re.compile(
    r"\s*([-+]?(?:0x[0-9a-f]+|inf(?:inity)?|nan|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?))"
    r"([\s\S]?)\s*(\S*)",
    re.IGNORECASE,
)
UNITS = {"k": 10**3, "m": 10**6, "g": 10**9, "K": 2**10, "M": 2**20, "G": 2**30}


def by_bytes(function: Callable[..., bytes]) -> Callable[..., str]:
    """Return a function of texts that works on their bytes, as CFEngine's do."""

    def work(text: str, *arguments: str) -> str:
        raw = text.encode("utf-8", "surrogateescape")
        return function(raw, *arguments).decode("utf-8", "surrogateescape")

    return work


def base_name(path: str, suffix: str = "") -> str:
    """Return the last part of a path, without a suffix."""
    stripped = path.rstrip("/")
    if not stripped:
        return path[:1]
    name = stripped.rpartition("/")[2]
    return name.removesuffix(suffix) if suffix and name != suffix else name


def directory_name(path: str) -> str:
    """Return a path without its last part."""
    head, slash, _ = path.rstrip("/").rpartition("/")
    if not slash:
        return "/" if path.startswith("/") else "." if path else ""
    return head.rstrip("/") or "/"


def head(text: bytes, count: str) -> bytes:
    """Return the first bytes; a negative count leaves out as many at the end."""
    wanted = int(count)
    return text[:wanted] if wanted >= 0 else text[: max(0, len(text) + wanted)]


def tail(text: bytes, count: str) -> bytes:
    """Return the last bytes; a negative count leaves out as many at the beginning."""
    wanted = int(count)
    return text[max(0, len(text) - wanted) :] if wanted >= 0 else text[-wanted:]


def formatted(template: str, *arguments: str) -> str:
    """Format texts as printf does.

    Raises:
        NoResult: a directive asks for a container.
    """
    rest = list(arguments)

    def one(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        kind, value = found[2], rest.pop(0)
        if any(int(width) > WIDEST for width in re.findall("[0-9]+", found[1])):
            raise UnknownResult(f"the text of {template!r} is too long")
        if kind == "s":
            return f"%{found[1]}s" % value
        if kind in "dox":
            return f"%{found[1]}{kind}" % whole(value)
        if kind == "f":
            return f"%{found[1]}f" % real(value)
        return UNHANDLED

    return DIRECTIVE.sub(one, template)


def whole(text: str) -> int:
    """Return the number with which a text begins, as C reads it."""
    found = re.match(r"\s*[-+]?[0-9]+", text)
    return int(found[0]) if found else 0


def as_int(text: str) -> str:
    """Return a number without its fraction; it may have a unit.

    Raises:
        ValueError: it is none.
    """
    unit = UNITS.get(text[-1:])
    return str(int(float(text[:-1] if unit else text) * (unit or 1)))


def real(text: str) -> float:
    """Return the number with which a text begins, 0 if with none."""
    found = NUMBER.match(text)
    return float(found[0]) if found else 0.0


def comparable(text: str) -> float:
    """Return the number with which a text begins, with the unit behind it.

    Raises:
        NoResult: more than a unit comes after it: the function fails ("Anomalous ending").
    """
    found = REAL.match(text)
    assert found is not None
    number, unit, rest = found.groups()
    value = float(int(number, 16)) if "0x" in number.lower() else float(number)
    if rest or (unit == "%" and not 0 <= value <= 100):
        raise NoResult(text)
    return -value if unit == "%" else value * UNITS.get(unit, 1)


def compare(left: str, right: str) -> int:
    """Return how two texts compare: as numbers if both begin with one, else as texts.

    Raises:
        NoResult: both do, and one is no number as a whole.
    """
    if REAL.match(left) is None or REAL.match(right) is None:
        return (left > right) - (left < right)
    first, second = comparable(left), comparable(right)
    return (first > second) - (first < second)


def hashed(text: str, kind: str) -> str:
    """Return a checksum.

    Raises:
        NoResult: the kind is not known here.
    """
    import hashlib

    if kind not in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
        raise NoResult(kind)
    return hashlib.new(kind, text.encode("utf-8", "surrogateescape")).hexdigest()


def split(text: str, pattern: str, most: int) -> list[str]:
    """Split a text at the matches of a pattern, into a bounded number of parts."""
    parts: list[str] = []
    position = 0
    for found in in_time(lambda: list(regular(pattern).finditer(text))):
        if found.end() > found.start() and len(parts) + 1 < most:
            parts.append(text[position : found.start()])
            position = found.end()
    return [*parts, text[position:]]


def split_string(text: str, pattern: str, most: str) -> list[str]:
    """Return the parts of a text, those after so many left out."""
    return split(text, pattern, len(text) + 2)[: int(most)] if text else []


def string_split(text: str, pattern: str, most: str) -> list[str]:
    """Split a text into a bounded number of parts; the last has the rest."""
    return split(text, pattern, int(most))


def expand_range(text: str, step: str) -> list[str]:
    """Return a text with each of the numbers of its range `[a-b]`."""
    found = re.search(r"\[([0-9]+)-([0-9]+)\]", text)
    if not found or int(step) < 1:
        return [text]
    first, last = int(found[1]), int(found[2])
    way = int(step) if first <= last else -int(step)
    if abs(last - first) // int(step) > MOST_NUMBERS:
        raise UnknownResult(f"the range {text!r} is too long")
    numbers = range(first, last + (1 if way > 0 else -1), way)
    return [f"{text[: found.start()]}{number}{text[found.end() :]}" for number in numbers]


def replaced(text: str, pattern: str, new: str, options: str) -> str:
    r"""Replace matches of a pattern in a text, once or everywhere; `\1` and `$1` are groups.

    Raises:
        UnknownResult: the options or what is to be put there are not read here.
    """
    if "U" in options and re.search(r"[*+?{]", pattern):
        raise UnknownResult(f"the options {options!r} are not read here")
    if "T" not in options and SPECIAL.search(new):
        raise UnknownResult(f"the replacement {new!r} is not read here")
    flags = re.RegexFlag(sum(flag for letter, flag in OPTIONS.items() if letter in options))
    expression = regular(pattern, flags)
    everywhere = "g" in options
    if everywhere and "$" in pattern and expression.match(""):
        raise UnknownResult(f"what {pattern!r} matches at the end is not known here")

    def one(found: re.Match[str]) -> str:
        return new if "T" in options else GROUP.sub(lambda part: filled(found, part), new)

    return in_time(lambda: expression.sub(one, text, count=0 if everywhere else 1))


def filled(found: re.Match[str], part: re.Match[str]) -> str:
    """Return the text for a part of a replacement: a group, the whole match or a character."""
    if part[2]:
        return ESCAPED.get(part[2], part[2])
    last = str(found.re.groups)
    number = int({"&": "0", "+": last}.get(part[1], part[1]))
    return (found[number] or "") if number <= found.re.groups else ""


Function = Callable[..., Any]
# On texts only.
TEXTS: dict[str, Function] = {
    "basename": base_name,
    "canonify": canonified,
    "concat": lambda *parts: "".join(parts),
    "dirname": directory_name,
    "escape": by_bytes(lambda text: NOT_ESCAPED.sub(lambda found: b"\\" + found[0], text)),
    "expandrange": expand_range,
    "hash": hashed,
    "int": as_int,
    "isgreaterthan": lambda left, right: compare(left, right) > 0,
    "islessthan": lambda left, right: compare(left, right) < 0,
    "parsejson": read_data,
    "regcmp": is_match,
    "regex_replace": replaced,
    "splitstring": split_string,
    "strcmp": lambda left, right: left == right,
    "string": lambda text: text,
    "string_downcase": by_bytes(bytes.lower),
    "string_head": by_bytes(head),
    "string_length": lambda text: str(len(text.encode("utf-8", "surrogateescape"))),
    "string_replace": lambda text, old, new: text.replace(old, new) if old else text,
    "string_reverse": by_bytes(lambda text: text[::-1]),
    "string_split": string_split,
    "string_tail": by_bytes(tail),
    "string_trim": str.strip,
    "string_upcase": by_bytes(bytes.upper),
}
