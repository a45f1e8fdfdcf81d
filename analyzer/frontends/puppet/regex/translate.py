"""Ruby's regular expressions as Python's: the same strings match, with the same groups."""

from __future__ import annotations

import re
from functools import lru_cache

from analyzer.frontends.puppet.regex.classes import posix, property_class

_GROUP_NAME = re.compile(r"[A-Za-z_]\w*")
_INTERVAL = re.compile(r"\{(\d*)(,?)(\d*)\}")
_NAMES = re.compile(r"(?<!\\)(?:\\\\)*\(\?(?:<(?![=!])|')")
_ESCAPES = {
    "Z": "(?=\n?\\Z)", "h": "[0-9a-fA-F]", "H": "[^0-9a-fA-F]",
    "R": "(?:\r\n|[\n\v\f\r\x85\u2028\u2029])",
    # Words end by all letters, though \w is one of ASCII.
    "B": r"(?!(?u:\b))",
}  # fmt: skip


class UnsupportedRegexp(re.error):
    """A regular expression that Python has no word for, or that is none."""


@lru_cache(maxsize=10_000)
def compiled(source: str, options: str = "") -> re.Pattern[str]:
    """Return the pattern of a regular expression of Ruby; options are of `i`, `m` and `x`.

    Raises:
        UnsupportedRegexp: there is none.
    """
    flags = re.ASCII | re.MULTILINE
    flags |= re.IGNORECASE if "i" in options else 0
    flags |= re.DOTALL if "m" in options else 0
    try:
        return re.compile(_Translator(source, "x" in options).run(), flags)
    except UnsupportedRegexp:
        raise
    except (re.error, RecursionError, OverflowError, ValueError) as error:
        raise UnsupportedRegexp(f"/{source}/: {error}") from None


def translate(source: str) -> str:
    """Return a regular expression of Ruby in Python's syntax, for ASCII and MULTILINE.

    Raises:
        UnsupportedRegexp: Python has no word for a part of it.
    """
    return _Translator(source, extended=False).run()


