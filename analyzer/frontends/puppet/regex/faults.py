"""What is wrong with a regular expression, in the words of Ruby, whose syntax Puppet uses (Onigmo).

Ruby refuses more than is seen here: names of character properties are all taken as known, and of
look-behind only repetitions without a fixed length are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

ESCAPE = re.compile(
    r"\\(u\{([^}]*)(\})?|u([0-9a-fA-F]{0,4})|x([0-9a-fA-F]{0,2})|[4-7][0-7]{2}|c|.|\Z)", re.S
)
CODES = re.compile(r"\s*[0-9a-fA-F]+(?:\s+[0-9a-fA-F]+)*\s*\Z")
BYTES = re.compile(r"(?:\\(?:x[89a-fA-F][0-9a-fA-F]|[23][0-7]{2}))+")
INTERVAL = re.compile(r"\{(?:(\d+)(?:(,)(\d*))?|(,)(\d+))\}")
NUMBERED = re.compile(r"[1-9]\d*")
NAMED = re.compile(r"[kg](?:<([^>]*)>|'([^']*)')")
PROPERTY = re.compile(r"[pP]\{([^}]*)(\})?")
CODE = re.compile(r"u\{?([0-9a-fA-F]{1,6})\}?|x([0-9a-fA-F]{1,2})|([0-7]{1,3})")
GROUP_NAME = re.compile(r"[^\d\W]\w*\Z")
CONDITION = re.compile(r"\((?:(\d+)|<([^>]*)>|'([^']*)')\)")
OPTIONS = re.compile(r"([imxdau]*)(-[imx-]*)?")
POSIX = re.compile(
    r":\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit|word)(:\])?"
)
ENDS_AS_POSIX = re.compile(r":(?:[^\]\\:]|\\.|:(?!\]))*:\]")
NO_POSIX = re.compile(r":\^?[^:\]]{0,20}:\]")
TOO_SHORT = {
    "c": "too short control escape",
    "C": "too short control escape",
    "M": "too short meta escape",
    "": "too short escape sequence",
}
OCTAL_BEYOND = ("4", "5", "6", "7")
OF_CLASS = -1  # Not the code of one character.
LARGEST_REPEAT = 100_000
CONTROLS = {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "a": 7, "e": 27, "b": 8}


class Fault(Exception):
    """A regular expression that Ruby refuses."""


def fail(message: str) -> NoReturn:
    """Refuse the expression."""
    raise Fault(message)


@lru_cache(maxsize=10_000)
def fault(pattern: str) -> str:
    """Return what is wrong with a pattern, nothing if it is right."""
    try:
        check_escapes(pattern)
        Scanner(pattern).scan()
    except Fault as found:
        return str(found)
    return ""


def check_escapes(pattern: str) -> None:
    """Refuse what Ruby refuses before it looks at the structure."""
    for match in ESCAPE.finditer(pattern):
        if match[1][:1] == "u":
            check_unicode(match, pattern)
        elif match[5] == "":
            fail("invalid hex escape")
        elif match[1][:1] in OCTAL_BEYOND and len(match[1]) == 3:
            fail("invalid escape code")
        elif match[1] in TOO_SHORT:
            check_control(match, pattern)
    for match in BYTES.finditer(pattern):
        codes = match[0].split("\\")[1:]
        values = [int(code[1:], 16) if code[0] == "x" else int(code, 8) for code in codes]
        try:
            bytes(values).decode()
        except UnicodeDecodeError:
            fail("invalid multibyte escape")


def check_unicode(match: re.Match[str], pattern: str) -> None:
    """Refuse `\\u` without the digits of a character."""
    if match[2] is None:
        if not match[4] and match.end() == len(pattern):
            fail("too short escape sequence")
        if len(match[4]) < 4:
            fail("invalid Unicode escape")
    elif not match[3] or not CODES.match(match[2]):
        fail("invalid Unicode list")
    elif any(int(code, 16) > 0x10FFFF for code in match[2].split()):
        fail("invalid Unicode range")


def check_control(match: re.Match[str], pattern: str) -> None:
    """Refuse an escape for control and meta characters that is not whole."""
    dash = pattern.startswith("-", match.end())
    if match[1] == "M" and dash:
        fail("too short escaped multibyte character")
    if not (match[1] == "C" and dash) and not (match[1] == "c" and match.end() < len(pattern)):
        fail(TOO_SHORT[match[1]])


@dataclass(slots=True)
class Group:
    """An open group: whether space in it is no text, and whether it looks behind."""

    extended: bool
    behind: str = ""


class Scanner:
    """Goes through a pattern once; references to groups are checked at the end."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.pos = 0
        self.groups = [Group(False)]
        self.repeatable = False
        self.captures = 0
        self.names: set[str] = set()
        self.numbers: list[int] = []
        self.references: list[str] = []

    def scan(self) -> None:
        """Refuse a pattern that is not right."""
        text = self.pattern
        while self.pos < len(text):
            char = text[self.pos]
            self.pos += 1
            step = STEPS.get(char)
            if step is not None:
                step(self)
            elif self.groups[-1].extended and char == "#":
                self.pos = text.find("\n", self.pos) + 1 or len(text)
            elif not (self.groups[-1].extended and char.isspace()):
                self.repeatable = True
        if len(self.groups) > 1:
            fail("end pattern with unmatched parenthesis")
        self.check_references()

    def check_references(self) -> None:
        if self.names and self.numbers:
            fail("numbered backref/call is not allowed. (use name)")
        if any(number > self.captures for number in self.numbers):
            fail("invalid backref number/name")
        for name in self.references:
            if name not in self.names:
                fail(f"undefined name <{name}> reference")

    def escape(self) -> None:
        match = NUMBERED.match(self.pattern, self.pos) or NAMED.match(self.pattern, self.pos)
        self.repeatable = True
        if match is None:
            self.pos += self.escape_length()
            return
        if match.re is NUMBERED:
            number = int(match[0])
            if number > 9:  # An octal number, if there are not so many groups.
                self.pos += 1
                return
            self.numbers.append(number)
        else:
            name = match[1] or match[2] or ""
            if name.lstrip("+-").isdigit():
                self.numbers += [int(name)] if name.isdigit() else []
            else:
                self.references.append(name)
        self.pos = match.end()

    def escape_length(self) -> int:
        match = PROPERTY.match(self.pattern, self.pos)
        if match is None:
            return 1
        if not match[2] or not match[1].strip():
            fail(f"invalid character property name {{{match[1][:-1]}}}")
        return match.end() - match.start()

    def repeat(self) -> None:
        if not self.repeatable:
            fail("target of repeat operator is not specified")
        if any(group.behind for group in self.groups):
            fail("invalid pattern in look-behind")

    def interval(self) -> None:
        match = INTERVAL.match(self.pattern, self.pos - 1)
        if match is None:
            self.repeatable = True
            return
        least, most = match[1], match[5] if match[4] else match[3]
        if any(int(number) > LARGEST_REPEAT for number in (least, most) if number):
            fail("too big number for repeat range")
        if not self.repeatable:
            fail("target of repeat operator is not specified")
        if least and most and int(least) > int(most):
            fail("upper is smaller than lower in repeat range")
        if (match[2] or match[4]) and least != most:
            self.repeat()
        self.pos = match.end()

    def alternative(self) -> None:
        self.repeatable = False

    def close(self) -> None:
        if len(self.groups) == 1:
            fail("unmatched close parenthesis")
        self.groups.pop()
        self.repeatable = True

    def open(self) -> None:
        text = self.pattern
        extended = self.groups[-1].extended
        if text[self.pos : self.pos + 1] != "?":
            self.capture()
            self.push(Group(extended))
            return
        self.pos += 1
        kind = text[self.pos : self.pos + 1]
        self.pos += 1
        if kind == "":
            fail("end pattern in group")
        elif kind in ":=!>~":
            self.push(Group(extended))
        elif kind == "#":
            self.pos = text.find(")", self.pos) + 1 or fail("end pattern in group")
        elif kind == "<" and text[self.pos : self.pos + 1] in ("=", "!"):
            self.pos += 1
            self.push(Group(extended, text[self.pos - 1]))
        elif kind in "<'":
            self.name(">" if kind == "<" else "'")
            self.push(Group(extended))
        elif kind == "(":
            self.condition()
        else:
            self.options()

    def push(self, group: Group) -> None:
        self.groups.append(group)
        self.repeatable = False

    def capture(self) -> None:
        self.captures += 1
        if any(group.behind == "!" for group in self.groups):
            fail("invalid pattern in look-behind")

    def name(self, closing: str) -> None:
        end = self.pattern.find(closing, self.pos)
        name = self.pattern[self.pos : end] if end >= 0 else self.pattern[self.pos :]
        if end == self.pos:
            fail("group name is empty")
        if end < 0 or not GROUP_NAME.match(name):
            fail(f"invalid group name <{name}>")
        self.names.add(name)
        self.pos = end + 1

    def condition(self) -> None:
        match = CONDITION.match(self.pattern, self.pos - 1)
        if match is None:
            fail("invalid conditional pattern")
        if match[1]:
            self.numbers.append(int(match[1]))
        else:
            self.references.append(match[2] or match[3] or "")
        self.pos = match.end()
        self.push(Group(self.groups[-1].extended))

    def options(self) -> None:
        match = OPTIONS.match(self.pattern, self.pos - 1)
        assert match is not None
        closing = self.pattern[match.end() : match.end() + 1]
        if not closing:
            fail("end pattern in group")
        if closing not in ":)" or not match[0]:
            fail("undefined group option")
        on, off = match[1], match[2] or ""
        extended = ("x" in on or self.groups[-1].extended) and "x" not in off
        self.pos = match.end() + 1
        if closing == ":":
            self.push(Group(extended))
        else:
            self.groups[-1].extended = extended
            self.repeatable = False

    def char_class(self) -> None:
        self.pos = CharacterClass(self.pattern, self.pos).end()
        self.repeatable = True


