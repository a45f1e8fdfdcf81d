"""Moments, and their formats (Puppet's Timestamp; Ruby's strftime, strptime)."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from analyzer.model.room import check_room, size_in

SECOND = 10**9
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
WITHOUT_ZONE = ("%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F")
DEFAULTS = ("%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", *WITHOUT_ZONE)

_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_ZONES = {
    "utc": 0, "gmt": 0, "z": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7, "wet": 0, "west": 1, "cet": 1, "cest": 2, "met": 1,
    "mest": 2, "eet": 2, "eest": 3, "bst": 1, "msk": 3, "jst": 9, "hst": -10, "akst": -9,
    "akdt": -8,
}  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A moment, in nanoseconds since 1970."""

    nanoseconds: int

    @classmethod
    def now(cls) -> Timestamp:
        """Return the current moment."""
        return cls(time.time_ns())

    @classmethod
    def parse(
        cls, text: str, formats: str | Sequence[str] | None = None, zone: str | None = None
    ) -> Timestamp:
        """Read a moment in one of the formats, or in one of Puppet's own.

        Raises:
            ValueError: it does not match, or the zone is not valid.
        """
        if formats is None:
            formats = WITHOUT_ZONE if zone else DEFAULTS
        found = _first(text, formats, zone)
        if zone is None:
            zone = found.zone
        moment = found.moment()
        return cls(moment - utc_offset(zone) * SECOND if zone is not None else moment)

    @property
    def seconds(self) -> float:
        """Return the seconds since 1970."""
        return self.nanoseconds / SECOND

    def format(self, text: str, zone: str | None = None) -> str:
        """Return the moment in a format of Ruby's strftime, in a zone or in UTC.

        Raises:
            ValueError: the zone is not valid.
        """
        offset = utc_offset(zone) if zone else None
        seconds, fraction = divmod(self.nanoseconds, SECOND)
        local = _EPOCH + timedelta(seconds=seconds + (offset or 0))
        return strftime(text, local, fraction, offset, seconds)

    def __str__(self) -> str:
        return self.format(DEFAULTS[0])


def utc_offset(zone: str) -> int:
    """Return the offset of a zone from UTC in seconds.

    Raises:
        ValueError: the zone is not valid.
    """
    if zone.lower() == "current":
        return int(datetime.now().astimezone().utcoffset().total_seconds())  # type: ignore[union-attr]
    found = _offset(zone)
    if found is None:
        raise ValueError(f"Illegal timezone '{zone}'")
    return found


def _offset(zone: str) -> int | None:
    name = zone.strip().lower()
    if name in _ZONES:
        return _ZONES[name] * 3600
    match = re.match(r"(?:gmt|utc?)?([-+])(\d{1,2}):?(\d\d)?(?::?(\d\d))?\Z", name)
    if match is None:
        return None
    size = int(match[2]) * 3600 + int(match[3] or 0) * 60 + int(match[4] or 0)
    return -size if match[1] == "-" else size


@dataclass(slots=True)
class _Read:
    year: int | None = None
    month: int = 1
    day: int = 1
    hour: int = 0
    minute: int = 0
    second: int = 0
    fraction: int = 0
    zone: str | None = None
    afternoon: bool | None = None
    day_of_year: int | None = None

    def moment(self) -> int:
        hour = self.hour
        if self.afternoon is not None:
            hour = hour % 12 + (12 if self.afternoon else 0)
        if self.year is None:
            # Puppet's error message.
            raise ValueError("no implicit conversion of nil into Integer")
        # Days beyond a short month are the first days of the next one.
        day = datetime(self.year, self.month, 1, tzinfo=UTC) + timedelta(days=self.day - 1)
        seconds = (day - _EPOCH) // timedelta(seconds=1)
        return (seconds + hour * 3600 + self.minute * 60 + self.second) * SECOND + self.fraction


def _first(text: str, formats: str | Sequence[str], zone: str | None) -> _Read:
    if isinstance(formats, str):
        found = strptime(text, formats)
        if found is None:
            raise ValueError(f"Unable to parse '{text}' using format '{formats}'")
        if zone and found.zone is not None:
            raise ValueError(
                "Using a Timezone designator in format specification is mutually exclusive to "
                "providing an explicit timezone argument"
            )
        return found
    for each in formats:
        found = strptime(text, each)
        if found is not None and not (zone and found.zone is not None):
            return found
    shown = ", ".join(formats)
    raise ValueError(f"Unable to parse '{text}' using any of the formats {shown}")