class _Translator:
    """Goes through the expression once, from left to right."""

    def __init__(self, source: str, extended: bool) -> None:
        self.source = source
        self.at = 0
        self.out: list[str] = []
        # With names, Ruby gives plain parentheses no number.
        self.named = _NAMES.search(source) is not None
        self.names: set[str] = set()
        self.extended = [extended]
        self.closers: list[str] = []
        # Where the piece began that a repetition would repeat.
        self.starts: list[int] = []
        self.last = 0

    def run(self) -> str:
        while self.at < len(self.source):
            self.step()
        return "".join(self.out)

    def step(self) -> None:
        char = self.source[self.at]
        if char == "{":
            self.interval()
            return
        if char not in "*+?":
            self.last = len(self.out)
        if char == "\\":
            self.out.append(self.escape(inside=False))
        elif char == "[":
            self.out.append(self.brackets())
        elif char == "(":
            self.group()
        elif char == ")":
            self.close()
        elif self.extended[-1] and (char.isspace() or char == "#"):
            end = self.source.find("\n", self.at) if char == "#" else self.at + 1
            self.at = len(self.source) if end < 0 else end
        else:
            self.plain(char)

    def plain(self, char: str) -> None:
        # `^` stands behind every line end but the last.
        written = {"$": "(?=\n|\\Z)", "^": r"(?:\A|(?<=\n)(?!\Z))", "]": r"\]", "}": r"\}"}
        self.take(1, written.get(char, char))

    def close(self) -> None:
        self.take(1, self.closers.pop() if self.closers else ")")
        self.last = self.starts.pop() if self.starts else 0
        if len(self.extended) > 1:
            self.extended.pop()

    def take(self, count: int, written: str) -> None:
        self.at += count
        self.out.append(written)

    def refuse(self, what: str) -> UnsupportedRegexp:
        return UnsupportedRegexp(f"/{self.source}/: {what} has no counterpart in Python")

    def interval(self) -> None:
        match = _INTERVAL.match(self.source, self.at)
        if match is None or not (match[1] or match[3]):
            self.last = len(self.out)
            self.take(1, r"\{")
            return
        low = match[1] or "0"
        written = f"{{{low},{match[3]}}}" if match[2] else f"{{{low}}}"
        self.at = match.end()
        if self.source[self.at : self.at + 1] == "+":
            # Behind an interval, + repeats once more; in Python it would be possessive.
            self.out.insert(self.last, "(?:")
            written += ")"
        self.out.append(written)

    def group(self) -> None:
        rest = self.source[self.at :]
        if rest.startswith("(?#"):
            self.at = self.source.index(")", self.at) + 1
            return
        self.extended.append(self.extended[-1])
        self.starts.append(len(self.out))
        if not rest.startswith("(?"):
            self.open(1, "(?:" if self.named else "(")
            return
        for start in ("(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!"):
            if rest.startswith(start):
                self.open(len(start), start)
                return
        match = re.match(r"\(\?(?:<([^>]*)>|'([^']*)')", rest)
        if match is None:
            self.options(rest)
            return
        name = match[1] or match[2] or ""
        if not _GROUP_NAME.fullmatch(name):
            raise self.refuse(f"the group name {name}")
        # Python refuses a name that is given twice.
        self.open(match.end(), "(" if name in self.names else f"(?P<{name}>")
        self.names.add(name)

    def open(self, count: int, written: str) -> None:
        self.closers.append(")")
        self.take(count, written)

    def options(self, rest: str) -> None:
        match = re.match(r"\(\?([mix]*)(?:-([mix]*))?([:)])", rest)
        if match is None:
            raise self.refuse(rest[:3])
        on, off, end = match.group(1), match.group(2) or "", match.group(3)
        self.extended[-1] = ("x" in on or self.extended[-1]) and "x" not in off
        flags = "".join({"i": "i", "m": "s"}.get(flag, "") for flag in on)
        minus = "".join({"i": "i", "m": "s"}.get(flag, "") for flag in off)
        written = f"(?{flags}{'-' + minus if minus else ''}:"
        if end == ":":
            self.open(match.end(), written)
            return
        # It holds to the end of the group it stands in.
        self.starts.pop()
        extended = self.extended.pop()
        self.extended[-1] = extended
        self.take(match.end(), written)
        if self.closers:
            self.closers[-1] += ")"
            return
        while self.at < len(self.source):
            self.step()
        self.out.append(")")

    def escape(self, *, inside: bool) -> str:
        char = self.source[self.at + 1 : self.at + 2]
        if not char:
            raise self.refuse("a backslash at the end")
        self.at += 2
        if char in "pP" and self.source[self.at : self.at + 1] == "{":
            return self.unicode_property(char == "P", inside)
        if char in "ux":
            return self.code_point(char)
        if char == "e":
            return r"\x1b"
        if inside:
            return self.inside(char)
        if char in "Azb":
            # Python repeats no anchor, but what looks ahead for one.
            written = {"A": r"\A", "z": r"\Z", "b": r"(?u:\b)"}[char]
            return (
                f"(?={written})" if self.source[self.at : self.at + 1] in tuple("*+?{") else written
            )
        return _ESCAPES[char] if char in _ESCAPES else self.outside(char)

    def inside(self, char: str) -> str:
        if char == "h":
            return "0-9a-fA-F"
        if char == "H":
            raise self.refuse("\\H in brackets")
        if char.isalpha() and char not in "dDsSwWnrtfvab":
            return char
        return "\\" + char if char.isascii() else char

    def outside(self, char: str) -> str:
        if char == "k":
            match = re.compile(r"[<'](\w+)[>']").match(self.source, self.at)
            if match is None:
                raise self.refuse("\\k")
            self.at = match.end()
            return f"(?:\\{match[1]})" if match[1].isdigit() else f"(?P={match[1]})"
        if char == "g":
            return self.repeated()
        if char in "GKXyYO":
            raise self.refuse("\\" + char)
        if char == "0":
            return r"\x00"
        if char.isalpha() and char not in "dDsSwWbBnrtfva":
            return char
        return "\\" + char if char.isascii() else char

    def repeated(self) -> str:
        """Return the text that repeats a group (`\\g<name>`); it may not hold itself."""
        match = re.compile(r"<([A-Za-z_]\w*)>").match(self.source, self.at)
        group = match and self.group_text(match[1])
        if match is None or group is None or f"\\g<{match[1]}>" in group:
            raise self.refuse("\\g")
        self.at = match.end()
        return f"(?:{_Translator(group, self.extended[-1]).run()})"

    def group_text(self, name: str) -> str | None:
        """Return the text in the group of a name."""
        start = self.source.find(f"(?<{name}>")
        depth, position = 1, start + len(name) + 4
        begin = position
        while start >= 0 and position < len(self.source):
            char = self.source[position]
            depth += (char == "(") - (char == ")")
            if not depth:
                return self.source[begin:position]
            position += 2 if char == "\\" else 1
        return None

    def unicode_property(self, negated: bool, inside: bool) -> str:
        end = self.source.find("}", self.at)
        name = self.source[self.at + 1 : end]
        negated ^= name.startswith("^")
        written = property_class(name.lstrip("^"))
        if end < 0 or written is None or (inside and negated):
            raise self.refuse(f"\\p{{{name}}}")
        self.at = end + 1
        return written if inside else f"[{'^' if negated else ''}{written}]"

    def code_point(self, char: str) -> str:
        form = r"([0-9A-Fa-f]{4})|\{([0-9A-Fa-f ]+)\}" if char == "u" else r"([0-9A-Fa-f]{1,2})()"
        match = re.compile(form).match(self.source, self.at)
        if match is None:
            raise self.refuse("\\" + char)
        self.at = match.end()
        return "".join(re.escape(chr(int(code, 16))) for code in (match[1] or match[2]).split())

    def brackets(self) -> str:
        """Return the text between brackets, with brackets in brackets and [:names:]."""
        self.at += 1
        written = ["["]
        if self.source[self.at : self.at + 1] == "^":
            written.append("^")
            self.at += 1
        if self.source[self.at : self.at + 1] == "]":
            written.append(r"\]")
            self.at += 1
        while self.at < len(self.source):
            char = self.source[self.at]
            if char == "]":
                self.at += 1
                return "".join(written) + "]"
            if self.source.startswith("&&", self.at):
                return self.both("".join(written) + "]")
            written.append(self.member(char))
        raise self.refuse("a bracket that is not closed")

    def both(self, left: str) -> str:
        """Return `[left&&right]`: the right one, where the left one matches, too."""
        self.at += 1
        right = self.brackets()
        if left.startswith("[^"):
            return rf"(?:(?!(?=[{left[2:]}){right})[\s\S])"
        return f"(?:(?={left}){right})"

    def member(self, char: str) -> str:
        if char == "\\":
            return self.escape(inside=True)
        match = re.compile(r"\[:(\^?)(\w+):\]").match(self.source, self.at)
        if match:
            found = posix(match[2])
            if match[1] or found is None:
                raise self.refuse(match[0])
            self.at = match.end()
            return found
        if char == "[":
            inner = self.brackets()
            if inner.startswith(("[^", "(")):
                raise self.refuse("nested brackets")
            return inner[1:-1]
        self.at += 1
        # Python has plans for these.
        return "\\" + char if char in "&|~" else char
