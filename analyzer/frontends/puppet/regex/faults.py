"""Finds the regular expressions that Ruby refuses; their syntax is Onigmo's.

Not seen: names of character properties that do not exist, and groups that call themselves.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NoReturn

from analyzer.pattern import pattern

HEX = "[0-9a-fA-F]"
ESCAPE = pattern(
    rf"""\\(?:
        (?P<hex>u{HEX}{{4}} | x{HEX}{{1,2}})
      | u\{{\s*(?P<list>{HEX}{{1,6}}(?:\s+{HEX}{{1,6}})*)\s*\}}
      | (?P<octal>[0-3]?[0-7]{{1,2}})(?![0-7])
      | (?P<property>[pP]\{{\s*[^\s}}][^}}]*\}})
      | (?P<class>[dDwWsShHRX])
      | (?:c|C-)(?:\\?.)
      | (?![4-7][0-7]{{2}} | [pP]\{{ | [uxcCM])(?P<char>.)
    )""",
    re.S | re.X,
)
# Bytes of characters that are not ASCII: together they are UTF-8.
BYTES = pattern(r"(?:\\(?:x[89a-fA-F][0-9a-fA-F]|[23][0-7]{2}))+")
BYTE = pattern(r"\\(?:x(..)|(...))")
REFERENCE = pattern(r"\\(?:([1-9])(?!\d)|[kg](?:<([^>]*)>|'([^']*)'|(<)))")
NAME = pattern(r"[^\d\W]\w*")
INTERVAL = pattern(r"\{(?:(\d+)(?:,(\d*))?|,(\d+))\}")
OPENING = pattern(
    r"""\((?:
        (?P<plain>(?!\?))
      | \?(?P<kind>[:=!>~])
      | \?(?P<behind><[=!])
      | \?\((?:(?P<number>\d+)|<(?P<known>[^>]*)>|'(?P<quoted>[^']*)')\)
      | \?(?:<(?P<name>[^>]*)>|'(?P<label>[^']*)')
      | \?(?=[-imxdau])(?P<on>[imxdau]*)(?P<off>-[imx-]*)?(?P<end>[:)])
    )""",
    re.X,
)
COMMENT = pattern(r"\(\?#[^)]*\)")
POSIX = pattern(
    r"\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit|word)(:\])?"
)
NO_POSIX = pattern(r"\[:\^?[^:\]]{0,20}:\]")
ENDS_AS_POSIX = pattern(r"\[:(?:[^\]\\:]|\\.|:(?!\]))*:\]")
RANGE = pattern(r"-(?!&&|\]|\Z)")
CONTROLS = {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "a": 7, "e": 27, "b": 8}
OF_CLASS = -1  # Not the code of one character.
LARGEST_REPEAT = 100_000


class Fault(Exception):
    """A regular expression that Ruby refuses."""


def fail(message: str) -> NoReturn:
    """Refuse the expression."""
    raise Fault(message)


@lru_cache(maxsize=10_000)
def fault(pattern: str) -> str:
    """Return why Ruby refuses a pattern, nothing if it does not."""
    try:
        check_bytes(pattern)
        Scanner(pattern).scan()
    except Fault as found:
        return str(found)
    return ""


def check_bytes(pattern: str) -> None:
    """Refuse escaped bytes that are no characters of UTF-8."""
    for match in BYTES.finditer(pattern):
        values = [int(h, 16) if h else int(o, 8) for h, o in BYTE.findall(match[0])]
        try:
            bytes(values).decode()
        except UnicodeDecodeError:
            fail("invalid multibyte escape")


class Scanner:
    """Goes through a pattern once; `groups` are those that are open.

    A group is (whether space in it is no text, `<=` or `<!` where it looks behind).
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.pos = 0
        self.groups = [(False, "")]
        self.repeatable = False
        self.captures = 0
        self.names: set[str] = set()
        self.references: list[str] = []

    def scan(self) -> None:
        """Refuse a pattern that is not right; references are checked at the end."""
        while self.pos < len(self.pattern):
            char = self.pattern[self.pos]
            step = STEPS.get(char)
            if step is not None:
                step(self)
            else:
                self.character(char)
        if len(self.groups) > 1:
            fail("end pattern with unmatched parenthesis")
        numbers = [int(one) for one in self.references if one.isdigit()]
        if self.names and numbers:
            fail("numbered backref/call is not allowed. (use name)")
        if any(number > self.captures for number in numbers):
            fail("invalid backref number/name")
        for name in self.references:
            if not name.lstrip("+-").isdigit() and name not in self.names:
                fail(f"undefined name <{name}> reference")

    def character(self, char: str) -> None:
        self.pos += 1
        if not self.groups[-1][0] or not (char == "#" or char.isspace()):
            self.repeatable = True
        elif char == "#":
            self.pos = self.pattern.find("\n", self.pos) + 1 or len(self.pattern)

    def escape(self) -> None:
        self.repeatable = True
        match = REFERENCE.match(self.pattern, self.pos)
        if match is None:
            self.pos = escape_at(self.pattern, self.pos).end()
            return
        name = match[1] or match[2] or match[3]
        if not name:
            fail("group name is empty")
        if name[0] == "-" and name[1:].isdigit() and int(name[1:]) > self.captures:
            fail("invalid backref number/name")
        self.references.append(name)
        self.pos = match.end()

    def repeat(self) -> None:
        if not self.repeatable:
            fail("target of repeat operator is not specified")
        if any(behind for _, behind in self.groups):
            fail("invalid pattern in look-behind")
        self.pos += 1

    def interval(self) -> None:
        match = INTERVAL.match(self.pattern, self.pos)
        if match is None:
            self.character("{")
            return
        least, most = match[1], match[3] or match[2]
        if any(int(number) > LARGEST_REPEAT for number in (least, most) if number):
            fail("too big number for repeat range")
        if least and most and int(least) > int(most):
            fail("upper is smaller than lower in repeat range")
        if most is not None and least != most:
            self.repeat()
        elif not self.repeatable:
            fail("target of repeat operator is not specified")
        self.pos = match.end()

    def alternative(self) -> None:
        self.repeatable = False
        self.pos += 1

    def close(self) -> None:
        if len(self.groups) == 1:
            fail("unmatched close parenthesis")
        self.groups.pop()
        self.repeatable = True
        self.pos += 1

    def open(self) -> None:
        if comment := COMMENT.match(self.pattern, self.pos):
            self.pos = comment.end()
            return
        match = OPENING.match(self.pattern, self.pos)
        if match is None:
            fail("undefined group option")
        self.repeatable = False
        self.pos = match.end()
        extended, behind = self.groups[-1][0], match["behind"] or ""
        if match["end"]:
            off = match["off"] or ""
            extended = ("x" in match["on"] or extended) and "x" not in off
        if match["end"] == ")":
            self.groups[-1] = (extended, self.groups[-1][1])
            return
        self.groups.append((extended, behind))
        self.note(match)

    def note(self, match: re.Match[str]) -> None:
        """Note what a group captures or refers to."""
        name = match["name"] if match["name"] is not None else match["label"]
        if match["plain"] is not None:
            self.captures += 1
            if any(behind == "<!" for _, behind in self.groups):
                fail("invalid pattern in look-behind")
        elif name is not None:
            if not NAME.fullmatch(name):
                fail(f"invalid group name <{name}>" if name else "group name is empty")
            self.names.add(name)
        elif reference := match["number"] or match["known"] or match["quoted"]:
            self.references.append(reference)

    def brackets(self) -> None:
        self.pos = class_end(self.pattern, self.pos)
        self.repeatable = True


