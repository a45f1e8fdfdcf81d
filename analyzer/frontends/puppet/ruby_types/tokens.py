"""Ruby's tokens: code apart from strings, comments, regular expressions and heredocs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from analyzer.pattern import pattern


class Unreadable(Exception):
    """Ruby that this reader does not understand."""


class Regex(NamedTuple):
    """A regular expression: its text and its options of `i`, `m` and `x`."""

    source: str
    options: str = ""

    def __str__(self) -> str:
        """Return Ruby's text of it, as it goes into another one."""
        on = "".join(option for option in "mix" if option in self.options)
        off = "".join(option for option in "mix" if option not in self.options)
        return f"(?{on}{'-' if off else ''}{off}:{self.source})"


class Lexeme(NamedTuple):
    """One token.

    `kind` is one of id, const, var, label, sym, str, words, regex, num, op, kw, name (what `def`
    defines) and nl (what ends a statement). The value of a text is a string, or a list of strings
    and of lists of tokens, which are code. `spaced`: blanks precede it.
    """

    kind: str
    value: Any
    spaced: bool
    at: int


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


KEYWORDS = words(
    """
    alias and begin break case class def defined? do else elsif end ensure false for if in module
    next nil not or redo rescue retry return self super then true undef unless until when while
    yield __FILE__ __LINE__
    """
)
# After these a value is complete, as after a name.
_ENDING = frozenset({"end", "self", "nil", "true", "false", "__FILE__", "__LINE__"})

