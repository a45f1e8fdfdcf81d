"""Ruby's regular expressions as Python's."""

from __future__ import annotations

import re
from functools import lru_cache

BRACKETS = {
    "alpha": r"^\W\d_",
    "digit": r"\d",
    "alnum": r"^\W_",
    "space": r"\s",
    "upper": "A-Z",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9a-fA-F",
    "word": r"\w",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "print": r"\x20-\x7e",
    "graph": r"\x21-\x7e",
}
PIECE = re.compile(
    r"(?P<escape>\\(?:[zZhHRe]|[kg]<\w+>|.))|(?P<bracket>\[:(?P<name>\w+):\])"
    r"|(?P<group>\(\?<(?=[a-zA-Z_]))|(?P<options>\(\?[mix]*(?:-[mix]+)?(?=[:)]))|(?P<anchor>\^)"
    r"|(?P<open>\[\^?)|(?P<close>\])",
    re.S,
)
ESCAPES = {
    r"\z": r"\Z",
    r"\Z": r"(?=\n?\Z)",
    r"\h": "[0-9a-fA-F]",
    r"\H": "[^0-9a-fA-F]",
    r"\R": r"(?:\r\n|[\n\v\f\r\u0085\u2028\u2029])",
    r"\e": r"\x1b",
}


@lru_cache(maxsize=10_000)
def compiled(source: str, options: str = "") -> re.Pattern[str]:
    """Compile a Ruby regular expression; options are of `i`, `m` and `x`.

    Raises:
        re.error: it cannot be expressed, or is wrong.
    """
    flags = re.MULTILINE | re.ASCII
    for letter, flag in (("i", re.IGNORECASE), ("m", re.DOTALL), ("x", re.VERBOSE)):
        flags |= flag if letter in options else 0
    return re.compile(Translation().of(source), flags)


class Translation:
    """Goes through an expression once."""

    def __init__(self) -> None:
        self.depth = 0

    def of(self, source: str) -> str:
        """Return the expression in Python's syntax."""
        return PIECE.sub(self.piece, source)

    def piece(self, match: re.Match[str]) -> str:
        text = match[0]
        kind = match.lastgroup if match.lastgroup != "name" else "bracket"
        if kind == "escape":
            return self.escape(text)
        if kind == "bracket":
            return BRACKETS.get(match["name"], "") if self.depth else text
        if kind == "open":
            self.depth += 1
            return text
        if kind == "close":
            self.depth = max(self.depth - 1, 0)
            return text
        if self.depth:
            return text
        if kind == "group":
            return "(?P<"
        if kind == "anchor":
            return r"(?:\A|(?<=\n)(?!\Z))"
        return text.replace("m", "s")

    def escape(self, text: str) -> str:
        if text.startswith(r"\k<"):
            return f"(?P={text[3:-1]})"
        if self.depth and text in (r"\h", r"\H"):
            return ESCAPES[r"\h"][1:-1]
        return ESCAPES.get(text, text)
