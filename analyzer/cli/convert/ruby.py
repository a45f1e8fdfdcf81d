"""Reads the part of Ruby that specs are written in: tokens, literals, and blocks of statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

PAIRS = {"(": ")", "[": "]", "{": "}"}
# A slash after these begins a regular expression.
BEFORE_VALUE = frozenset(("", "nl", "op"))
# Words that begin what `end` ends; some do so only at the beginning of a statement.
BLOCKS = frozenset(("do", "case", "begin", "def", "class", "module"))
AT_START = frozenset(("if", "unless", "while", "until", "for"))

TOKENS = re.compile(
    r"""
    (?P<space>[ \t\r]+|\\\n|\#[^\n]*)
  | (?P<nl>\n|;)
  | (?P<heredoc><<[~-]?(?P<quote>['"]?)(?P<tag>[A-Z_]+)(?P=quote))
  | (?P<label>[A-Za-z_]\w*[?!]?:(?!:)|'[^'\n]*':(?!:)|"[^"\n]*":(?!:))
  | (?P<symbol>:(?:[A-Za-z_]\w*[?!]?|'[^']*'|"[^"]*"))
  | (?P<words>%[wi](?:\[[^\]]*\]|\([^)]*\)|\{[^}]*\}))
  | (?P<single>'(?:[^'\\]|\\.)*')
  | (?P<double>"(?:[^"\\]|\\.)*")
  | (?P<braced>%r\{(?:[^{}\\]|\\.|\{[^{}]*\})*\}[imxo]*)
  | (?P<number>-?\d[\d_]*(?:\.\d+)?)
  | (?P<const>(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*)
  | (?P<name>@?[a-z_]\w*[?!]?)
  | (?P<op>=>|&&|\|\||==|=~|!=|\.\.|::|->|[-+*/%<>=!?&|.,(){}\[\]^~:$@])
    """,
    re.VERBOSE | re.DOTALL,
)
REGEX = re.compile(r"/((?:[^/\\\n]|\\.)*)/([imxo]*)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b", "s": " "}


class Unconvertible(Exception):
    """Ruby that has no counterpart here; the reason is its text."""


class RubyToken(NamedTuple):
    """A token: its kind, its text, and where it begins and ends."""

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RubyRegex:
    """A regular expression, as Python writes it."""

    pattern: str
    flags: str = ""


@dataclass(frozen=True, slots=True)
class RubyCall:
    """A name or a call: `facts`, `super().merge(...)`, `contain_file('x').with_mode('0')`."""

    name: str
    arguments: tuple[object, ...] = ()
    on: object = None


def tokens_of(text: str) -> list[RubyToken]:
    """Return the tokens of a text.

    Raises:
        Unconvertible: something is not read here.
    """
    found: list[RubyToken] = []
    at, heredocs = 0, list[tuple[int, str]]()
    while at < len(text):
        last = found[-1] if found else RubyToken("nl", "", 0, 0)
        after_value = last.kind not in BEFORE_VALUE or last.text in (")", "]", "}")
        regex = None if after_value else REGEX.match(text, at)
        if regex:
            found.append(RubyToken("regex", regex[0], at, regex.end()))
            at = regex.end()
            continue
        match = TOKENS.match(text, at)
        if match is None:
            raise Unconvertible(f"{text[at : at + 20]!r} is not read")
        kind = match.lastgroup or ""
        kind = "heredoc" if match["heredoc"] else kind
        at = match.end()
        if kind == "heredoc":
            heredocs.append((len(found), match["tag"]))
        if kind != "space":
            found.append(RubyToken(kind, match[0], match.start(), at))
        if kind == "nl" and heredocs and match[0] == "\n":
            at = read_heredocs(text, at, heredocs, found)
    return found


def read_heredocs(
    text: str, at: int, heredocs: list[tuple[int, str]], found: list[RubyToken]
) -> int:
    """Put the bodies of heredocs into their tokens; return the place after them.

    Raises:
        Unconvertible: one does not end.
    """
    for number, tag in heredocs:
        end = re.compile(rf"^[ \t]*{tag}[ \t]*$", re.MULTILINE).search(text, at)
        if end is None:
            raise Unconvertible(f"<<{tag} does not end")
        head = found[number]
        found[number] = RubyToken("heredoc", head.text + "\n" + text[at : end.start()], *head[2:])
        at = min(len(text), end.end() + 1)
    heredocs.clear()
    return at


def unescaped(text: str, quote: str) -> str:
    """Return the value of a quoted text.

    Raises:
        Unconvertible: it has code in it.
    """
    if quote == "'":
        return re.sub(r"\\(['\\])", r"\1", text)
    if re.search(r"(?<!\\)#[{@$]", text):
        raise Unconvertible(f'"{text[:30]}" has code in it')
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text, flags=re.DOTALL)


def heredoc_value(token: RubyToken) -> str:
    """Return the text of a heredoc."""
    head, _, body = token.text.partition("\n")
    text = body if "'" in head else unescaped(body, '"')
    if "~" in head:
        lines = [line for line in text.split("\n") if line.strip()]
        least = min((len(line) - len(line.lstrip()) for line in lines), default=0)
        text = "\n".join(line[least:] for line in text.split("\n"))
    return text


def symbol_value(token: RubyToken) -> str | None:
    """Return the value of a symbol: `:undef` is none."""
    name = token.text[1:].strip("'\"")
    return None if name == "undef" else name


def number_value(token: RubyToken) -> int | float:
    """Return the value of a number."""
    text = token.text.replace("_", "")
    return float(text) if "." in text else int(text)


def regex_value(token: RubyToken) -> RubyRegex:
    """Return a regular expression for Python; in Ruby `^` and `$` are those of lines.

    Raises:
        Unconvertible: it has code in it, or what Python's have not.
    """
    match = REGEX.fullmatch(token.text)
    assert match is not None
    pattern = match[1].replace(r"\/", "/").replace(r"\A", r"\A").replace(r"\z", r"\Z")
    pattern = pattern.replace(r"\h", "[0-9a-fA-F]")
    if re.search(r"(?<!\\)#\{", pattern) or "[[:" in pattern:
        raise Unconvertible(f"{token.text[:30]} has code or classes in it")
    flags = "".join({"i": "I", "m": "S", "x": "X"}.get(one, "") for one in match[2])
    try:
        re.compile(pattern)
    except re.error as error:
        raise Unconvertible(f"{token.text[:30]}: {error}") from None
    return RubyRegex(pattern, "M" + flags)


def braced_value(token: RubyToken) -> RubyRegex:
    """Return the regular expression in `%r{...}`."""
    body, _, flags = token.text[3:].rpartition("}")
    slashed = re.sub(r"(?<!\\)/", r"\/", body)
    return regex_value(RubyToken("regex", f"/{slashed}/{flags}", *token[2:]))


class RubyReader:
    """Reads tokens from the left."""

    def __init__(self, tokens: list[RubyToken]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self, skip_lines: bool = False) -> RubyToken:
        """Return the next token, and go over line ends before it if they do not matter."""
        while skip_lines and self.at < len(self.tokens) and self.tokens[self.at].kind == "nl":
            self.at += 1
        if self.at < len(self.tokens):
            return self.tokens[self.at]
        return RubyToken("", "", 0, 0)

    def take(self, text: str = "", skip_lines: bool = False) -> RubyToken:
        """Return the next token.

        Raises:
            Unconvertible: it is another one than expected.
        """
        token = self.peek(skip_lines)
        if not token.kind or (text and token.text != text):
            raise Unconvertible(f"{token.text or 'the end'!r} instead of {text!r}")
        self.at += 1
        return token

    def done(self) -> bool:
        """Return whether only line ends are left."""
        return not self.peek(True).kind

    def value(self) -> object:
        """Read a value: a literal, or a chain of calls.

        Raises:
            Unconvertible: it is something else.
        """
        found = self.first(self.peek(True))
        while True:
            ahead = self.at
            following = self.peek(True)
            if following.text == ".":
                self.take()
                name = self.take(skip_lines=True)
                found = RubyCall(name.text, self.arguments(), found)
            elif following.text == "[" and self.tokens[self.at - 1].end == following.start:
                self.take()
                key = self.value()
                self.take("]", True)
                found = RubyCall("[]", (key,), found)
            else:
                self.at = ahead
                return found

    def first(self, token: RubyToken) -> object:
        """Read the beginning of a value.

        Raises:
            Unconvertible: it is something else.
        """
        if token.text in ("[", "{"):
            return self.array() if token.text == "[" else self.table()
        self.take()
        if token.text == "(":
            found = self.value()
            self.take(")", True)
            return found
        readers: dict[str, Callable[[RubyToken], object]] = {
            "single": self.text,
            "double": self.text,
            "symbol": symbol_value,
            "number": number_value,
            "heredoc": heredoc_value,
            "regex": regex_value,
            "braced": braced_value,
            "words": lambda token: token.text[3:-1].split(),
            "const": lambda token: RubyCall(token.text),
            "name": self.name,
        }
        if token.kind not in readers:
            raise Unconvertible(f"{token.text!r} is not read")
        return readers[token.kind](token)

    def text(self, token: RubyToken) -> str:
        """Return a text, with those that follow it directly."""
        parts = [unescaped(token.text[1:-1], token.text[0])]
        while self.peek().kind in ("single", "double"):
            following = self.take()
            parts.append(unescaped(following.text[1:-1], following.text[0]))
        return "".join(parts)

    def name(self, token: RubyToken) -> object:
        """Return a word's value, or a call."""
        words: dict[str, object] = {"true": True, "false": False, "nil": None}
        if token.text in words:
            return words[token.text]
        return RubyCall(token.text, self.arguments())

    def arguments(self) -> tuple[object, ...]:
        """Read the arguments of a call: in parentheses, or a literal behind a space."""
        following = self.peek()
        if following.text == "(" and following.start == self.tokens[self.at - 1].end:
            self.take()
            return tuple(self.items(")"))
        # A command: what follows on the line.
        before = self.tokens[self.at - 1]
        if following.kind in ("single", "double", "const") and following.start > before.end:
            found = [self.value()]
            while self.peek().text == ",":
                self.take()
                found.append(self.value())
            return tuple(found)
        return ()

    def items(self, end: str) -> Iterator[object]:
        """Yield values up to a bracket; pairs at the end are a table."""
        pairs: dict[object, object] = {}
        while self.peek(True).text != end:
            token = self.peek(True)
            if token.kind == "label":
                self.take()
                pairs[token.text[:-1].strip("'\"")] = self.value()
            else:
                found = self.value()
                if self.peek(True).text == "=>":
                    self.take()
                    pairs[hashable(found)] = self.value()
                else:
                    yield found
            if self.peek(True).text == ",":
                self.take()
            elif self.peek(True).text != end:
                raise Unconvertible(f"{self.peek().text!r} in a list")
        self.take(end)
        if pairs:
            yield pairs

    def array(self) -> object:
        """Read `[...]`."""
        self.take("[")
        return list(self.items("]"))

    def table(self) -> object:
        """Read `{...}`."""
        self.take("{")
        found = list(self.items("}"))
        if not found:
            return {}
        if len(found) != 1 or not isinstance(found[0], dict):
            raise Unconvertible("a block instead of a hash")
        return found[0]


def hashable(value: object) -> object:
    """Return a key of a hash.

    Raises:
        Unconvertible: it is no simple value.
    """
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise Unconvertible("a key that is no simple value")


def inside(tokens: list[RubyToken], at: int) -> int:
    """Return the place of what ends the block or bracket that begins at a place.

    Raises:
        Unconvertible: nothing does.
    """
    opened: list[str] = []
    for i in range(at, len(tokens)):
        token = tokens[i]
        before = tokens[i - 1] if i else RubyToken("nl", "", 0, 0)
        if token.text in PAIRS and token.kind == "op":
            opened.append(PAIRS[token.text])
        elif (
            token.kind == "name"
            and before.text != "."
            and (token.text in BLOCKS or (token.text in AT_START and before.kind == "nl"))
        ):
            opened.append("end")
        elif opened and token.text == opened[-1] and token.kind in ("op", "name"):
            opened.pop()
            if not opened:
                return i
    raise Unconvertible("a block does not end")
