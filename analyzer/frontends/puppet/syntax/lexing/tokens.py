"""Tokens of the Puppet language and how they are recognised (Puppet::Pops::Parser::Lexer2)."""

from __future__ import annotations

import re
from typing import Any

# A token: its name in the grammar, its value, where it starts, and its length in characters.
Token = tuple[str, Any, int, int]

# The characters of Ruby's [[:blank:]], and the carriage return.
BLANK = " \\t\\r\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"

KEYWORDS: dict[str, tuple[str, object]] = {
    "case": ("CASE", "case"),
    "class": ("CLASS", "class"),
    "default": ("DEFAULT", "default"),
    "define": ("DEFINE", "define"),
    "if": ("IF", "if"),
    "elsif": ("ELSIF", "elsif"),
    "else": ("ELSE", "else"),
    "inherits": ("INHERITS", "inherits"),
    "node": ("NODE", "node"),
    "and": ("AND", "and"),
    "or": ("OR", "or"),
    "undef": ("UNDEF", "undef"),
    "false": ("BOOLEAN", False),
    "true": ("BOOLEAN", True),
    "in": ("IN", "in"),
    "unless": ("UNLESS", "unless"),
    "function": ("FUNCTION", "function"),
    "type": ("TYPE", "type"),
    "attr": ("ATTR", "attr"),
    "private": ("PRIVATE", "private"),
}

# Keywords with --tasks only.
TASK_KEYWORDS: dict[str, tuple[str, object]] = {
    "plan": ("PLAN", "plan"),
    "apply": ("APPLY", "apply"),
}

OPERATORS: dict[str, str] = {
    ".": "DOT",
    ",": "COMMA",
    "]": "RBRACK",
    ")": "RPAREN",
    ";": "SEMIC",
    "?": "QMARK",
    "*": "TIMES",
    "@": "AT",
    "@@": "ATAT",
    "|": "PIPE",
    "|>": "RCOLLECT",
    "|>>": "RRCOLLECT",
    "=": "EQUALS",
    "==": "ISEQUAL",
    "=>": "FARROW",
    "=~": "MATCH",
    "+": "PLUS",
    "+=": "APPENDS",
    "+>": "PARROW",
    "-": "MINUS",
    "->": "IN_EDGE",
    "-=": "DELETES",
    "!": "NOT",
    "!=": "NOTEQUAL",
    "!~": "NOMATCH",
    "~": "TILDE",
    "~>": "IN_EDGE_SUB",
    "<": "LESSTHAN",
    "<<": "LSHIFT",
    "<<|": "LLCOLLECT",
    "<=": "LESSEQUAL",
    "<|": "LCOLLECT",
    "<-": "OUT_EDGE",
    "<~": "OUT_EDGE_SUB",
    ">": "GREATERTHAN",
    ">>": "RSHIFT",
    ">=": "GREATEREQUAL",
    ":": "COLON",
    "%": "MODULO",
    "/": "DIV",
}

# After these a slash divides; elsewhere it begins a regular expression.
DIVISIBLE = frozenset(
    {
        "RPAREN",
        "RBRACK",
        "RRCOLLECT",
        "RCOLLECT",
        "NAME",
        "CLASSREF",
        "NUMBER",
        "STRING",
        "BOOLEAN",
        "DQPRE",
        "DQMID",
        "DQPOST",
        "HEREDOC",
        "REGEX",
        "VARIABLE",
        "WORD",
    }
)

COMMENT = r"(?:\#[^\n]*|/\*(?s:.*?)\*/)"

# A quote right at the start of a string is text if what follows could end the string: Puppet's
# pattern wants a character before the quote that ends it, and takes that one first.
#
# One alternative a kind of token, the most frequent first; the group's name says what to do. No
# quantifier is possessive: before 3.11.5 Python takes a part of what it gave up for matched.
KINDS = r"""
      (?P<name>[a-z]\w*(?:::[a-z]\w*)*(?!\w|-+\w|::[a-z_]))
    | (?P<operator>=>|[,.;\])?*]|\|>>|\|>|\||==|=~|=|\+=|\+>|\+|!=|!~|!|~>|~
        |<<\||<<|<=|<\||<-|<~|<|>>|>=|>|@@|@(?!\()|:(?!:))
    | (?P<variable>\$(?:::)?(?:\w+::)*\w+)
    | (?P<single>'(?:'(?=(?:\\\\)*'))?[^'\\]*(?:\\(?s:.)[^'\\]*)*')
    | (?P<brace>[{}])
    | (?P<double>")
    | (?P<paren>\()
    | (?P<bracket>\[)
    | (?P<reference>(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*(?!\w|::))
    | (?P<number>(?:0[xX][0-9A-Fa-f]+|0?\d+(?:\.\d+)?(?:[eE]-?\d+)?)(?u:\b))
    | (?P<minus>->|-=|-)
    | (?P<percent>%)
    | (?P<slash>/(?!\*))
    | (?P<word>(?:(?:::)?[a-z_](?:[\w-]*\w)?)+)
    | (?P<heredoc>@\()
    | (?P<end>\Z)
    | (?P<other>(?s:.))
"""

# Mostly there is only a line end and spaces before a token, which single characters match fastest.
TOKEN = re.compile(rf"\n*\x20*(?:[\n{BLANK}]+|{COMMENT})*(?:{KINDS})", re.VERBOSE | re.ASCII)

# For the rest of a line that holds a heredoc: its end is seen, as the text is to be skipped.
TOKEN_OF_LINE = re.compile(
    rf"(?:[{BLANK}]+|{COMMENT})*(?:(?!\n)(?:{KINDS})|(?P<newline>\n))", re.VERBOSE | re.ASCII
)

NAME = re.compile(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*\Z", re.ASCII)
REFERENCE = re.compile(r"(?:(?:::)?[A-Z]\w*)+", re.ASCII)
INTERPOLATED_VARIABLE = re.compile(r"(?:::)?(?:\w+::)*\w+", re.ASCII)
