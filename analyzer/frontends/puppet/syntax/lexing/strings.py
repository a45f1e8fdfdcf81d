"""Text between quotes: where it ends, and what its escapes mean (Parser::SlurpSupport)."""

from __future__ import annotations

import re
from collections.abc import Callable

# Text up to what ends a part of it: the quote, or what interpolates. As in single-quoted strings, a
# quote or a dollar at the very start is text if what follows could end the part.
DOUBLE_QUOTED = re.compile(r'(?:["$](?=(?:\\\\)*["$]))?(?:[^"\\$]|\\(?s:.))*("|\$\{|\$)')
HEREDOC_ESCAPED = re.compile(r"(?:[^\\$]|\\(?s:.))*(\$\{|\$|\Z)")
HEREDOC_PLAIN = re.compile(r"[^$]*(\$\{|\$|\Z)")

DOUBLE_QUOTED_ESCAPES = frozenset({"\\", "$", "'", '"', "r", "n", "t", "s", "u", "\r\n", "\n"})

CONTROL = {"r": "\r", "n": "\n", "t": "\t", "s": " ", "\n": "", "\r\n": ""}

SINGLE_ESCAPE = re.compile(r"\\(\\|')")
UNICODE_ESCAPE = re.compile(
    r"((?:[^\\]|^)(?:\\\\)*)\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})", re.MULTILINE
)
ANY_ESCAPE = re.compile(r"\\([^\r\n]|\r?\n)")

# The pattern of text up to an interpolation or the end of a string, and the escapes in it.
TextRule = tuple[re.Pattern[str], frozenset[str]]

# Called with an issue's code and the escaped character.
Warn = Callable[[str, str], None]


def unescape_single(text: str) -> str:
    """Return the value of single-quoted text: only the quote and the backslash are escaped."""
    return SINGLE_ESCAPE.sub(r"\1", text) if "\\" in text else text


def unescape(text: str, escapes: frozenset[str], warn: Warn | None) -> str:
    """Return the value of text with the given escapes; others stay as they are.

    Unicode escapes are read first, and what they yield may be part of an escape, as in Puppet.

    Raises:
        ValueError: a unicode escape names no character.
    """
    if "\\" not in text:
        return text
    if "u" in escapes:
        count = 1
        while count:
            text, count = UNICODE_ESCAPE.subn(unicode_character, text)

    def replace(match: re.Match[str]) -> str:
        char = match[1]
        if char not in escapes:
            if warn is not None:
                warn("UNRECOGNIZED_ESCAPE", char)
            return match[0]
        if char == "u":
            if warn is not None:
                warn("ILLEGAL_UNICODE_ESCAPE", char)
            return match[0]
        return CONTROL.get(char, char)

    return ANY_ESCAPE.sub(replace, text)


def unicode_character(match: re.Match[str]) -> str:
    """Return the text before a unicode escape, and its character."""
    code = int(match[2] or match[3], 16)
    if 0xD800 <= code < 0xE000:
        raise ValueError("a surrogate is no character")
    return match[1] + chr(code)
