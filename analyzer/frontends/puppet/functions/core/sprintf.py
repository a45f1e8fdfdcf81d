"""sprintf, by the rules of Ruby's."""

from __future__ import annotations

import re
from collections.abc import Callable

from analyzer.frontends.puppet.evaluate.ruby import inspect, noun, to_s
from analyzer.frontends.puppet.functions.core.numerals import (
    FormatError,
    Spec,
    floating,
    integer,
    width_of,
)
from analyzer.frontends.puppet.functions.registry import Call, legacy_function
from analyzer.model.room import check_room, size_in
from analyzer.model.values import Value

NUMBER = re.compile(r"[0-9]*")
LARGEST = 2**31 - 1


@legacy_function("sprintf", -2)
def sprintf(call: Call, form: object, *values: object) -> str:
    """Return a format with values in place of its conversions."""
    if not isinstance(form, str):
        call.fail(f"no implicit conversion of {noun(form)} into String")
    try:
        return SprintfFormatter(form, values).text()
    except FormatError as error:
        call.fail(str(error))


class SprintfFormatter:
    """Goes through a format; values are taken in order, by number or by name, never mixed."""

    def __init__(self, form: str, values: tuple[Value, ...]) -> None:
        self.form = form
        self.values = values
        self.pos = 0
        self.taken = 0
        self.mode = ""

    def text(self) -> str:
        """Return the whole.

        Raises:
            FormatError: the format is wrong, or a value is.
        """
        parts: list[str] = []
        while (place := self.form.find("%", self.pos)) >= 0:
            if place + 1 == len(self.form):
                raise FormatError("incomplete format specifier; use %% (double %) instead")
            parts.append(self.form[self.pos : place])
            self.pos = place + 1
            parts.append(Conversion(self).text())
        return "".join([*parts, self.form[self.pos :]])

    @property
    def char(self) -> str:
        """Return the character that comes next, NUL at the end."""
        return self.form[self.pos : self.pos + 1] or "\0"

    def number(self, what: str) -> int:
        """Take digits."""
        match = NUMBER.match(self.form, self.pos)
        assert match is not None
        self.pos = match.end()
        value = size_in(match[0])
        if value > LARGEST:
            raise FormatError(f"{what} too big")
        if self.pos >= len(self.form):
            raise FormatError("malformed format string - %*[0-9]")
        return value

    def next(self) -> Value:
        """Take the next value."""
        if self.mode == "numbered":
            raise FormatError(f"unnumbered({self.taken + 1}) mixed with numbered")
        if self.mode == "named":
            raise FormatError(f"unnumbered({self.taken + 1}) mixed with named")
        self.mode = "unnumbered"
        self.taken += 1
        return self.nth(self.taken)

    def numbered(self, number: int) -> Value:
        """Return a value by its number."""
        if self.mode == "unnumbered":
            raise FormatError(f"numbered({number}) after unnumbered({self.taken})")
        if self.mode == "named":
            raise FormatError(f"numbered({number}) after named")
        if number < 1:
            raise FormatError(f"invalid index - {number}$")
        self.mode = "numbered"
        return self.nth(number)

    def nth(self, number: int) -> Value:
        if number > len(self.values):
            raise FormatError("too few arguments")
        return self.values[number - 1]

    def named(self, name: str) -> Value:
        """Return a value by its name, which is given with its brackets."""
        if self.mode == "unnumbered":
            raise FormatError(f"named{name} after unnumbered({self.taken})")
        if self.mode == "numbered":
            raise FormatError(f"named{name} after numbered")
        self.mode = "named"
        if len(self.values) != 1 or not isinstance(self.values[0], dict):
            raise FormatError("one hash required")
        value = self.values[0].get(name[1:-1])
        if value is None and name[1:-1] not in self.values[0]:
            raise FormatError(f"key{name} not found")
        return value


