"""Semantic versions and their ranges, as in Puppet's SemVer and SemVerRange."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import total_ordering
from math import inf

from analyzer.pattern import pattern

_QUALIFIER = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
FULL = rf"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-({_QUALIFIER}))?(?:\+({_QUALIFIER}))?"
_FULL = pattern(rf"{FULL}\n?\Z", re.ASCII)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class SemVer:
    """A version; None means no qualifier, which ranks above every prerelease."""

    major: float
    minor: int
    patch: int
    prerelease: tuple[int | str, ...] | None = None
    build: tuple[str, ...] | None = None

    @classmethod
    def parse(cls, text: str) -> SemVer:
        """Read `1.2.3-rc.1+build`.

        Raises:
            ValueError: it is not a version.
        """
        match = _FULL.match(text)
        if match is None:
            raise ValueError(f"Unable to parse '{text}' as a semantic version identifier")
        major, minor, patch, prerelease, build = match.groups()
        return cls(int(major), int(minor), int(patch), _prerelease(prerelease), _build(build))

    @property
    def stable(self) -> bool:
        """Return whether it is not a prerelease."""
        return not self.prerelease

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SemVer)
            and self._numbers == other._numbers
            and self.prerelease == other.prerelease
            and self.build == other.build
        )

    def __hash__(self) -> int:
        return hash((self._numbers, self.prerelease))

    def __lt__(self, other: SemVer) -> bool:
        return self.compare(other) < 0

    # Equality includes the build, order does not.
    def __le__(self, other: SemVer) -> bool:
        return self.compare(other) <= 0

    def __ge__(self, other: SemVer) -> bool:
        return self.compare(other) >= 0

    def __gt__(self, other: SemVer) -> bool:
        return self.compare(other) > 0

    @property
    def _numbers(self) -> tuple[float, int, int]:
        return self.major, self.minor, self.patch

    def compare(self, other: SemVer) -> int:
        """Return a negative number, 0 or a positive one for a lower, equal or higher rank."""
        if self._numbers != other._numbers:
            return -1 if self._numbers < other._numbers else 1
        mine, yours = _rank(self.prerelease), _rank(other.prerelease)
        return (mine > yours) - (mine < yours)

    def __str__(self) -> str:
        major = "Infinity" if self.major == inf else self.major
        text = f"{major}.{self.minor}.{self.patch}"
        if self.prerelease is not None:
            text += "-" + ".".join(map(str, self.prerelease))
        if self.build is not None:
            text += "+" + ".".join(self.build)
        return text


def _rank(prerelease: tuple[int | str, ...] | None) -> tuple[bool, tuple[tuple[bool, object], ...]]:
    parts = () if prerelease is None else tuple((isinstance(x, str), x) for x in prerelease)
    return prerelease is None, parts


def _prerelease(text: str | None) -> tuple[int | str, ...] | None:
    if not text:
        return None
    parts: list[int | str] = []
    for part in text.split("."):
        if part.isdigit():
            if len(part) > 1 and part[0] == "0":
                raise ValueError("Numeric pre-release identifiers MUST NOT contain leading zeroes")
            parts.append(int(part))
        else:
            parts.append(part)
    return tuple(parts)


def _build(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(text.split("."))


MIN = SemVer(0, 0, 0, ())
MAX = SemVer(inf, 0, 0)


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval of versions; each limit may be excluded."""

    begin: SemVer = MIN
    end: SemVer = MAX
    exclude_begin: bool = False
    exclude_end: bool = False

    def __contains__(self, version: SemVer) -> bool:
        if version < self.begin or version > self.end:
            return False
        if self.exclude_begin and version.compare(self.begin) == 0:
            return False
        return not (self.exclude_end and version.compare(self.end) == 0)

    def admits_prerelease(self, version: SemVer) -> bool:
        """Return whether a limit is a prerelease of the same version."""
        if self == ALL:
            return True
        return any(
            not limit.stable and limit._numbers == version._numbers
            for limit in (self.begin, self.end)
        )

    def intersect(self, other: Bounds) -> Bounds | None:
        """Return the intersection of both ranges, None if it is empty."""
        begin, exclude_begin = max(
            (self.begin, self.exclude_begin), (other.begin, other.exclude_begin)
        )
        end, include_end = min((self.end, not self.exclude_end), (other.end, not other.exclude_end))
        order = begin.compare(end)
        if order > 0 or (order == 0 and (exclude_begin or not include_end)):
            return None
        return Bounds(begin, end, exclude_begin, not include_end)

    def __str__(self) -> str:
        if self == ALL:
            return "*"
        if self.begin == self.end and not self.exclude_end:
            return str(self.begin)
        low = f">{'' if self.exclude_begin else '='}{self.begin}" if self.begin != MIN else ""
        high = f"<{'' if self.exclude_end else '='}{self.end}" if self.end != MAX else ""
        return " ".join(part for part in (low, high) if part) or ">=0.0.0"


ALL = Bounds()
NOTHING = Bounds(end=MIN, exclude_end=True)

_XR = r"(x|X|\*|0|[1-9][0-9]*)"
_XRN = r"(?:x|X|\*|0|[1-9][0-9]*)"
_PARTIAL = rf"{_XRN}(?:\.{_XRN}(?:\.{_XRN}(?:-{_QUALIFIER})?(?:\+{_QUALIFIER})?)?)?"
_SIMPLE = pattern(rf"(<=|>=|~>|~=|[<>=~^])?({_PARTIAL})\Z")
_HYPHEN = pattern(rf"({_PARTIAL})\s+-\s+({_PARTIAL})\Z")
_PARTS = pattern(rf"{_XR}(?:\.{_XR}(?:\.{_XR}(?:-({_QUALIFIER}))?(?:\+({_QUALIFIER}))?)?)?\Z")


