"""The tokens of an unfinished manifest: an error costs a line, never the file."""

from __future__ import annotations

import re
from functools import lru_cache

from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.lexing import epp
from analyzer.frontends.puppet.syntax.lexing.lexer import Lexer
from analyzer.frontends.puppet.syntax.lexing.tokens import Token

# The most errors, after which the rest of a text is skipped: each rereads the tokens so far.
MOST_ERRORS = 200

# Parts of a line that may contain quotes, and a quote that its line does not close.
QUOTED = re.compile(
    r"#[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|(?P<lone>['\"])", re.DOTALL
)

OPENING = {"LBRACE": "RBRACE", "SELBRACE": "RBRACE", "LPAREN": "RPAREN", "WSLPAREN": "RPAREN",
           "LBRACK": "RBRACK", "LISTSTART": "RBRACK"}  # fmt: skip
CLOSING = frozenset(OPENING.values())

# Kinds of tokens that begin a definition; at the beginning of a line it is at the top level.
DEFINES = frozenset({"CLASS", "DEFINE", "FUNCTION", "NODE", "PLAN", "TYPE"})


def tokens_of(text: str, *, epp: bool = False, tasks: bool = False) -> list[Token]:
    """Return the tokens of a text, without those of lines that are not Puppet code.

    In a text that cannot be lexed, a string ends with its line: after a missing quote, code and
    strings would be confused up to the end.
    """
    whole = whole_tokens(text, epp=epp, tasks=tasks)
    return lines_of(without_lone_quotes(text), epp, tasks) if whole is None else whole


@lru_cache(maxsize=8)
def whole_tokens(text: str, *, epp: bool = False, tasks: bool = False) -> list[Token] | None:
    """Return the tokens of a text that can be lexed to its end, else None."""
    try:
        lexer = Lexer(text, tasks=tasks)
        return lexer.run_template() if epp else lexer.run()
    except (ParseError, RecursionError):
        return None


def without_lone_quotes(text: str) -> str:
    """Return a text of the same length, with spaces for quotes that their line does not close."""
    return QUOTED.sub(lambda match: " " if match["lone"] else match[0], text)


def lines_of(text: str, is_epp: bool, tasks: bool) -> list[Token]:
    """Return the tokens of a text; continue with the next line after an error."""
    found: list[Token] = []
    pos = 0
    for _ in range(MOST_ERRORS):
        lexer = Lexer(text, tasks=tasks)
        lexer.pos = pos
        try:
            if is_epp and not pos:
                epp.begin(lexer)
            elif is_epp:
                lexer.epp_mode = "epp"
            lexer.lex(None)
            return found + lexer.tokens
        except (ParseError, RecursionError):
            done = lexer.tokens_before_error()
            found += done
            last = max(pos, done[-1][2] + done[-1][3] if done else pos, min(lexer.pos, len(text)))
            if not done or lexer.ready is not None:
                last = max(pos, done[-1][2] + done[-1][3] if done else pos)
            pos = text.find("\n", last) + 1
            if not pos:
                return found
    return found


def closings(tokens: list[Token], text: str) -> list[int]:
    """Return for each bracket the number of the token that closes it, and for other tokens 0.

    An unclosed bracket ends before the next definition that begins a line, or with the text.
    """
    found, left = matched(tokens, text, cut=False)
    return matched(tokens, text, cut=True)[0] if left else found


def matched(tokens: list[Token], text: str, *, cut: bool) -> tuple[list[int], bool]:
    """Match brackets, and return whether some are left over."""
    found = [0] * len(tokens)
    pending: list[int] = []
    count = dict.fromkeys(CLOSING, 0)
    left = False
    for number, token in enumerate(tokens):
        kind = token[0]
        if kind in OPENING:
            pending.append(number)
            count[OPENING[kind]] += 1
        elif kind in CLOSING and count[kind]:
            while True:
                one = pending.pop()
                found[one] = number
                wanted = OPENING[tokens[one][0]]
                count[wanted] -= 1
                if wanted == kind:
                    break
                left = True
        elif kind in CLOSING:
            left = True
        elif cut and pending and kind in DEFINES and begins_line(text, token[2]):
            for one in pending:
                found[one] = number
            pending.clear()
            count = dict.fromkeys(CLOSING, 0)
    for one in pending:
        found[one] = len(tokens)
    return found, left or bool(pending)


def begins_line(text: str, offset: int) -> bool:
    """Return whether a line begins at an offset."""
    return offset == 0 or text[offset - 1] == "\n"