class Conversion:
    """One conversion, from behind its `%`."""

    def __init__(self, source: SprintfFormatter) -> None:
        self.source = source
        self.spec = Spec()
        self.value: list[Value] = []
        self.name = ""
        self.has_width = self.has_precision = False

    def text(self) -> str:
        """Take the conversion and return what it writes."""
        while True:
            char = self.source.char
            step = STEPS.get(char)
            if step is None:
                return self.write(char)
            if step(self):
                self.source.pos += 1
                return self.spec.padded(self.cut(to_s(self.value[-1])))

    def write(self, char: str) -> str:
        """Format a value for the letter at the end."""
        if char in "%\n\0":
            if self.spec.flags or self.has_width or self.has_precision:
                raise FormatError("invalid format character - %")
            self.source.pos += char == "%"
            return "%"
        if char not in "csp" + "diuoxXbB" + "feEgGaA":
            shown = f" - %{char}" if char.isascii() else ""
            raise FormatError(f"malformed format string{shown}")
        self.source.pos += 1
        value = self.value[-1] if self.value else self.source.next()
        if char == "c":
            return self.spec.padded(character(value))
        if char in "sp":
            return self.spec.padded(self.cut(to_s(value) if char == "s" else inspect(value)))
        return (integer if char in "diuoxXbB" else floating)(self.spec, char, value)

    def cut(self, text: str) -> str:
        """Return as much of a text as the precision allows."""
        return text if self.spec.precision is None else text[: self.spec.precision]

    def flag(self) -> None:
        if self.has_width:
            raise FormatError("flag after width")
        if self.has_precision:
            raise FormatError("flag after precision")
        self.spec.flags += self.source.char
        self.source.pos += 1

    def digits(self) -> None:
        number = self.source.number("width")
        if self.source.char == "$":
            if self.value:
                raise FormatError(f"value given twice - {number}$")
            self.value.append(self.source.numbered(number))
            self.source.pos += 1
            return
        self.check_width()
        self.spec.width = check_room(number)

    def check_width(self) -> None:
        if self.has_width:
            raise FormatError("width given twice")
        if self.has_precision:
            raise FormatError("width after precision")
        self.has_width = True

    def named(self) -> bool:
        """Read a name; return whether it is the whole conversion."""
        form, start = self.source.form, self.source.pos
        closing = ">" if form[start] == "<" else "}"
        end = form.find(closing, start)
        if end < 0:
            raise FormatError("malformed name - unmatched parenthesis")
        name = form[start : end + 1]
        if self.name:
            raise FormatError(f"named{name} after <{self.name}>")
        self.value.append(self.source.named(name))
        self.name = name[1:-1]
        self.source.pos = end + (closing == ">")
        return closing == "}"

    def star(self) -> None:
        self.check_width()
        width = self.asterisk()
        if abs(width) > LARGEST:
            raise FormatError("width too big")
        if width < 0:
            self.spec.flags += "-"
        self.spec.width = check_room(abs(width))

    def asterisk(self) -> int:
        """Take a number from the values."""
        self.source.pos += 1
        start = self.source.pos
        number = self.source.number("width")
        if self.source.char == "$":
            self.source.pos += 1
            return width_of(self.source.numbered(number))
        self.source.pos = start
        return width_of(self.source.next())

    def dot(self) -> None:
        if self.has_precision:
            raise FormatError("precision given twice")
        self.has_precision = True
        self.source.pos += 1
        is_argument = self.source.char == "*"
        precision = self.asterisk() if is_argument else self.source.number("precision")
        self.spec.precision = precision if precision >= 0 else None


STEPS: dict[str, Callable[..., object]] = {
    **dict.fromkeys(" #+-0", Conversion.flag),
    **dict.fromkeys("123456789", Conversion.digits),
    **dict.fromkeys("<{", Conversion.named),
    "*": Conversion.star,
    ".": Conversion.dot,
}


def character(value: object) -> str:
    """Format a character for `%c`."""
    if isinstance(value, str):
        if len(value) != 1:
            raise FormatError("%c requires a character")
        return value
    code = width_of(value)
    if not 0 <= code <= 0x10FFFF:
        raise FormatError("invalid character")
    return chr(code)