def escape_at(pattern: str, start: int) -> re.Match[str]:
    """Return the escape at a place."""
    match = ESCAPE.match(pattern, start)
    if match is None:
        fail("invalid escape" if start + 1 < len(pattern) else "too short escape sequence")
    if any(int(code, 16) > 0x10FFFF for code in (match["list"] or "").split()):
        fail("invalid Unicode range")
    return match


def class_end(pattern: str, start: int) -> int:
    """Return where a class in brackets ends."""
    begin = at = start + 1 + pattern.startswith("^", start + 1)
    if pattern.startswith("]", at) and pattern.find("]", at + 1) < 0:
        fail("empty char-class")
    last: int | None = None  # The code that may begin a range.
    while at < len(pattern):
        if pattern[at] == "]" and at > begin:
            return at + 1
        if pattern.startswith("&&", at):
            last, at = None, at + 2
        elif is_nested(pattern, at):
            at = class_end(pattern, at)
        elif last is not None and RANGE.match(pattern, at):
            at = range_end(pattern, at + 1, last)
            last = None
        else:
            last, at = item(pattern, at)
    fail("premature end of char-class")


def is_nested(pattern: str, at: int) -> bool:
    """Return whether a class begins in another, and not a POSIX one."""
    return pattern[at] == "[" and not ENDS_AS_POSIX.match(pattern, at)


def range_end(pattern: str, at: int, first: int) -> int:
    """Return where a range ends whose first code is known, from behind its dash."""
    if first == OF_CLASS:
        fail("unmatched range specifier in char-class")
    if is_nested(pattern, at):
        return at
    last, end = item(pattern, at)
    if last == OF_CLASS:
        fail("char-class value at end of range")
    if last < first:
        fail("empty range in char class")
    return end


def item(pattern: str, at: int) -> tuple[int, int]:
    """Return the code of a character in a class, OF_CLASS of several, and where it ends."""
    if pattern[at] == "\\":
        escape = escape_at(pattern, at)
        return code_of(escape), escape.end()
    posix = POSIX.match(pattern, at)
    if posix is not None and posix[1]:
        return OF_CLASS, posix.end()
    if posix is not None or NO_POSIX.match(pattern, at):
        fail("invalid POSIX bracket type")
    return ord(pattern[at]), at + 1


def code_of(match: re.Match[str]) -> int:
    """Return the code of an escaped character, OF_CLASS of one that stands for several."""
    if match["hex"]:
        return int(match["hex"][1:], 16)
    if match["list"]:
        return int(match["list"].split()[-1], 16)
    if match["octal"]:
        return int(match["octal"], 8)
    char = match["char"]
    return OF_CLASS if char is None else CONTROLS.get(char, ord(char))


STEPS = {
    "\\": Scanner.escape,
    "[": Scanner.brackets,
    "(": Scanner.open,
    ")": Scanner.close,
    "|": Scanner.alternative,
    "*": Scanner.repeat,
    "+": Scanner.repeat,
    "?": Scanner.repeat,
    "{": Scanner.interval,
}
