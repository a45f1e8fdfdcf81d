"""Equality, order, `in` and matching as Puppet has them (Evaluator::CompareOperator)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from analyzer.frontends.puppet.evaluate.scope import Groups
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.unknowns import every, matches_type
from analyzer.model.keys import at, keys_of
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import DEFAULT, Binary, Default, Regexp, Sensitive, Unknown
from analyzer.model.versions import SemVer, SemVerRange

# Types of values that may have an Unknown in them.
HOLDING: Final = (list, dict, Sensitive)

# Numbers of seconds, for Puppet.
TIMES: Final = (Timespan, Timestamp)

# Called with the groups of a match, the whole first.
OnMatch = Callable[[Groups], None]


class NotComparable(ValueError):
    """Two values have no order; the text is Puppet's reason."""


def is_number(value: object) -> bool:
    """Return whether a value is a number; booleans are none."""
    return type(value) is int or type(value) is float


def fold(text: str) -> str:
    """Return a text for comparing without case; Ruby folds ASCII letters only (casecmp)."""
    if text.isascii():
        return text.lower()
    return "".join(char.lower() if char.isascii() else char for char in text)


def equal(left: Any, right: Any) -> bool:
    """Return whether two values are equal: texts without case, and never a text and a number."""
    kind = type(left)
    if kind is str:
        return type(right) is str and (left == right or fold(left) == fold(right))
    if kind in TIMES or type(right) in TIMES:
        return equal_times(left, right)
    if kind is int or kind is float:
        return is_number(right) and left == right
    if kind is list:
        return type(right) is list and len(left) == len(right) and all(map(equal, left, right))
    if kind is dict:
        return (
            type(right) is dict
            and len(left) == len(right)
            and all(equal(at(right, key), value) for key, value in left.items())
        )
    if kind is bool or type(right) is bool:
        return left is right
    return bool(left == right)


def equal_times(left: Any, right: Any) -> bool:
    """Return whether a time equals another of its kind, or a number of seconds."""
    try:
        return compare(left, right) == 0
    except NotComparable:
        return False


def equal_if_known(left: Any, right: Any) -> bool | Unknown:
    """Return whether two values are equal; the Unknown in them that decides, where one does."""
    if not find_unknown((left, right)):
        return equal(left, right)
    kind = type(left)
    if kind is not type(right) or kind not in (list, dict, Sensitive):
        return next((one for one in (left, right) if type(one) is Unknown), False)
    if kind is list:
        if len(left) != len(right):
            return False
        return every(map(equal_if_known, left, right))
    if kind is Sensitive:
        return equal_if_known(left.value, right.value)
    unknown = find_unknown((*left, *right))
    if unknown is not None or len(left) != len(right):
        return unknown or False
    return every(equal_if_known(at(right, key), value) for key, value in left.items())


def compare(left: object, right: object) -> int:
    """Return -1, 0 or 1.

    Raises:
        NotComparable: the two have no order.
    """
    order = ORDERS.get(type(left))
    if order is None:
        raise NotComparable(
            "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"
        )
    return order(left, right)


def sign(left: Any, right: Any) -> int:
    """Return -1, 0 or 1 of two values that Python orders."""
    return int(left > right) - int(left < right)


def compare_texts(left: str, right: object) -> int:
    """Compare a text with another, without case."""
    if type(right) is not str:
        raise NotComparable("A String is not comparable to a non String")
    return sign(fold(left), fold(right))


def compare_numbers(left: float, right: object) -> int:
    """Compare a number with another, or with a time."""
    if isinstance(right, (Timespan, Timestamp)):
        return -compare_times(right, left)
    if not is_number(right):
        raise NotComparable("A Numeric is not comparable to non Numeric")
    return sign(left, right)