_SHORT = {
    "F": "%Y-%m-%d", "T": "%H:%M:%S", "X": "%H:%M:%S", "D": "%m/%d/%y", "x": "%m/%d/%y",
    "R": "%H:%M", "r": "%I:%M:%S %p", "c": "%a %b %e %H:%M:%S %Y", "v": "%e-%^b-%Y",
    "+": "%a %b %e %H:%M:%S %Z %Y",
}  # fmt: skip
_SPECIFIER = re.compile(r"%([-0^#_]*)(:{0,3})(\d*)([a-zA-Z%])")
_NAMES = "|".join
_PATTERNS = {
    "Y": r"(?P<year>[-+]?\d+)", "m": r"(?P<month>1[0-2]|0?[1-9])",
    "d": r"(?P<day>3[01]|[12]\d|[ 0]?[1-9])", "e": r"(?P<day>3[01]|[12]\d|[ 0]?[1-9])",
    "H": r"(?P<hour>2[0-4]|[01 ]?\d)", "k": r"(?P<hour>2[0-4]|[01 ]?\d)",
    "I": r"(?P<hour>1[0-2]|[0 ]?[1-9])", "l": r"(?P<hour>1[0-2]|[0 ]?[1-9])",
    "M": r"(?P<minute>[0-5]?\d)", "S": r"(?P<second>60|[0-5]?\d)",
    "N": r"(?P<fraction>\d+)", "L": r"(?P<fraction>\d+)", "y": r"(?P<short_year>\d\d?)",
    "p": r"(?P<half>[AaPp]\.?[Mm]\.?)", "P": r"(?P<half>[AaPp]\.?[Mm]\.?)",
    "j": r"(?P<day_of_year>\d{1,3})", "s": r"-?\d+", "Q": r"-?\d+",
    "b": rf"(?P<month_name>{_NAMES(_MONTHS)}|{_NAMES(m[:3] for m in _MONTHS)})",
    "a": rf"(?:{_NAMES(_DAYS)}|{_NAMES(d[:3] for d in _DAYS)})",
    "z": r"(?P<zone>(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|[A-Za-z][A-Za-z .]*[A-Za-z]|[zZ])",
    "n": r"\s+", "t": r"\s+", "%": "%",
}  # fmt: skip
_PATTERNS |= {"B": _PATTERNS["b"], "h": _PATTERNS["b"], "A": _PATTERNS["a"], "Z": _PATTERNS["z"]}


def _expanded(text: str) -> str:
    for _ in range(2):
        text = re.sub(r"%([FTXDxRrcv+])", lambda match: _SHORT[match[1]], text)
    return text


def _pattern(text: str) -> str:
    pieces: list[str] = []
    position = 0
    used: set[str] = set()
    while position < len(text):
        match = _SPECIFIER.match(text, position)
        if match and match[4] in _PATTERNS:
            piece = _PATTERNS[match[4]]
            following = text[match.end() : match.end() + 2]
            if match[4] == "Y" and (following[:1].isdigit() or re.match(r"%[a-zA-Z]", following)):
                piece = r"(?P<year>[-+]?\d{1,4})"
            name = re.match(r"\(\?P<(\w+)>", piece)
            if name and name[1] in used:
                piece = piece.replace(name[0], "(?:", 1)
            elif name:
                used.add(name[1])
            pieces.append(piece)
            position = match.end()
            continue
        pieces.append(r"\s*" if text[position].isspace() else re.escape(text[position]))
        position += 1
    return "".join(pieces)


def strptime(text: str, pattern: str) -> _Read | None:
    """Return the values in a text, as Ruby's DateTime._strptime does; None if it does not match."""
    match = re.match(_pattern(_expanded(pattern)) + r"\Z", text, re.ASCII | re.IGNORECASE)
    if match is None:
        return None
    parts = {key: value for key, value in match.groupdict().items() if value is not None}
    read = _Read(zone=parts.get("zone"))
    if "zone" in parts and _offset(parts["zone"]) is None and not parts["zone"].isalpha():
        return None
    for name in ("year", "month", "day", "hour", "minute", "second", "day_of_year"):
        if name in parts:
            setattr(read, name, int(parts[name]))
    if "short_year" in parts:
        short = int(parts["short_year"])
        read.year = short + (1900 if short >= 69 else 2000)
    if "month_name" in parts:
        shorts = [month[:3].lower() for month in _MONTHS]
        read.month = shorts.index(parts["month_name"][:3].lower()) + 1
    if "fraction" in parts:
        read.fraction = int(parts["fraction"][:9].ljust(9, "0"))
    if "half" in parts:
        read.afternoon = parts["half"][0] in "pP"
    return read


