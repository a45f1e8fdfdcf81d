"""From text to tokens (Puppet::Pops::Parser::Lexer2): one pass, one regular expression.

Context that the grammar cannot see is in the kinds of tokens, as in Puppet: `[` after space
(LISTSTART), `(` first on its line (WSLPAREN), `{` after `?` (SELBRACE), a slash that divides or
begins a regular expression, and the parts of strings with interpolation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NoReturn

from analyzer.frontends.puppet.syntax.lexing import epp, heredoc, numbers
from analyzer.frontends.puppet.syntax.lexing.state import MOST_NESTED, LexerState
from analyzer.frontends.puppet.syntax.lexing.strings import (
    DOUBLE_QUOTED,
    DOUBLE_QUOTED_ESCAPES,
    TextRule,
    unescape,
    unescape_single,
)
from analyzer.frontends.puppet.syntax.lexing.tokens import (
    BLANK,
    DIVISIBLE,
    INTERPOLATED_VARIABLE,
    KEYWORDS,
    NAME,
    OPERATORS,
    REFERENCE,
    TASK_KEYWORDS,
    TOKEN,
    TOKEN_OF_LINE,
    Token,
)

BLANK_ONLY = re.compile(f"[{BLANK}]*\\Z")
BEFORE_LIST = re.compile(f"[{BLANK}\\n]")

# An interpolation's only token, or its first before `.` or `[`, becomes a variable if it is of
# these: names, numbers and keywords.
VARIABLES = {"NUMBER", "NAME", "WORD"} | {
    kind for kind, _ in (*KEYWORDS.values(), *TASK_KEYWORDS.values())
}

IS_NAME, IS_OPERATOR, IS_VARIABLE, IS_SINGLE, IS_BRACE, IS_REFERENCE = (
    TOKEN.groupindex[name]
    for name in ("name", "operator", "variable", "single", "brace", "reference")
)

# Tokens that Puppet finds by a pattern and not by their first character.
SCANNED = VARIABLES | {"CLASSREF", "VARIABLE"}

DOUBLE = (DOUBLE_QUOTED, DOUBLE_QUOTED_ESCAPES)


class Lexer(LexerState):
    """Lexes one text; `tokens` is the result, `warnings` are (code, argument, offset)."""

    def __init__(self, text: str, file: str = "", *, tasks: bool = False) -> None:
        super().__init__(text, file, tasks=tasks)
        self.braces = 0
        self.scan, self.handlers = scanner_of(TOKEN), HANDLERS
        self.mark_after = ""
        self.nested = 0
        self.ready: int | None = None
        self.head = False
        self.keywords = {**KEYWORDS, **TASK_KEYWORDS} if tasks else KEYWORDS
        self.warnings: list[tuple[str, str, int]] = []

    def run(self) -> list[Token]:
        """Lex the whole text.

        Raises:
            ParseError: a character, number, name, quote, comment or heredoc is not right.
        """
        self.lex(None)
        return self.tokens

    def run_template(self) -> list[Token]:
        """Lex a whole EPP template.

        Raises:
            ParseError: a tag is not closed, or the code is not right.
        """
        epp.begin(self)
        self.lex(None)
        epp.end(self)
        return self.tokens

    def tokens_before_error(self) -> list[Token]:
        """Return the tokens that a parser gets before an error: none of a string not complete."""
        return self.tokens[: self.ready]

    def after(self) -> str:
        """Return the kind of the token before; parts of a string just begun do not count."""
        return self.tokens[-1][0] if len(self.tokens) > self.mark else self.mark_after

    def lex(self, stop: int | None) -> bool:  # noqa: C901, PLR0912 (the one loop over all tokens)
        """Lex up to the brace that brings the count back to `stop`, or to the end.

        Returns whether that brace was found; it is not among the tokens.
        """
        text, keywords, add = self.text, self.keywords, self.tokens.append
        scan = self.scan(text, self.pos)
        while True:
            match = scan()
            kind = match.lastindex
            start, pos = match.span(kind)  # type: ignore[arg-type]
            value = text[start:pos]
            if kind == IS_OPERATOR:
                add((OPERATORS[value], value, start, pos - start))
            elif kind == IS_NAME:
                keyword = keywords.get(value)
                if keyword is None:
                    add(("NAME", value, start, pos - start))
                else:
                    add((keyword[0], keyword[1], start, pos - start))
            elif kind == IS_VARIABLE:
                add(("VARIABLE", value[1:], start, pos - start))
            elif kind == IS_SINGLE:
                add(("STRING", unescape_single(value[1:-1]), start, pos - start))
            elif kind == IS_BRACE:
                if value == "{":
                    self.braces += 1
                    add(("SELBRACE" if self.after() == "QMARK" else "LBRACE", value, start, 1))
                else:
                    self.braces -= 1
                    if self.braces == stop:
                        self.pos = pos
                        return True
                    add(("RBRACE", value, start, 1))
            elif kind == IS_REFERENCE:
                add(("CLASSREF", value, start, pos - start))
            else:
                self.pos = pos
                handler = self.handlers[kind]  # type: ignore[index]
                if handler is None:
                    return False
                before = self.scan
                handler(self, start)
                if self.pos != pos or self.scan is not before:
                    scan = self.scan(text, self.pos)

    def on_newline(self, start: int) -> None:
        """Skip the text of heredocs that began on the line."""
        self.pos = self.jump or self.pos
        self.jump = None
        self.scan, self.handlers = scanner_of(TOKEN), HANDLERS

    def on_paren(self, start: int) -> None:
        """Add a parenthesis; one that begins its line is no call."""
        line = self.text.rfind("\n", 0, start) + 1
        first = BLANK_ONLY.match(self.text[line:start]) is not None
        self.tokens.append(("WSLPAREN" if first else "LPAREN", "(", start, 1))

    def on_bracket(self, start: int) -> None:
        """Add a bracket; after space it begins an array, else an access."""
        apart = start == 0 or BEFORE_LIST.match(self.text[start - 1]) is not None
        self.tokens.append(("LISTSTART" if apart else "LBRACK", "[", start, 1))

    def on_number(self, start: int) -> None:
        """Take a number whose form is right."""
        value = self.text[start : self.pos]
        numbers.check(self, value, start)
        self.tokens.append(("NUMBER", value, start, self.pos - start))

    def on_word(self, start: int) -> None:
        """Take a bare word, which is a name if it has no hyphen and no leading underscore."""
        value = self.text[start : self.pos]
        kind = "NAME" if NAME.match(value) else "WORD"
        self.tokens.append((kind, value, start, self.pos - start))

    def on_minus(self, start: int) -> None:
        """Take a minus or an arrow; in a template it may end the code."""
        value = self.text[start : self.pos]
        if self.epp_mode and self.text.startswith("-%>", start):
            epp.end_code(self, start, "-%>")
        else:
            self.tokens.append((MINUS[value], value, start, self.pos - start))

    def on_percent(self, start: int) -> None:
        """Take a modulo; in a template it may end the code."""
        if self.epp_mode and self.text.startswith("%>", start):
            epp.end_code(self, start, "%>")
        else:
            self.tokens.append(("MODULO", "%", start, 1))

    def on_slash(self, start: int) -> None:
        """Take a regular expression where one may stand, else a division."""
        if self.after() not in DIVISIBLE:
            end = self.text.find("/", start + 1)
            while end >= 0 and odd_backslashes(self.text, end):
                end = self.text.find("/", end + 1)
            if end >= 0:
                pattern = self.text[start + 1 : end].replace("\\/", "/")
                from analyzer.frontends.puppet.regex.faults import fault

                if problem := fault(pattern):
                    shown = self.text[start + 1 : end]
                    self.error("ILLEGAL_REGEXP", start, problem=problem, pattern=shown)
                self.tokens.append(("REGEX", pattern, start, end + 1 - start))
                self.pos = end + 1
                return
        self.tokens.append(("DIV", "/", start, 1))

    def on_heredoc(self, start: int) -> None:
        """Take a heredoc; its text is skipped when the line ends."""
        heredoc.lex(self, start, self._interpolated)
        self.scan, self.handlers = scanner_of(TOKEN_OF_LINE), HANDLERS_OF_LINE

    def _interpolated(self, text: str, rule: TextRule) -> list[Token]:
        """Return the tokens of a text with interpolations, places counted from its start."""
        inner = Lexer(text, self.file, tasks=self.tasks)
        inner.interpolate(rule, 0, 0)
        return inner.tokens

    def on_other(self, start: int) -> None:
        """Take what fits nowhere: a lone dollar, or an error."""
        char = self.text[start]
        self.pos = start
        if char == "$":
            self.tokens.append(("VARIABLE", "", start, 1))
        elif char == "'":
            self.pos = start + 1
            self.error("UNCLOSED_QUOTE", after='"\'"', followed_by=self.followed_by())
        elif char == "/":
            self.error("UNCLOSED_MLCOMMENT")
        elif char.isascii() and char.isdigit():
            numbers.refuse(self, start)
        elif char == ":":
            self._bad_qualified(start)
        elif "A" <= char <= "Z":
            self.error("ILLEGAL_CLASS_REFERENCE", end_of(REFERENCE, self.text, start) + 1)
        else:
            self.tokens.append(("OTHER", "", start, 1))
        self.pos = start + 1

    def _bad_qualified(self, start: int) -> NoReturn:
        if "A" <= self.text[start + 2 : start + 3] <= "Z":
            end = end_of(REFERENCE, self.text, start)
            self.error("ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE", end + 3)
        self.error("ILLEGAL_FULLY_QUALIFIED_NAME", start + 2)

    def last(self) -> str:
        """Return the last text before a string that does not end, for its message.

        Puppet shows what its scanner matched last: the quote, or a word, but no space or sign.
        """
        if self.head:
            return "'\"'"
        kind, _, start, length = self.tokens[-1]
        end = start + length
        between = self.text[end : self.pos]
        if kind not in SCANNED or between[-1:].isspace():
            return "''"
        shown = self.text[start:end]
        if kind == "VARIABLE" and not between and self.text[start - 2 : start] != "${":
            shown = shown.removeprefix("$")
        return f"'{shown}'"

    def on_double(self, start: int) -> None:
        """Take a double-quoted string, whole or as parts around its interpolations."""
        outer = self.mark, self.mark_after
        if not self.nested:
            self.ready = len(self.tokens)
        interpolated = self.interpolate(DOUBLE, start, start + 1)
        if not self.nested:
            self.ready = None
        if not interpolated:
            return
        if self.nested:
            self.mark = len(self.tokens)
        else:
            self.mark, self.mark_after = outer

    def interpolate(self, rule: TextRule, start: int, begin: int) -> bool:
        """Lex text with interpolations from `begin` on; the first token starts at `start`.

        Returns whether there was one. A text without is one STRING token.
        """
        self.mark_after = self.after()
        kinds = ("STRING", "DQPRE")
        self.pos = begin
        self.head = True
        while True:
            text, end, terminator = self._text(rule)
            self.head = False
            if terminator == "${":
                self._part(kinds[1], text, start, self.pos)
                self._expression()
            elif terminator == "$":
                self._part(kinds[1], text, start, end)
                self._variable(end)
            else:
                self._part(kinds[0], text, start, self.pos)
                return kinds[0] != "STRING"
            kinds = ("DQPOST", "DQMID")
            start = self.pos

    def _part(self, kind: str, text: str, start: int, end: int) -> None:
        self.tokens.append((kind, text, start, end - start))
        self.mark = len(self.tokens)

    def _text(self, rule: TextRule) -> tuple[str, int, str]:
        """Return the next text, where it ends, and what ends it; a lone dollar is text."""
        pattern, escapes = rule
        parts = []
        while True:
            match = pattern.match(self.text, self.pos)
            if match is None:
                self.error("UNCLOSED_QUOTE", after=self.last(), followed_by=self.followed_by())
            raw, terminator = self.text[self.pos : match.start(1)], match[1]
            self.pos = match.end()
            parts.append(self._unescaped(raw, escapes, quiet=pattern is not DOUBLE_QUOTED))
            if terminator != "$" or INTERPOLATED_VARIABLE.match(self.text, self.pos):
                return "".join(parts), match.start(1), terminator
            parts.append("$")

    def _unescaped(self, raw: str, escapes: frozenset[str], *, quiet: bool) -> str:
        if "\\" not in raw:
            return raw
        try:
            return unescape(raw, escapes, None if quiet else self._warn)
        except ValueError:
            self.error("ILLEGAL_UNICODE_ESCAPE")

    def _warn(self, code: str, char: str) -> None:
        self.warnings.append((code, char, self.pos))

    def _variable(self, dollar: int) -> None:
        match = INTERPOLATED_VARIABLE.match(self.text, self.pos)
        if match is None:
            raise AssertionError("a dollar ends text only before a name")
        self.pos = match.end()
        self.tokens.append(("VARIABLE", match[0], dollar, self.pos - dollar))

    def _expression(self) -> None:
        """Lex up to the closing brace, and read a name there as a variable."""
        self.nested += 1
        if self.nested > MOST_NESTED:
            self.error("NESTED_TOO_DEEPLY", self.pos)
        count = self.braces
        self.braces += 1
        first = len(self.tokens)
        if self.lex(count):
            self.mark_after = "RBRACE"
            found = len(self.tokens) - first
            if found == 1 or (found > 1 and self.tokens[first + 1][0] in ("DOT", "LBRACK")):
                kind, value, start, length = self.tokens[first]
                if kind in VARIABLES:
                    self.tokens[first] = ("VARIABLE", value, start, length)
        self.nested -= 1


def odd_backslashes(text: str, end: int) -> bool:
    """Return whether an odd number of backslashes stands before a place."""
    start = end
    while text[start - 1] == "\\":
        start -= 1
    return (end - start) % 2 == 1


def end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Return where a match that begins at `start` ends, `start` if there is none."""
    match = pattern.match(text, start)
    return match.end() if match else start