_NEXT = pattern(
    r"""
    (?P<blank>(?:[ \t\r\f\v]|\\\r?\n)+)
    |(?P<comment>\#[^\n]*)
    |(?P<nl>\n|;)
    |(?P<word>[^\W\d]\w*(?:[?!](?!=(?![=~>])))?)
    |(?P<var>@@?[^\W\d]\w*|\$(?:\w+|-\w|[^\w\s]))
    |(?P<num>\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][-+]?\d+|[xXbBoO][\da-fA-F_]+)?)
    |(?P<op>\*\*=|<=>|===|\.\.\.|&&=|\|\|=|<<=|>>=|\.\.|&\.|->|=>|==|=~|!=|!~|<=|>=|<<|>>|&&|\|\|
      |\+=|-=|\*=|/=|%=|\|=|&=|\^=|::|\*\*|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SYMBOL = pattern(
    r"[^\W\d]\w*(?:[?!](?!=)|=(?![=~>]))?|@@?\w+|\$\w+"
    r"|\[\]=?|\*\*|[-+]@|<=>|===?|=~|![=~]?|<<|>>|<=|>=|[-+*/%&|^~<>!]"
)
_NAME = pattern(
    r"[ \t]*((?:(?:self|[^\W\d]\w*)[ \t]*\.[ \t]*)?"
    r"(?:[^\W\d]\w*(?:[?!]|=(?=\(|[ \t]*\r?\n))?|\[\]=?|\*\*|[-+!~]@?|<=>|===?|=~|!=|!~|<<|>>|<=|>="
    r"|[*/%&|^<>`]))"
)
_HEREDOC = pattern(r"<<([-~]?)(?:(['\"`])([^'\"`\n]+)\2|([^\W\d]\w*))")
_PERCENT = pattern(r"%([wWiIqQrsx]?)([^\w\s])")
_CHARACTER = pattern(r"\?(\\.|\w(?!\w)|[^\w\s])")
_COMMENT_BLOCK = pattern(r"=begin\b.*?^=end\b[^\n]*", re.DOTALL | re.MULTILINE)
_CONTINUED = pattern(r"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t\r]*(?:\.(?!\.)|&\.)")
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_ESCAPES = {"n": "\n", "t": "\t", "s": " ", "r": "\r", "0": "\0", "e": "\x1b", "\n": ""}


def tokens_of(text: str) -> list[Lexeme]:
    """Return the tokens of a program.

    Raises:
        Unreadable: something does not end.
    """
    end = re.search(r"^__END__\r?$", text, re.MULTILINE)
    return _Lexer(text[: end.start()] if end else text).run()


@cache
def _stops(opening: str, closing: str) -> re.Pattern[str]:
    return re.compile(rf"\\.|#\{{|{re.escape(opening)}|{re.escape(closing)}", re.DOTALL)


class _Lexer:
    """Goes through the text once; `run` calls itself for the code within strings."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.spaced = False
        self.tokens: list[Lexeme] = []
        # Where the text goes on after the heredocs of the current line.
        self.resume = 0
        self.special: dict[str, Callable[[], bool]] = {
            '"': self.double,
            "'": self.single,
            "`": self.double,
            "/": self.slash,
            "%": self.percent,
            "<": self.heredoc,
            "?": self.character,
            ":": self.symbol,
            "=": self.comment_block,
        }

    def run(self, within: bool = False) -> list[Lexeme]:
        """Read to the end, or to the brace that closes what the code is in."""
        depth = 0
        size = len(self.text)
        while self.at < size:
            match = _NEXT.match(self.text, self.at)
            assert match is not None
            kind, value = str(match.lastgroup), match.group()
            if kind == "op" and value[0] in self.special and self.special[value[0]]():
                continue
            if within and value in ("{", "}"):
                depth += 1 if value == "{" else -1
                if depth < 0:
                    self.at = match.end()
                    return self.tokens
            self.take(kind, value, match.end())
        if within:
            raise Unreadable("code in a string does not end")
        return self.tokens

    def take(self, kind: str, value: str, end: int) -> None:
        """Add a token that needs no special care."""
        if kind in ("blank", "comment"):
            self.at, self.spaced = end, True
        elif kind == "nl":
            self.newline(value, end)
        elif kind == "word":
            self.word(value, end)
        else:
            self.add(kind, value, end)

    def add(self, kind: str, value: object, end: int) -> None:
        """Add a token that ends there."""
        self.tokens.append(Lexeme(kind, value, self.spaced, self.at))
        self.at, self.spaced = end, False

    @property
    def last(self) -> Lexeme | None:
        """Return the token before."""
        return self.tokens[-1] if self.tokens else None

    def expects_value(self) -> bool:
        """Return whether an operand may begin here, and no operator."""
        last = self.last
        if last is None or last.kind in ("nl", "label"):
            return True
        if last.kind == "id":
            # `desc /x/` is a call; `a / b` and `a/b` divide.
            return self.spaced and self.text[self.at + 1 : self.at + 2] not in (" ", "=", "\n", "")
        if last.kind == "op":
            return last.value not in (")", "]", "}")
        return last.kind == "kw" and last.value not in _ENDING

    def newline(self, value: str, end: int) -> None:
        """End a statement, unless the line is continued; heredocs are behind it."""
        if value == "\n" and self.resume > end:
            end = self.resume
        last = self.last
        if last is None or last.kind == "nl":
            self.at, self.spaced = end, True
            return
        goes_on = (
            last.value not in (")", "]", "}", "|")
            if last.kind == "op"
            else last.kind == "kw" and last.value in ("and", "or", "not")
        )
        if value == ";" or not (goes_on or _CONTINUED.match(self.text, end)):
            self.add("nl", value, end)
        self.at, self.spaced = end, True

    def word(self, value: str, end: int) -> None:
        """Return a name, a keyword or a label."""
        last = self.last
        after_dot = last is not None and last.kind == "op" and last.value in (".", "&.", "::")
        if self.text[end : end + 1] == ":" and self.text[end : end + 2] != "::" and not after_dot:
            self.add("label", value, end + 1)
        elif value == "def" and not after_dot:
            self.add("kw", value, end)
            self.defined()
        elif value in KEYWORDS and not (after_dot and value[0].islower()):
            self.add("kw", value, end)
        else:
            self.add("const" if value[0].isupper() else "id", value, end)

    def defined(self) -> None:
        """Return the name after `def`."""
        match = _NAME.match(self.text, self.at)
        if match is None:
            raise Unreadable("a def without a name")
        self.add("name", re.sub(r"\s", "", match[1]), match.end())

    # ---- what begins with a special character

    def quoted(self, start: int, opening: str, closing: str, code: bool) -> tuple[Any, int]:
        """Return the raw text from `start` on and where what follows begins."""
        parts: list[object] = []
        depth, begin, at = 0, start, start
        stops = _stops(opening, closing)
        while True:
            match = stops.search(self.text, at)
            if match is None:
                raise Unreadable("a string does not end")
            found, at = match.group(), match.end()
            if found == "#{" and code:
                inner = _Lexer(self.text)
                inner.at = at
                parts += [self.text[begin : match.start()], inner.run(within=True)]
                begin = at = inner.at
            elif found == closing and depth == 0:
                parts.append(self.text[begin : match.start()])
                return parts, at
            elif found == closing:
                depth -= 1
            elif found == opening:
                depth += 1

    def double(self) -> bool:
        """`"text"`, which may hold code."""
        quote = self.text[self.at]
        parts, end = self.quoted(self.at + 1, quote, quote, True)
        self.text_token(parts, end, unescaped)
        return True

    def single(self) -> bool:
        """`'text'`."""
        parts, end = self.quoted(self.at + 1, "'", "'", False)
        self.text_token(parts, end, unescaped_single)
        return True

    def text_token(self, parts: list[object], end: int, decode: Callable[[str], str]) -> None:
        """Add a text, or the label that it is when a colon follows."""
        decoded = [decode(part) if isinstance(part, str) else part for part in parts]
        value = decoded[0] if len(decoded) == 1 else decoded
        last = self.last
        key = last is None or last.value in ("{", "(", ",")
        if key and self.text[end : end + 1] == ":" and self.text[end : end + 2] != "::":
            self.add("label", value, end + 1)
        else:
            self.add("str", value, end)

    def slash(self) -> bool:
        """`/regular expression/`."""
        if not self.expects_value():
            return False
        self.regex(*self.quoted(self.at + 1, "/", "/", True))
        return True

    def regex(self, parts: list[object], end: int) -> None:
        """Add a regular expression whose options begin there."""
        options = re.compile(r"[a-z]*").match(self.text, end)
        assert options is not None
        value = [part.replace("\\/", "/") if isinstance(part, str) else part for part in parts]
        self.add("regex", (value, options.group()), options.end())

    def percent(self) -> bool:
        """`%w[a b]`, `%r{x}` and their like."""
        match = _PERCENT.match(self.text, self.at) if self.expects_value() else None
        if match is None or match[2] == "=":
            return False
        kind, opening = match[1], match[2]
        code = kind not in ("w", "i", "q", "s")
        parts, end = self.quoted(match.end(), opening, _PAIRS.get(opening, opening), code)
        if kind == "r":
            self.regex(parts, end)
        elif kind in ("w", "W", "i", "I"):
            self.add("words", parts[0].split() if len(parts) == 1 else None, end)
        else:
            self.text_token(parts, end, unescaped if code else unescaped_single)
        return True

    def heredoc(self) -> bool:
        """`<<-EOT`: the text is in the lines below."""
        match = _HEREDOC.match(self.text, self.at)
        last = self.last
        if match is None or (last is not None and last.kind in ("const", "num", "str")):
            return False
        if last is not None and last.value == "class":
            return False
        if not match[1] and not self.expects_value():
            return False
        below = self.text.find("\n", match.end())
        begin = max(self.resume, below + 1)
        indent = r"[ \t]*" if match[1] else ""
        ending = re.compile(rf"^{indent}{re.escape(match[3] or match[4])}\r?$", re.MULTILINE)
        end = ending.search(self.text, begin) if below >= 0 else None
        if end is None:
            raise Unreadable("a heredoc does not end")
        self.resume = min(end.end() + 1, len(self.text))
        self.add("str", self.text[begin : end.start()], match.end())
        return True

    def character(self) -> bool:
        """`?x`, a text of one character."""
        match = _CHARACTER.match(self.text, self.at) if self.expects_value() else None
        if match is None:
            return False
        self.add("str", match[1], match.end())
        return True

    def symbol(self) -> bool:
        """`:name` and `:"name"`."""
        after = self.text[self.at + 1 : self.at + 2]
        if after in ("'", '"'):
            parts, end = self.quoted(self.at + 2, after, after, after == '"')
            self.add("sym", parts[0] if len(parts) == 1 else parts, end)
            return True
        match = _SYMBOL.match(self.text, self.at + 1)
        if match is None:
            return False
        self.add("sym", match.group(), match.end())
        return True

    def comment_block(self) -> bool:
        """`=begin` to `=end`."""
        starts = self.at == 0 or self.text[self.at - 1] == "\n"
        match = _COMMENT_BLOCK.match(self.text, self.at) if starts else None
        if match is None:
            return False
        self.at = match.end()
        return True


def unescaped(text: str) -> str:
    """Return a text in double quotes without its escapes."""
    if "\\" not in text:
        return text
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), text, flags=re.DOTALL)


def unescaped_single(text: str) -> str:
    """Return a text in single quotes without its escapes."""
    return re.sub(r"\\([\\'])", r"\1", text) if "\\" in text else text