def strftime(text: str, local: datetime, fraction: int, offset: int | None, epoch: int) -> str:
    """Return a moment as Ruby's strftime writes it; without an offset it is in UTC."""

    def replace(match: re.Match[str]) -> str:
        flags, colons, width, letter = match.groups()
        if letter in _SHORT:
            shown = strftime(_SHORT[letter], local, fraction, offset, epoch)
            return _fill(shown, flags, width, " ", len(shown))
        if letter in "NL":
            digits = check_room(size_in(width)) if width else (9 if letter == "N" else 3)
            return f"{fraction:09d}".ljust(digits, "0")[:digits]
        if letter == "z":
            return _zone(offset or 0, colons)
        found = _field(letter, local, offset, epoch)
        if found is None:
            return match[0]
        value, pad, size = found
        return _fill(str(value), flags, width, pad, size)

    return _SPECIFIER.sub(replace, text)


def _zone(offset: int, colons: str) -> str:
    sign = "-" if offset < 0 else "+"
    hours, rest = divmod(abs(offset), 3600)
    minutes, seconds = divmod(rest, 60)
    if len(colons) == 2:
        return f"{sign}{hours:02d}:{minutes:02d}:{seconds:02d}"
    return f"{sign}{hours:02d}{':' if colons else ''}{minutes:02d}"


def _field(
    letter: str, local: datetime, offset: int | None, epoch: int
) -> tuple[object, str, int] | None:
    day = local.date()
    weekday = day.isoweekday() % 7
    fields: dict[str, tuple[object, str, int]] = {
        "Y": (local.year, "0", 4), "C": (local.year // 100, "0", 2),
        "y": (local.year % 100, "0", 2), "m": (local.month, "0", 2),
        "d": (local.day, "0", 2), "e": (local.day, " ", 2), "j": (_yearday(day), "0", 3),
        "H": (local.hour, "0", 2), "k": (local.hour, " ", 2),
        "I": ((local.hour - 1) % 12 + 1, "0", 2), "l": ((local.hour - 1) % 12 + 1, " ", 2),
        "M": (local.minute, "0", 2), "S": (local.second, "0", 2), "s": (epoch, "0", 1),
        "B": (_MONTHS[local.month - 1], " ", 0), "b": (_MONTHS[local.month - 1][:3], " ", 0),
        "h": (_MONTHS[local.month - 1][:3], " ", 0), "A": (_DAYS[weekday], " ", 0),
        "a": (_DAYS[weekday][:3], " ", 0), "u": (day.isoweekday(), "0", 1),
        "w": (weekday, "0", 1), "G": (day.isocalendar()[0], "0", 4),
        "g": (day.isocalendar()[0] % 100, "0", 2), "V": (day.isocalendar()[1], "0", 2),
        "U": ((_yearday(day) + 6 - weekday) // 7, "0", 2),
        "W": ((_yearday(day) + 6 - (weekday - 1) % 7) // 7, "0", 2),
        "p": ("AM" if local.hour < 12 else "PM", " ", 0),
        "P": ("am" if local.hour < 12 else "pm", " ", 0),
        "Z": ("UTC" if offset is None else "", " ", 0),
        "n": ("\n", " ", 0), "t": ("\t", " ", 0), "%": ("%", " ", 0),
    }  # fmt: skip
    return fields.get(letter)


def _yearday(day: date) -> int:
    return day.timetuple().tm_yday


def _fill(shown: str, flags: str, width: str, pad: str, size: int) -> str:
    for flag in flags:
        if flag == "^":
            shown = shown.upper()
        elif flag == "#":
            shown = shown.swapcase() if shown.isupper() else shown.upper()
    if "-" in flags:
        return shown
    if "0" in flags:
        pad = "0"
    elif "_" in flags:
        pad = " "
    return shown.rjust(check_room(size_in(width)) if width else size, pad)