@dataclass(frozen=True, slots=True, eq=False)
class SemVerRange:
    """A range of versions: intervals, and the text it was written as."""

    intervals: tuple[Bounds, ...]
    text: str

    @classmethod
    def parse(cls, text: str) -> SemVerRange:
        """Read `>=1.0.0 <2.0.0 || 3.x`.

        Raises:
            ValueError: it is not a range.
        """
        tidy = re.sub(r"([><=~^])(?:\s+|\s*v)", r"\1", text)
        pieces = re.split(r"\s*\|\|\s*", tidy)
        while pieces and not pieces[-1]:
            pieces.pop()
        if not pieces:
            return cls((ALL,), "*")
        found = [_interval(piece, text) for piece in pieces]
        return cls(tuple(dict.fromkeys(x for x in found if x)) or (NOTHING,), text)

    @classmethod
    def between(cls, low: SemVer, high: SemVer, exclude_end: bool = False) -> SemVerRange:
        """Return the range from one version to another."""
        found = Bounds(low, high).intersect(Bounds(end=high, exclude_end=exclude_end))
        # Puppet shows the limits in reverse.
        text = f">={high} <{low}" if exclude_end else f"{high} - {low}"
        return cls((found or NOTHING,), text)

    def __contains__(self, version: SemVer) -> bool:
        return any(
            version in x and (version.stable or x.admits_prerelease(version))
            for x in self.intervals
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SemVerRange) and self.intervals == other.intervals

    def __hash__(self) -> int:
        return hash(self.intervals)

    def __str__(self) -> str:
        return self.text


def _interval(text: str, whole: str) -> Bounds | None:
    match = _HYPHEN.match(text)
    if match:
        return Bounds(begin=_lowest(match[1])).intersect(Bounds(end=_lowest(match[2])))
    result: Bounds | None = ALL
    pieces = re.split(r"\s+", text)
    while len(pieces) > 1 and not pieces[-1]:
        pieces.pop()
    for simple in pieces:
        match = _SIMPLE.match(simple)
        if match is None:
            raise ValueError(f'Unparsable version range: "{whole}"')
        one = _simple(match[1], match[2])
        result = result and result.intersect(one)
    return result


def _digits(text: str) -> tuple[int | None, int | None, int | None, SemVer]:
    match = _PARTS.match(text)
    if match is None:
        raise ValueError(f'Unparsable version range: "{text}"')
    one, two, three = (int(x) if x and x.isdigit() else None for x in match.groups()[:3])
    version = SemVer(one or 0, two or 0, three or 0, _prerelease(match[4]), _build(match[5]))
    return one, two, three, version


def _lowest(text: str) -> SemVer:
    return _digits(text)[3]


def _simple(operator: str | None, text: str) -> Bounds:
    major, minor, patch, version = _digits(text)
    if operator == ">=":
        return Bounds(begin=version)
    if operator == "<":
        return Bounds(end=version, exclude_end=True)
    if major is None:
        return NOTHING if operator == ">" else ALL
    after = _after(major, minor, caret=operator == "^" and major != 0)
    if operator == ">":
        begin = version if patch is not None and minor is not None else after
        return Bounds(begin=begin, exclude_begin=begin is version)
    exact = minor is not None and patch is not None
    if operator == "<=":
        return Bounds(end=version if exact else after, exclude_end=not exact)
    if exact and operator not in ("~", "~>", "~=", "^"):
        return Bounds(version, version)
    begin = version if exact else SemVer(major, minor or 0, 0)
    return Bounds(begin, after, exclude_end=True)


def _after(major: int, minor: int | None, *, caret: bool) -> SemVer:
    if caret or minor is None:
        return SemVer(major + 1, 0, 0)
    return SemVer(major, minor + 1, 0)


def covers(outer: SemVerRange, inner: SemVerRange) -> bool:
    """Return whether a range of one interval contains another."""
    if len(outer.intervals) != 1 or len(inner.intervals) != 1:
        return False
    a, b = inner.intervals[0], outer.intervals[0]
    if b.begin > a.begin:
        return False
    return b.end > a.end or (b.end == a.end and (not b.exclude_end or a.exclude_end))


def united(ranges: Sequence[SemVerRange]) -> tuple[SemVerRange, ...]:
    """Return ranges with those that meet or overlap made one (PSemVerType#merge_ranges)."""
    left, result = list(ranges), []
    while left:
        whole, rest = left.pop(), []
        for one in left:
            union = _union(whole, one)
            if union is None:
                rest.append(one)
            else:
                whole = union
        result.append(whole)
        left = rest
    return tuple(reversed(result))


def _union(one: SemVerRange, other: SemVerRange) -> SemVerRange | None:
    """Return the range that two of one interval are together, None if there is a gap."""
    if len(one.intervals) != 1 or len(other.intervals) != 1:
        return None
    a, b = one.intervals[0], other.intervals[0]
    if b.begin in one or a.begin in other:
        end = max(a.end, b.end)
        excluded = all(x.exclude_end for x in (a, b) if x.end == end)
        return SemVerRange.between(min(a.begin, b.begin), end, excluded)
    if a.exclude_end and a.end == b.begin:
        return SemVerRange.between(a.begin, b.end, b.exclude_end)
    if b.exclude_end and b.end == a.begin:
        return SemVerRange.between(b.begin, a.end, a.exclude_end)
    return None
