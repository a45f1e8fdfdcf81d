"""EPP templates (Parser::EppSupport): text, and code between `<%` and `%>`."""

from __future__ import annotations

import re

from analyzer.frontends.puppet.syntax.lexing.state import LexerState
from analyzer.pattern import pattern

OPENING = pattern(r"(?s:.*?)(?:(<%)|\Z)")
COMMENT_END = pattern(r"(?s:.*?)[^%]%>", re.DOTALL)
LEADING = pattern(r"^[ \t]*\r?(?:\n|\Z)?", re.MULTILINE)
TRAILING_TAG = pattern(r"[ \t]*<%\Z")
TRAILING = pattern(r"[ \t]*\Z")


def begin(lexer: LexerState) -> None:
    """Begin a template: it starts with text."""
    lexer.epp_mode = "text"
    lexer.tokens.append(("EPP_START", None, 0, 0))
    lex_text(lexer, trim=False)


def end(lexer: LexerState) -> None:
    """Refuse a template that ends in code."""
    if lexer.epp_open:
        lexer.error("EPP_UNBALANCED_TAG")


def end_code(lexer: LexerState, start: int, tag: str) -> None:
    """Take the end of code and the text behind it."""
    if lexer.epp_mode == "expr":
        kind = "EPP_END_TRIM" if tag == "-%>" else "EPP_END"
        lexer.tokens.append((kind, tag, start, len(tag)))
    lexer.epp_mode = "text"
    lexer.pos = start + len(tag)
    lex_text(lexer, trim=tag == "-%>")


def lex_text(lexer: LexerState, *, trim: bool) -> None:
    """Take text up to the next code; `trim` drops what is left of the line."""
    before = lexer.pos
    text, mode = scan_text(lexer, trim)
    if mode == "text":
        if text is not None:
            lexer.tokens.append(("RENDER_STRING", text, before, lexer.pos - before))
        lexer.epp_open = False
        return
    if text:
        lexer.tokens.append(("RENDER_STRING", text, before, lexer.pos - before))
    if mode == "expr":
        lexer.tokens.append(("RENDER_EXPR", None, before, 0))
    lexer.epp_mode = mode
    lexer.epp_open = True


def scan_text(lexer: LexerState, trim: bool) -> tuple[str | None, str]:
    """Return the text from here on, and what follows: `text` (the end), `epp`, or `expr`."""
    source = lexer.text
    if lexer.pos >= len(source):
        return None, "text"
    text = ""
    while lexer.pos < len(source):
        match = OPENING.match(source, lexer.pos)
        part = match[0] if match else source[lexer.pos :]
        lexer.pos += len(part)
        if trim:
            part = LEADING.sub("", part, count=1)
            trim = False
        text += part.replace("%%>", "%>")
        mark = source[lexer.pos : lexer.pos + 1]
        if mark == "":
            if text.endswith("<%"):
                lexer.error("EPP_UNBALANCED_EXPRESSION")
            return text, "text"
        if mark == "-":
            lexer.pos += 1
            return TRAILING_TAG.sub("", text), "epp"
        if mark == "=":
            lexer.pos += 1
            return text[:-2], "expr"
        if mark == "%":
            lexer.pos += 1
        elif mark == "#":
            text, trim = skip_comment(lexer, text[:-2])
        else:
            return text[:-2], "epp"
    # Puppet drops text before a comment that ends the template.
    return None, "text"


def skip_comment(lexer: LexerState, text: str) -> tuple[str, bool]:
    """Skip a comment; return the text before it, and whether what follows is to be trimmed."""
    match = COMMENT_END.match(lexer.text, lexer.pos)
    if match is None:
        lexer.error("EPP_UNBALANCED_COMMENT")
    lexer.pos = match.end()
    if match[0][1] == "-":
        text = TRAILING.sub("", text)
    return text, match[0].endswith("-%>")
