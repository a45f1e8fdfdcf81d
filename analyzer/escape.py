r"""Escapes what text of the input must not do to a terminal or a log: steer it, or begin a line.

An escape is `\n`, `\t`, `\r` or `\u001b`: Puppet and JSON read all of them in a quoted text.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}

# A noncharacter, which stands for the beginning of a terminal's sequence until text is written.
MARK = "\ufdd0"


def escape_of(char: str) -> str:
    """Return the escape of a character that is not shown."""
    code = ord(char)
    return NAMED.get(char) or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


class Escapes(dict[int, str]):
    """A table for `str.translate`, filled as needed: what is printable stays, and `kept`."""

    def __init__(self, kept: str = "") -> None:
        self.kept = kept

    def __missing__(self, code: int) -> str:
        char = chr(code)
        stays = char.isprintable() or char == self.kept
        self[code] = found = char if stays else escape_of(char)
        return found


VALUE, LINE = Escapes(), Escapes(MARK)

# What is never written: control characters but tabs and line ends, the two separators of lines,
# and what changes the direction of letters (Unicode TR 9).
UNSAFE = {
    char: escape_of(char)
    for char in (
        *map(chr, (*range(9), *range(11, 32), *range(0x7F, 0xA0))),
        *"\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    )
}


def shown(text: str) -> str:
    """Return a value for a line of text: all that is not printable is escaped."""
    return text if text.isprintable() else text.translate(VALUE)


def one_line(text: str) -> str:
    """Return text as a single line, in which styles may be marked."""
    return text if text.isprintable() else text.translate(LINE)


def joined(lines: Iterable[str]) -> str:
    """Return lines as a text: whatever stands in one of them, it is a single line."""
    return "\n".join(map(one_line, lines))


def safe(text: str) -> str:
    """Return text without any character that is unsafe to write; line ends and tabs stay.

    Escapes inside the strings of a JSON document leave its values as they are.
    """
    if text.isprintable():
        return text
    for char, escape in UNSAFE.items():
        if char in text:
            text = text.replace(char, escape)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
