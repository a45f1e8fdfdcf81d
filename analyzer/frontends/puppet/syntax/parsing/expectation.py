"""The tokens that the grammar expects in place of an unexpected one, in words."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.frontends.puppet.syntax.lexing.tokens import KEYWORDS, OPERATORS, Token
from grammars.table import END, Table

# Where both of these may stand, any expression may; where this may, any operator.
EXPRESSION = {"VARIABLE", "NUMBER"}
OPERATION = {"PLUS", "ISEQUAL"}

EXPRESSION_STARTS = frozenset(
    [
        "VARIABLE",
        "NUMBER",
        "BOOLEAN",
        "DEFAULT",
        "UNDEF",
        "NAME",
        "PRIVATE",
        "ATTR",
        "CASE",
        "IF",
        "UNLESS",
        "DEFINE",
        "CLASS",
        "PLAN",
        "APPLY",
        "NODE",
        "RENDER_STRING",
        "RENDER_EXPR",
        "FUNCTION",
        "TYPE",
        "LISTSTART",
        "LBRACK",
        "LBRACE",
        "REGEX",
        "STRING",
        "WORD",
        "DQPRE",
        "HEREDOC",
        "CLASSREF",
        "NOT",
        "MINUS",
        "TIMES",
        "LPAREN",
        "WSLPAREN",
        "AT",
        "ATAT",
    ]
)
OPERATIONS = frozenset(
    [
        "IN",
        "MATCH",
        "NOMATCH",
        "PLUS",
        "MINUS",
        "DIV",
        "TIMES",
        "MODULO",
        "LSHIFT",
        "RSHIFT",
        "NOTEQUAL",
        "ISEQUAL",
        "GREATERTHAN",
        "GREATEREQUAL",
        "LESSTHAN",
        "LESSEQUAL",
        "AND",
        "OR",
        "QMARK",
        "EQUALS",
        "APPENDS",
        "DELETES",
        "IN_EDGE",
        "IN_EDGE_SUB",
        "OUT_EDGE",
        "OUT_EDGE_SUB",
        "LBRACK",
        "LPAREN",
        "DOT",
        "LCOLLECT",
        "LLCOLLECT",
    ]
)

WORDS = {
    **{kind: f"'{text}'" for text, kind in OPERATORS.items()},
    **{kind: f"'{text}'" for text, (kind, _) in KEYWORDS.items()},
    "BOOLEAN": "true or false",
    "CLASSREF": "a type",
    "DQPOST": "the rest of the string",
    "EPP_END": "'%>'",
    "LBRACE": "'{'",
    "LBRACK": "'['",
    "LISTSTART": "'['",
    "LPAREN": "'('",
    "NAME": "a name",
    "NUMBER": "a number",
    "RBRACE": "'}'",
    "REGEX": "a regular expression",
    "SELBRACE": "'{'",
    "STRING": "a string",
    "VARIABLE": "a variable",
    END: "the end of the file",
}

# More than these would tell nothing.
MOST = 5


def expected(table: Table, states: Sequence[int]) -> str:
    """Return the tokens that the parser could have accepted, the empty text if that is too much."""
    fitting = {kind for kind in table.actions[states[-1]] if fits(table, states, kind)}
    words = []
    if fitting >= EXPRESSION:
        words.append("an expression")
        fitting -= EXPRESSION_STARTS - {"RBRACK"}
    if fitting >= OPERATION:
        words.append("an operator")
        fitting -= OPERATIONS
    words += sorted({WORDS[kind] for kind in fitting if kind in WORDS}, key=by_sign)
    if not words or len(words) > MOST:
        return ""
    return (
        f"expected {words[0]}"
        if len(words) == 1
        else (f"expected {', '.join(words[:-1])} or {words[-1]}")
    )


def by_sign(word: str) -> tuple[bool, str]:
    """Order signs before words."""
    return word[1:2].isalpha() or word[:1].isalpha(), word


def fits(table: Table, states: Sequence[int], kind: str) -> bool:
    """Return whether a token of this kind would be taken, after the reductions before it."""
    stack = list(states)
    while True:
        if kind == END and stack[-1] == table.end:
            return True
        action = table.actions[stack[-1]].get(kind)
        if action is None:
            return False
        if action >= 0:
            return True
        name, size, _ = table.rules[~action]
        if size:
            del stack[-size:]
        stack.append(table.gotos[stack[-1]][name])


CLOSED_BY = {
    "LBRACE": "RBRACE",
    "SELBRACE": "RBRACE",
    "LPAREN": "RPAREN",
    "WSLPAREN": "RPAREN",
    "LBRACK": "RBRACK",
    "LISTSTART": "RBRACK",
    "LCOLLECT": "RCOLLECT",
    "LLCOLLECT": "RRCOLLECT",
}
CLOSING = frozenset(CLOSED_BY.values())


def unclosed(tokens: Sequence[Token]) -> Token | None:
    """Return the innermost bracket that nothing closes."""
    pending: list[Token] = []
    for token in tokens:
        if token[0] in CLOSED_BY:
            pending.append(token)
        elif token[0] in CLOSING and pending and CLOSED_BY[pending[-1][0]] == token[0]:
            pending.pop()
    return pending[-1] if pending else None