def compare_times(left: Timespan | Timestamp, right: object) -> int:
    """Compare a time with another, or with seconds; whole ones with whole ones."""
    if type(right) is type(left):
        return sign(left, right)
    if not is_number(right):
        many = f"{type(left).__name__}s"
        raise NotComparable(f"{many} are only comparable to {many}, Integers, and Floats")
    return sign(left.seconds // 1 if type(right) is int else left.seconds, right)


def compare_defaults(left: object, right: object) -> int:
    """Compare `default`, a symbol in Puppet, with itself."""
    if right is not DEFAULT:
        raise NotComparable("Symbol not comparable to non Symbol")
    return 0


def compare_versions(left: SemVer, right: object) -> int:
    """Compare a version with another."""
    if not isinstance(right, SemVer):
        raise NotComparable("Versions not comparable to non Versions")
    return left.compare(right)


ORDERS: dict[type, Callable[[Any, Any], int]] = {
    Default: compare_defaults,
    SemVer: compare_versions,
    Timespan: compare_times,
    Timestamp: compare_times,
    float: compare_numbers,
    int: compare_numbers,
    str: compare_texts,
}


def matches(value: Any, pattern: Any, found: OnMatch) -> bool | Unknown:
    """Return whether a case option or selector entry matches a value, or what decides it.

    `found` gets the groups of a regular expression that does.
    """
    kind = type(pattern)
    if kind is Unknown or type(value) is Unknown:
        return cast("Unknown", pattern if kind is Unknown else value)
    match = PATTERNS.get(kind)
    if match is not None:
        return match(value, pattern, found)
    if isinstance(pattern, Type):
        if type(value) in HOLDING or instance(pattern, value):
            return matches_type(pattern, value)
        return False
    return equal_if_known(value, pattern) if type(value) in HOLDING else equal(value, pattern)


def matches_each(value: object, pattern: list[Any], found: OnMatch) -> bool | Unknown:
    """Return whether each element of an array matches the pattern in its place."""
    return (
        isinstance(value, list)
        and len(value) == len(pattern)
        and every(matches(v, p, found) for v, p in zip(value, pattern, strict=True))
    )


def matches_keys(value: object, pattern: dict[Any, Any], found: OnMatch) -> bool | Unknown:
    """Return whether a hash has what matches under each key of a pattern."""
    return isinstance(value, dict) and every(
        matches(value.get(key), p, found) for key, p in pattern.items()
    )


# By the type of a pattern; others are types or are compared. `default` stands here in an array or
# a hash, or is the value of a variable.
PATTERNS: dict[type, Callable[[Any, Any, OnMatch], bool | Unknown]] = {
    Default: lambda value, pattern, found: True,
    Regexp: lambda value, pattern, found: type(value) is str and search(pattern, value, found),
    SemVer: lambda value, pattern, found: version_of(value) == pattern,
    SemVerRange: lambda value, pattern, found: includes(pattern, value),
    dict: matches_keys,
    list: matches_each,
}


def version_of(value: object) -> SemVer | None:
    """Return a version, or the one that a text is; None for anything else."""
    if isinstance(value, str):
        try:
            return SemVer.parse(value)
        except ValueError:
            return None
    return value if isinstance(value, SemVer) else None


def includes(versions: SemVerRange, value: object) -> bool:
    """Return whether a version, or a text that is one, is in a range."""
    version = version_of(value)
    return version is not None and version in versions


def search(pattern: Regexp, text: str, found: OnMatch) -> bool:
    """Look for a regular expression in a text."""
    from analyzer.frontends.puppet.regex.translate import compiled

    match = compiled(pattern.source).search(text)
    if match is None:
        return False
    found((match[0], *match.groups()))
    return True


def contains(whole: Any, part: Any, found: OnMatch) -> bool:
    """Return whether `part in whole` holds."""
    within = WHOLES.get(type(whole))
    return within is not None and within(whole, part, found)


def in_text(whole: str, part: object, found: OnMatch) -> bool:
    """Return whether a text has another in it, or matches a regular expression."""
    if type(part) is str:
        return part.lower() in whole.lower()
    return type(part) is Regexp and search(part, whole, found)


def in_array(whole: list[Any], part: Any, found: OnMatch) -> bool:
    """Return whether an element is, or matches, or is of a type."""
    if type(part) is Regexp:
        return any(type(entry) is str and search(part, entry, found) for entry in whole)
    if isinstance(part, Type):
        return any(instance(part, entry) for entry in whole)
    if type(part) is str or type(part) is SemVer:
        return any(matches(part, entry, found) is True for entry in whole)
    return any(equal(entry, part) for entry in whole)


def has_bytes(whole: Binary, part: object) -> bool:
    """Return whether bytes have other bytes, a text or the number of a byte in them."""
    if isinstance(part, Binary):
        return part.data in whole.data
    if isinstance(part, str):
        return part.encode() in whole.data
    return is_number(part) and part in list(whole.data)


WHOLES: dict[type, Callable[[Any, Any, OnMatch], bool]] = {
    Binary: lambda whole, part, found: has_bytes(whole, part),
    SemVerRange: lambda whole, part, found: includes(whole, part),
    dict: lambda whole, part, found: contains(keys_of(whole), part, found),
    list: in_array,
    str: in_text,
}