class CharacterClass:
    """A class in brackets, from behind its opening bracket."""

    def __init__(self, pattern: str, start: int) -> None:
        self.pattern = pattern
        self.pos = start

    def end(self) -> int:
        """Return where the class ends."""
        text = self.pattern
        if text.startswith("^", self.pos):
            self.pos += 1
        if text.startswith("]", self.pos):
            if text.find("]", self.pos + 1) < 0:
                fail("empty char-class")
            self.pos += 1
            return self.items(ord("]"))
        return self.items(None)

    def items(self, last: int | None) -> int:
        """Go on to the end; `last` is the code before, None if there was none."""
        while self.pos < len(self.pattern):
            char = self.pattern[self.pos]
            if char == "]":
                return self.pos + 1
            if char == "-" and self.is_range():
                last = self.range_from(last)
            elif self.pattern.startswith("&&", self.pos):
                self.pos += 2
                last = None
            elif self.is_nested():
                self.pos = CharacterClass(self.pattern, self.pos + 1).end()
            else:
                last = self.item()
        fail("premature end of char-class")

    def is_range(self) -> bool:
        following = self.pattern[self.pos + 1 : self.pos + 3]
        return following != "&&" and following[:1] not in ("", "]")

    def is_nested(self) -> bool:
        return self.pattern[self.pos] == "[" and not ENDS_AS_POSIX.match(self.pattern, self.pos + 1)

    def range_from(self, first: int | None) -> int | None:
        """Take `-` and what follows, after the first character of a range if there is one."""
        self.pos += 1
        if first is None:
            return ord("-")
        if first == OF_CLASS:
            fail("unmatched range specifier in char-class")
        if self.is_nested():
            return None
        last = self.item()
        if last == OF_CLASS:
            fail("char-class value at end of range")
        if last < first:
            fail("empty range in char class")
        return None

    def item(self) -> int:
        """Take one character and return its code, or OF_CLASS for a class."""
        char = self.pattern[self.pos]
        self.pos += 1
        if char == "\\":
            return self.escape()
        if char != "[":
            return ord(char)
        match = POSIX.match(self.pattern, self.pos)
        if match is None and not NO_POSIX.match(self.pattern, self.pos):
            return ord("[")
        if match is None or not match[1]:
            fail("invalid POSIX bracket type")
        self.pos = match.end()
        return OF_CLASS

    def escape(self) -> int:
        match = CODE.match(self.pattern, self.pos)
        if match is not None:
            self.pos = match.end()
            digits = match[1] or match[2]
            return int(digits, 16) if digits else int(match[3], 8)
        char = self.pattern[self.pos : self.pos + 1]
        if char in ("p", "P") and self.pattern.startswith("{", self.pos + 1):
            self.pos = self.pattern.find("}", self.pos) + 1 or fail(
                "invalid character property name"
            )
            return OF_CLASS
        self.pos += 1
        if char and char in "dDwWsShHRXpP":
            return OF_CLASS
        return CONTROLS.get(char, ord(char) if char else 0)


STEPS = {
    "\\": Scanner.escape,
    "[": Scanner.char_class,
    "(": Scanner.open,
    ")": Scanner.close,
    "|": Scanner.alternative,
    "*": Scanner.repeat,
    "+": Scanner.repeat,
    "?": Scanner.repeat,
    "{": Scanner.interval,
}
