"""How Psych and libyaml write a text in YAML: whether plain, quoted or as a block."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

TEXT_LIKE = re.compile(r"[^\d.:-]?(?:[^\W\d]|[_\s!@#$%^&*(){}<>|/\\~;=])+")
SPECIAL_WORDS = re.compile(r"(?:null|yes|true|on|no|false|off)\Z", re.I)
TIME = re.compile(
    r"-?\d{4}-(\d{1,2})-(\d{1,2})(?:[Tt]|\s+)(\d{1,2}):(\d\d):(\d\d)(?:\.\d*)?"
    r"(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?\Z",
    re.ASCII,
)
DATE = re.compile(r"(\d{4})-(1[012]|0\d|\d)-([12]\d|3[01]|0\d|\d)\Z", re.ASCII)
SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}(?:\.[0-9_]*)?\Z")
NUMBER = re.compile(
    r"\+?\.inf\Z|-\.inf\Z|\.nan\Z"
    r"|(?![-+]?\.\Z)[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?\Z"
    r"|[-+]?0b[0-1_,]+\Z|[-+]?0[0-7_,]+\Z|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)\Z"
    r"|[-+]?0x[0-9a-fA-F_,]+\Z",
)
NUMBER_WORD = re.compile(r"(?:\+?|-)\.inf\Z|\.nan\Z", re.I)
BAD_OCTAL = re.compile(r"0[0-7]*[89]")
INNER_BREAK = re.compile(r"\n(?!\n?\Z)")
LONGEST_KEY = 128  # Bytes of a key before its colon.
BREAKS = "\r\n\x85\u2028\u2029"


def reads_as_text(text: str) -> bool:
    """Say whether Psych would read a plain scalar as this text, and not as something else."""
    if not text:
        return False
    if TEXT_LIKE.match(text) or "\n" in text:
        return len(text) > 5 or not (text == "~" or SPECIAL_WORDS.match(text))
    if match := TIME.match(text):
        month, day, hour, minute, second = map(int, match.groups())
        return not (1 <= month <= 12 and 1 <= day <= 31 and hour <= 24 and max(minute, second) < 60)
    if match := DATE.match(text):
        return not is_date(*map(int, match.groups()))
    if NUMBER_WORD.match(text) or (text[0] == ":" and len(text) > 1):
        return False
    return not (SEXAGESIMAL.match(text) or NUMBER.match(text))


def is_date(year: int, month: int, day: int) -> bool:
    """Say whether there is such a day."""
    try:
        date(year or 4, month, day)  # There is no year 0 here; it had 366 days.
    except ValueError:
        return False
    return True


def is_word(char: str) -> bool:
    """Say whether a character is one of a word: letter, mark, digit, connector."""
    category = unicodedata.category(char)
    return category[0] in "LM" or category in ("Nd", "Pc")


def begins_odd(text: str) -> bool:
    """Say whether a line begins with what is no word, and goes on without double quotes."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for start in starts:
        if start < len(text) and not is_word(text[start]):
            end = text.find("\n", start + 1)
            quote = text.find('"', start + 1)
            if quote < 0 or 0 <= end <= quote:
                return True
    return False


def wanted_style(text: str, line_width: int | None) -> str:
    """Return the style that Psych asks for: `plain`, `'`, `"`, `|` or `>`."""
    if INNER_BREAK.search(text):
        return "|"
    if text == "<<":
        return "'"
    if text in ("y", "n"):
        return '"'
    if line_width is not None and len(text) > line_width:
        return ">"
    if begins_odd(text):
        return '"'
    return "plain" if reads_as_text(text) and not BAD_OCTAL.match(text) else "'"


def is_printable(char: str) -> bool:
    """Say whether libyaml writes a character as it is."""
    code = ord(char)
    return (
        code == 0x0A
        or 0x20 <= code <= 0x7E
        or 0xA0 <= code <= 0xD7FF
        or (0xE000 <= code <= 0xFFFD and code != 0xFEFF)
    )


@dataclass(slots=True)
class Analysis:
    """Which styles a text can have (yaml_emitter_analyze_scalar)."""

    multiline: bool = False
    plain: bool = True
    single: bool = True
    block: bool = True


def analyze(text: str) -> Analysis:
    """Find out which styles a text can have outside of brackets."""
    if not text:
        return Analysis(block=False)
    found = Analysis(multiline=any(char in BREAKS for char in text))
    special = not all(map(is_printable, text))
    if text[0] in " \n" or text[0] in BREAKS or text[-1] == " " or text[-1] in BREAKS:
        found.plain = False
    if text[-1] == " ":
        found.block = False
    if re.search(rf"[{BREAKS}] ", text):
        found.plain = found.single = False
    if special or re.search(rf" [{BREAKS}]", text):
        found.plain = found.single = found.block = False
    if found.multiline or has_indicators(text):
        found.plain = False
    return found


def has_indicators(text: str) -> bool:
    """Say whether characters of a text mean something in YAML where they stand."""
    blank = "[ \\t\\r\\n\x85\u2028\u2029]"
    return bool(
        text.startswith(("---", "..."))
        or text[0] in "#,[]{}&*!|>'\"%@`"
        or re.match(rf"[-?:](?:{blank}|\Z)", text)
        or re.search(rf":(?:{blank}|\Z)", text)
        or re.search(rf"{blank}#", text)
    )


def style_of(text: str, wanted: str, *, as_key: bool) -> str:
    """Return the style that libyaml takes for a text."""
    able = analyze(text)
    style = '"' if as_key and able.multiline else wanted
    if style == "plain" and (not able.plain or (as_key and not text)):
        style = "'"
    if style == "'" and not able.single:
        style = '"'
    if style in "|>" and (not able.block or as_key):
        style = '"'
    return style
