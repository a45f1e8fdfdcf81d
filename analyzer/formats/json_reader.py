"""Reads JSON with the leniencies of Ruby's json 2: comments, and `\\x` for any other `x`."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from analyzer.pattern import pattern

# Comments, which Python's parser does not take, and strings, in which escapes may be.
COMMENT_OR_TEXT = pattern(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|//[^\n]*\n', re.S)
# Escapes of JSON; half of a pair that makes one character; of any other character.
ESCAPE = pattern(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|[\"\\/bfnrtu]|(.))",
    re.S,
)
# A text is matched so that no bracket in it counts.
TEXT_OR_BRACKET = pattern(r'"(?:[^"\\]|\\.)*"|([\[{])|[\]}]', re.S)
DEEPEST = 100


class JsonError(ValueError):
    """A text that is not JSON."""


def parse(text: str) -> object:
    """Return the value of a JSON text.

    Raises:
        JsonError: it is not JSON, or it is nested more than 100 deep.
    """
    plain = COMMENT_OR_TEXT.sub(strict, text) if "/" in text or "\\" in text else text
    check_depth(plain)
    try:
        return DECODER.decode(plain)
    except json.JSONDecodeError as error:
        raise JsonError(f"unexpected token at '{plain[error.pos :]}'") from None


def strict(part: re.Match[str]) -> str:
    """Return a string without escapes that JSON does not have; a comment becomes a space."""
    if part[0][0] == "/":
        return " "
    return ESCAPE.sub(unescaped, part[0])


def unescaped(escape: re.Match[str]) -> str:
    """Return an escape of JSON as it is, of any other the character."""
    if escape[1]:
        raise JsonError(f"incomplete surrogate pair at '{escape[0]}'")
    return escape[2] or escape[0]


def check_depth(text: str) -> None:
    """Refuse a text that is nested too deeply."""
    depth = 0
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    for match in TEXT_OR_BRACKET.finditer(text):
        depth += 0 if match[0][0] == '"' else 1 if match[1] else -1
        if depth > DEEPEST:
            raise JsonError(f"nesting of {depth} is too deep")


def refuse(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python takes for numbers."""
    raise JsonError(f"unexpected token at '{name}'")


DECODER = json.JSONDecoder(parse_constant=refuse)
