"""Spans of time, and their formats (Puppet's Timespan)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from analyzer.model.room import check_room, size_in

SECOND = 10**9
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True, order=True)
class Timespan:
    """A number of nanoseconds."""

    nanoseconds: int

    @classmethod
    def of(cls, fields: Mapping[str, int]) -> Timespan:
        """Return the span of `days`, `hours`, ... `nanoseconds`, and `negative`."""
        total = sum(fields.get(name, 0) * size for name, size in _FIELDS)
        return cls(-total if fields.get("negative") else total)

    @classmethod
    def parse(cls, text: str, formats: str | Sequence[str] = ()) -> Timespan:
        """Read a span in one of the formats, or in one of Puppet's own.

        Raises:
            ValueError: it does not fit.
        """
        if isinstance(formats, str):
            return parsed_format(formats).parse(text)
        chosen = formats or DEFAULTS
        for each in chosen:
            form = parsed_format(each)
            try:
                return form.parse(text)
            except ValueError:
                continue
        shown = ", ".join(chosen)
        raise ValueError(f"Unable to parse '{text}' using any of the formats {shown}")

    def format(self, text: str) -> str:
        """Return the span in a format.

        Raises:
            ValueError: the format is not valid.
        """
        return parsed_format(text).format(self)

    @property
    def seconds(self) -> float:
        """Return the span in seconds."""
        return self.nanoseconds / SECOND

    def __str__(self) -> str:
        return self.format(DEFAULTS[0])


_FIELDS = (
    ("days", DAY),
    ("hours", HOUR),
    ("minutes", MINUTE),
    ("seconds", SECOND),
    ("milliseconds", 10**6),
    ("microseconds", 1000),
    ("nanoseconds", 1),
)

# For each specifier: its size, its usual width, its number in the next larger unit; the largest
# last.
_SIZES = {
    "N": (1, 9, SECOND),
    "L": (10**6, 3, 1000),
    "S": (SECOND, 2, 60),
    "M": (MINUTE, 2, 60),
    "H": (HOUR, 2, 24),
    "D": (DAY, 1, 0),
}


@dataclass(frozen=True, slots=True)
class Segment:
    """A specifier of a format (`%-3L`), or the text between two specifiers, which has no `kind`."""

    text: str
    kind: str = ""
    pad: str = "0"
    width: int | None = None
    total: bool = False

    @property
    def digits(self) -> int:
        """Return the width, given or usual."""
        return _SIZES[self.kind][1] if self.width is None else self.width

    def pattern(self) -> str:
        """Return its pattern, as a group."""
        if not self.kind:
            return f"({re.escape(self.text)})"
        if self.width is None:
            if self.total:
                return r"\s*([0-9]+)" if self.pad == " " else "([0-9]+)"
            return f"([0-9{chr(92) + 's' if self.pad == ' ' else ''}]{{1,{self.digits}}})"
        least = "1," if not self.pad else ""
        return f"([0-9{chr(92) + 's' if self.pad == ' ' else ''}]{{{least}{self.width}}})"

    def value(self, found: str) -> int:
        """Return the nanoseconds of the matched text."""
        number = int(found)
        if self.kind not in "LN":
            return number * _SIZES[self.kind][0]
        if self.total:
            raise ValueError(
                "Format specifiers %L and %N denotes fractions and must be used together with "
                "a specifier of higher magnitude"
            )
        return number * int(10 ** max(0, 9 - len(found)))

    def show(self, nanoseconds: int) -> str:
        """Return this part of a span."""
        if not self.kind:
            return self.text
        size, _, most = _SIZES[self.kind]
        if self.kind == "N" and self.digits < 9:
            size = 10 ** (9 - self.digits)
            most = 10**self.digits
        number = nanoseconds // size
        if most and not self.total:
            number %= most
        if self.kind in "LN":
            return self._fraction(number)
        return self._padded(str(number), left=False)

    def _fraction(self, number: int) -> str:
        shown = str(number)
        if not self.total and self.pad != "0":
            shown = shown.rstrip("0") or "0"
        # Ruby's format adds no zeros after a left-aligned number.
        return self._padded(shown, left=True)

    def _padded(self, shown: str, *, left: bool) -> str:
        if not self.pad:
            return shown
        digits = check_room(self.digits)
        return shown.ljust(digits) if left else shown.rjust(digits, self.pad)


@dataclass(frozen=True, slots=True)
class Format:
    """A format, divided into segments."""

    text: str
    segments: tuple[Segment, ...]

    def format(self, span: Timespan) -> str:
        """Return a span in this format."""
        size = abs(span.nanoseconds)
        sign = "-" if span.nanoseconds < 0 else ""
        return sign + "".join(each.show(size) for each in self.segments)

    def parse(self, text: str) -> Timespan:
        """Read a span.

        Raises:
            ValueError: it does not match the format.
        """
        pattern = r"\A-?" + "".join(each.pattern() for each in self.segments) + r"\Z"
        match = re.match(pattern, text, re.ASCII)
        if match is None:
            raise self._unfit(text)
        total = 0
        for segment, found in zip(self.segments, match.groups(), strict=True):
            if segment.kind:
                if not re.fullmatch("[0-9]+", found.lstrip()):
                    raise self._unfit(text)
                total += segment.value(found.lstrip())
        return Timespan(-total if text.startswith("-") else total)

    def _unfit(self, text: str) -> ValueError:
        return ValueError(f"Unable to parse '{text}' using format '{self.text}'")


@cache
def parsed_format(text: str) -> Format:
    """Return a parsed format.

    Raises:
        ValueError: the format is not valid.
    """
    segments: list[Segment] = []
    position = 0
    while position < len(text):
        if text[position] == "%":
            position = _specifier(text, position, segments)
        else:
            _literal(segments, text[position])
            position += 1
    kinds = [each.kind for each in segments if each.kind]
    if kinds:
        # The largest specifier includes all larger units.
        greatest = max(kinds, key=list(_SIZES).index)
        index = next(i for i, each in enumerate(segments) if each.kind == greatest)
        old = segments[index]
        segments[index] = Segment("", old.kind, old.pad, old.width, True)
    return Format(text, tuple(segments))


def _specifier(text: str, start: int, segments: list[Segment]) -> int:
    pad, digits = "0", ""
    fresh = True
    for position in range(start + 1, len(text)):
        char = text[position]
        if char == "%":
            _literal(segments, char)
            return position + 1
        if char in _SIZES:
            width = size_in(digits) if digits else None
            segments.append(Segment("", char, pad, width))
            return position + 1
        if fresh and char in "-_":
            pad = "" if char == "-" else " "
        elif not ("0" <= char <= "9"):
            raise _bad(text, start, position)
        elif not (fresh and char == "0"):
            digits += char
        fresh = False
    raise _bad(text, start, len(text) - 1)


def _bad(text: str, start: int, position: int) -> ValueError:
    shown = text[start:position]
    return ValueError(f"Bad format specifier '{shown}' in '{text}', at position {position}")


def _literal(segments: list[Segment], char: str) -> None:
    if segments and not segments[-1].kind:
        segments[-1] = Segment(segments[-1].text + char)
    else:
        segments.append(Segment(char))


DEFAULTS = (
    "%D-%H:%M:%S.%-N",
    "%H:%M:%S.%-N",
    "%M:%S.%-N",
    "%S.%-N",
    "%D-%H:%M:%S",
    "%H:%M:%S",
    "%D-%H:%M",
    "%S",
)
