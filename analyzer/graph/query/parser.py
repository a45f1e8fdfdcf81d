"""Parses the text of a query into a tree."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

import grammars
from analyzer.graph.query.ast import (
    And,
    Compare,
    Expr,
    Name,
    Not,
    Or,
    Property,
    Query,
    Relation,
    ResourceReference,
    Value,
)
from analyzer.graph.query.refusal import refuse

# The names of terminals in messages; terminals of one row are named once.
EXPECTED = (
    (("BARE",), "a value"),
    (("NAME",), "a word such as 'type', a resource such as File[/etc/motd]"),
    (("EQUAL",), "a comparison (= != ~ !~ < > in)"),
    (("AND", "OR"), "'and', 'or'"),
    (("LSQB",), "'['"),
    (("DEPTH",), "a number of steps"),
    (("COMMA",), "','"),
    (("RPAR",), "')'"),
    (("RSQB",), "']'"),
    (("WHERE",), "'where'"),
    (("$END",), "the end"),
)

ESCAPED, UNESCAPED = re.compile(r"""\\(["'\\])"""), r"\1"

# The parts of a rule of the grammar: tokens and nodes.
Parts = list[Any]


class Trees(Transformer[Token, Query]):
    """Makes the nodes while the parser runs, so that deep nesting needs no recursion."""

    def resources(self, parts: Parts) -> Query:
        return Query("resources", parts[0], "")

    def all_edges(self, parts: list[object]) -> Query:
        return Query("edges", None, "")

    def edges(self, parts: Parts) -> Query:
        return Query("edges", parts[2], "")

    def either(self, parts: Parts) -> Or:
        first, _, second = parts
        return Or((*first.parts, second) if isinstance(first, Or) else (first, second))

    def both_of(self, parts: Parts) -> And:
        first, _, second = parts
        return And((*first.parts, second) if isinstance(first, And) else (first, second))

    def negated(self, parts: Parts) -> Not:
        return Not(parts[1])

    def grouped(self, parts: Parts) -> Expr:
        inner: Expr = parts[0]
        return inner

    def resource(self, parts: Parts) -> ResourceReference:
        return ResourceReference(name_of(parts[0]))

    def property(self, parts: Parts) -> Property:
        return Property(name_of(parts[0]))

    def relation(self, parts: Parts) -> Relation:
        return Relation(name_of(parts[0]), (parts[1],))

    def relation_by(self, parts: Parts) -> Relation:
        return Relation(name_of(parts[0], " by"), (parts[2],))

    def relation_of_it(self, parts: Parts) -> Relation:
        return Relation(name_of(parts[0]), (parts[-1],), of_it=True)

    def relation_by_of_it(self, parts: Parts) -> Relation:
        return Relation(name_of(parts[0], " by"), (parts[-1],), of_it=True)

    def relation_deep(self, parts: Parts) -> Relation:
        return Relation(name_of(parts[0]), (parts[1],), int(parts[2]))

    def relation_by_deep(self, parts: Parts) -> Relation:
        return Relation(name_of(parts[0], " by"), (parts[2],), int(parts[3]))

    def relation_of_two(self, parts: Parts) -> Relation:
        return Relation(name_of(parts[0]), (parts[1], parts[2]))

    def compared(self, parts: Parts) -> Expr:
        name, operator, value = parts
        sign = str(operator).removeprefix("!")
        if operator.type == "MATCH":
            sign = "~"
        elif operator.type == "EQUAL":
            sign = "="
        made = Compare(name_of(name), sign, (value,))  # type: ignore[arg-type]
        return Not(made) if operator.startswith("!") else made

    def one_of(self, parts: Parts) -> Compare:
        return Compare(name_of(parts[0]), "=", tuple(parts[-1]))

    def none_of(self, parts: list[object]) -> Not:
        return Not(self.one_of(parts))

    def values(self, parts: Parts) -> list[Value]:
        return parts

    def text(self, parts: Parts) -> Value:
        return Value("text", ESCAPED.sub(UNESCAPED, parts[0][1:-1]), column_of(parts[0]))

    def glob(self, parts: Parts) -> Value:
        return Value("glob", ESCAPED.sub(UNESCAPED, parts[0][1:-1]), column_of(parts[0]))

    def bare_glob(self, parts: Parts) -> Value:
        return Value("glob", str(parts[0]), column_of(parts[0]))

    def bare(self, parts: list[object]) -> Value:
        kind = "undef" if parts[0] == "undef" else "text"
        return Value(kind, str(parts[0]), column_of(parts[0]))  # type: ignore[arg-type]

    def ref(self, parts: Parts) -> Value:
        return Value("ref", unquoted(parts[0]), column_of(parts[0]))

    def regex(self, parts: Parts) -> Value:
        return Value("regex", parts[0][1:-1].replace("\\/", "/"), column_of(parts[0]))


def column_of(token: Token) -> int:
    """Return the column of a token, from 1."""
    return (token.start_pos or 0) + 1


def name_of(token: Token, suffix: str = "") -> Name:
    """Return a word or a reference with its place."""
    text = unquoted(token) if token.type == "REF" else str(token)
    return Name(text + suffix, column_of(token))


def unquoted(ref: str) -> str:
    """Return a reference without the quotes of its title."""
    kind, _, title = ref[:-1].partition("[")
    quoted = len(title) > 1 and title[0] in "\"'" and title[-1] == title[0]
    return f"{kind}[{ESCAPED.sub(UNESCAPED, title[1:-1]) if quoted else title}]"


@cache
def parser() -> Lark:
    """Return Lark's parser of the grammar."""
    return Lark(
        grammars.read("query.lark"), parser="lalr", transformer=Trees(), maybe_placeholders=False
    )


def parse(text: str) -> Query:
    """Return the tree of a query.

    Raises:
        InputError: it is not well-formed; the message has the place.
    """
    if not text.strip():
        refuse(text or " ", 1, "the query is empty")
    try:
        made: Query = parser().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        refuse(text, *explained(text, error))
    return Query(made.over, made.where, text)


def explained(text: str, error: UnexpectedInput) -> tuple[int, str]:
    """Return the place and the message of an error."""
    if isinstance(error, UnexpectedToken):
        token = error.token
        allowed = set(error.accepts or error.expected)
        if token.type == "$END":
            return len(text.rstrip()) + 1, f"expected {expected(allowed)}, but the query ends here"
        return column_of(token), f"expected {expected(allowed)}, found '{token}'"
    assert isinstance(error, UnexpectedCharacters)
    place = error.pos_in_stream or 0
    if text[place] in "\"'":
        return place + 1, "unterminated string or regular expression"
    return place + 1, f"expected {expected(set(error.allowed or ()))}, found '{text[place]}'"


def expected(allowed: set[str]) -> str:
    """Return the names of the terminals that may come next."""
    words = [said for names, said in EXPECTED if allowed & set(names)]
    return " or ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} or {words[-1]}"
