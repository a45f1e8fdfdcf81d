"""Heredocs (Parser::HeredocSupport): the tag on the line, the text on those that follow."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from analyzer.frontends.puppet.syntax.lexing.state import LexerState
from analyzer.frontends.puppet.syntax.lexing.strings import (
    HEREDOC_ESCAPED,
    HEREDOC_PLAIN,
    TextRule,
    unescape,
)
from analyzer.frontends.puppet.syntax.lexing.tokens import BLANK, Token

TAG = re.compile(
    rf"@\(([^:/\r\n)]+)(?::[{BLANK}]*([a-z][a-zA-Z0-9_+]+)[{BLANK}]*)?"
    rf"(?:/((?:[A-Za-z0-9_]|[$])*)[{BLANK}]*)?\)"
)
# Lexes a text with interpolations.
LexText = Callable[[str, TextRule], list[Token]]
ALL_ESCAPES = "trnsuL$"
LAST_BREAK = re.compile(r"\r?\n\Z")


class Margins:
    """Turns places in a heredoc's text into places in the file, past the margins taken away."""

    def __init__(self, lines: list[str], start: int, removed: list[int], margin: bool) -> None:
        self.start = start
        self.margin = margin
        self.line_starts = [0, *accumulate(map(len, lines))]
        self.removed = [0, *accumulate(removed)]

    def place(self, offset: int) -> int:
        """Return the place of a character in the file."""
        if not self.margin or offset == 0:
            return self.start + offset
        line = bisect_right(self.line_starts, offset)
        return self.start + offset + self.removed[min(line, len(self.removed) - 1)]


def lex(lexer: LexerState, start: int, lex_text: LexText) -> None:
    """Add the tokens of a heredoc: HEREDOC, SUBLOCATE, and those of its text."""
    text = lexer.text
    close = text.find(")", start)
    lexer.pos = start
    if close < 0:
        lexer.error("HEREDOC_UNCLOSED_PARENTHESIS", followed_by=lexer.followed_by())
    lexer.pos = close + 1
    tag, syntax, escapes, interpolated = read_tag(lexer, text[start : close + 1])
    begin = lexer.jump
    if begin is None:
        begin = text.find("\n", lexer.pos) + 1
        if not begin:
            lexer.error("HEREDOC_WITHOUT_TEXT")
    lines, leading, has_margin, remove_break, end = read_lines(lexer, tag, begin)
    kept = [line.removeprefix(leading) for line in lines] if has_margin and leading else lines
    body = "".join(kept)
    if remove_break:
        body = LAST_BREAK.sub("", body)
    removed = [len(line) - len(rest) for line, rest in zip(lines, kept, strict=True)]
    margins = Margins(kept, begin, removed, has_margin)
    lexer.jump = end
    lexer.tokens.append(("HEREDOC", syntax, start, close + 1 - start))
    lexer.tokens.append(("SUBLOCATE", "", begin, sum(map(len, lines))))
    for kind, value, offset, length in text_tokens(
        lexer, body, escapes, lex_text if interpolated else None
    ):
        first = margins.place(offset)
        last = margins.place(offset + length)
        lexer.tokens.append((kind, value, first, last - first))
    lexer.mark = 0
    lexer.pos = close + 1


def read_tag(lexer: LexerState, text: str) -> tuple[str, str, frozenset[str], bool]:
    """Return the parts of `@(tag:syntax/escapes)`, and last whether to interpolate."""
    match = TAG.search(text)  # Puppet looks further when the beginning does not fit.
    if match is None:
        lexer.error("HEREDOC_INVALID_SYNTAX")
    tag = match[1].strip()
    interpolated = len(tag) > 1 and tag[0] == tag[-1] == '"'
    if interpolated:
        tag = tag[1:-1].strip()
    if not tag:
        lexer.error("HEREDOC_EMPTY_ENDTAG")
    return tag, match[2] or "", read_escapes(lexer, match[3]), interpolated


def read_escapes(lexer: LexerState, flags: str | None) -> frozenset[str]:
    """Return the escapes that flags switch on; none at all without a slash."""
    if flags is None:
        return frozenset()
    flags = flags or ALL_ESCAPES
    if len(set(flags)) != len(flags):
        lexer.error("HEREDOC_MULTIPLE_AT_ESCAPES", escapes=", ".join(flags))
    for flag in flags:
        if flag not in ALL_ESCAPES:
            lexer.error("HEREDOC_INVALID_ESCAPE", actual=flag)
    breaks = {"\n", "\r\n"} if "L" in flags else set()
    return frozenset({"\\", *flags} - {"L"} | breaks)


def read_lines(lexer: LexerState, tag: str, begin: int) -> tuple[list[str], str, bool, bool, int]:
    """Return the lines up to the end tag, its indentation, its marks, and where it all ends."""
    blank = f"[{BLANK.replace(chr(92) + 'r', '')}]*"
    last = re.compile(
        rf"({blank})(?:([|]){blank})?(?:(-){blank})?{re.escape(tag)}{blank}\r?(?:\n|\Z)"
    )
    text = lexer.text
    lines: list[str] = []
    pos = begin
    while pos < len(text):
        end = text.find("\n", pos) + 1 or len(text)
        line = text[pos:end]
        match = last.search(line)
        if match is not None:
            return lines, match[1], match[2] == "|", match[3] == "-", end
        lines.append(line)
        pos = end
    lexer.pos = begin
    lexer.error("HEREDOC_WITHOUT_END_TAGGED_LINE")


def check_unicode(lexer: LexerState, body: str, escapes: frozenset[str]) -> None:
    """Refuse a bad unicode escape: in strings Puppet warns, in a heredoc it fails to."""

    def refuse(code: str, char: str) -> None:
        if code == "ILLEGAL_UNICODE_ESCAPE":
            lexer.error(code)

    # Code within the text has strings of its own.
    if "u" in escapes and "${" not in body:
        try:
            unescape(body, escapes, refuse)
        except ValueError:
            lexer.error("ILLEGAL_UNICODE_ESCAPE")


def text_tokens(
    lexer: LexerState, body: str, escapes: frozenset[str], lex_text: LexText | None
) -> list[Token]:
    """Return the tokens of a heredoc's text, places counted from its start."""
    check_unicode(lexer, body, escapes)
    if lex_text is not None:
        pattern = HEREDOC_ESCAPED if "$" in escapes else HEREDOC_PLAIN
        return lex_text(body, (pattern, escapes))
    try:
        return [("STRING", unescape(body, escapes, None), 0, len(body))]
    except ValueError:
        lexer.error("ILLEGAL_UNICODE_ESCAPE")
