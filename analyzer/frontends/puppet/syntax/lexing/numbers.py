"""The forms of numbers, and what is said of others (Parser::LexerSupport#assert_numeric)."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.syntax.lexing.state import LexerState

HEX = re.compile(r"0[xX][0-9A-Fa-f]+\Z")
OCTAL = re.compile(r"0[0-7]+\Z")
DECIMAL = re.compile(r"\d+(?:\.\d+)?(?:[eE]-?\d+)?\Z", re.ASCII)
DIGITS = re.compile(r"\d+\Z", re.ASCII)
WORD = re.compile(r"\w+", re.ASCII)


def check(lexer: LexerState, value: str, offset: int) -> None:
    """Refuse a number that has the beginning of one form and is not of it."""
    if value[:2] in ("0x", "0X"):
        if not HEX.match(value):
            lexer.error("INVALID_HEX_NUMBER", offset, value=value)
    elif value[0] == "0" and len(value) > 1 and value[1] != ".":
        if not OCTAL.match(value):
            lexer.error("INVALID_OCTAL_NUMBER", offset, value=value)
    elif re.match(r"\d+[eE.]", value):
        if not DECIMAL.match(value):
            lexer.error("INVALID_DECIMAL_NUMBER", offset, value=value)
    elif not DIGITS.match(value):
        lexer.error("ILLEGAL_NUMBER", offset, value=value)


def refuse(lexer: LexerState, start: int) -> None:
    """Return the error of digits that begin no number."""
    text = lexer.text
    match = WORD.match(text, start)
    end = match.end() if match else start + 1
    before = start
    if start > 1 and text[start - 1] == ".":
        # Behind a dot the digits before it belong to the number.
        while before > 1 and text[before - 2 : before - 1].isdigit():
            before -= 1
        if before < start:
            before -= 1
    value = text[before:end]
    check(lexer, value, before)
    lexer.error("ILLEGAL_NUMBER", before + 1, value=value)


# Digits that Python makes a number of.
MOST_DIGITS = 4000


def value_of(text: str) -> tuple[int | float, int] | None:
    """Return a number's value and radix (Utils.to_n_with_radix), None if the text is none."""
    if HEX.match(text):
        return int(text, 16), 16
    if OCTAL.match(text):
        return int(text, 8), 8
    if DIGITS.match(text) and (text[0] != "0" or text == "0"):
        # One with more digits is as little an Integer as what is left of it.
        return int(text[:MOST_DIGITS]), 10
    if DECIMAL.match(text) and not DIGITS.match(text):
        return float(text), 10
    return None