MINUS = {"-": "MINUS", "->": "IN_EDGE", "-=": "DELETES"}

BY_NAME: dict[str, Callable[[Lexer, int], None]] = {
    "bracket": Lexer.on_bracket,
    "double": Lexer.on_double,
    "heredoc": Lexer.on_heredoc,
    "minus": Lexer.on_minus,
    "newline": Lexer.on_newline,
    "number": Lexer.on_number,
    "other": Lexer.on_other,
    "paren": Lexer.on_paren,
    "percent": Lexer.on_percent,
    "slash": Lexer.on_slash,
    "word": Lexer.on_word,
}


def handlers_of(pattern: re.Pattern[str]) -> list[Callable[[Lexer, int], None] | None]:
    """Return the handler of each group of a pattern by number, None for the end of the text."""
    names = {number: name for name, number in pattern.groupindex.items()}
    return [BY_NAME.get(names.get(number, "")) for number in range(pattern.groups + 1)]


def scanner_of(pattern: re.Pattern[str]) -> Callable[[str, int], Callable[[], re.Match[str]]]:
    """Return a function of text and place, which returns one that matches on and on."""
    return lambda text, pos: pattern.scanner(text, pos).match  # type: ignore[attr-defined]


HANDLERS = handlers_of(TOKEN)
HANDLERS_OF_LINE = handlers_of(TOKEN_OF_LINE)
