"""Ruby's nesting: groups in brackets, and from a keyword to its `end`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from analyzer.frontends.puppet.ruby_types.tokens import (
    Lexeme,
    Unreadable,
    tokens_of,
    words,
)


class Group(NamedTuple):
    """Tokens and groups between an opening and its end; `kind` is the opening's text."""

    kind: str
    items: list[Item]
    spaced: bool
    at: int


Item = Lexeme | Group

_CLOSING = {")": "(", "]": "[", "}": "{"}
_ALWAYS = frozenset({"begin", "case", "class", "def", "for", "module"})
_CONDITIONAL = frozenset({"if", "unless", "until", "while"})
_LOOPS = frozenset({"for", "until", "while"})
# After these keywords a condition is a modifier of what stands before.
_COMPLETE = words(
    "break end false next nil redo retry return self super true yield __FILE__ __LINE__"
)
# What an argument may begin with where a call has no parentheses.
_STARTS = frozenset({"id", "const", "var", "str", "sym", "words", "regex", "num", "label"})
_START_WORDS = words("nil true false self not defined? super yield __FILE__ __LINE__")
_OPERANDS = frozenset({"id", "const", "var", "str", "sym", "words", "regex", "num", "name"})


# Files of types are read again for each environment, and for each change of one.
@lru_cache(maxsize=64)
def read(text: str) -> list[Item]:
    """Return a program as immutable tokens and groups.

    Raises:
        Unreadable: the nesting does not come out even.
    """
    return nested(tokens_of(text))


def nested(tokens: list[Lexeme]) -> list[Item]:
    """Return tokens in their groups.

    Raises:
        Unreadable: the nesting does not come out even.
    """
    root: list[Item] = []
    stack = [Group("", root, False, 0)]
    # Loops whose `do` is still to come.
    heads: set[int] = set()
    for number, token in enumerate(tokens):
        top = stack[-1]
        opening = _opening(tokens, number, top, id(top.items) in heads)
        if token.kind == "nl" or token.value == "do":
            heads.discard(id(top.items))
        if opening == "nl":
            top.items.append(Lexeme("nl", "do", True, token.at))
        elif opening:
            group = Group(opening, [], token.spaced, token.at)
            top.items.append(group)
            stack.append(group)
            if opening in _LOOPS:
                heads.add(id(group.items))
        elif _closes(token, top):
            stack.pop()
        else:
            top.items.append(token)
    if len(stack) > 1:
        raise Unreadable(f"{stack[-1].kind} has no end")
    return root


def _opening(tokens: list[Lexeme], number: int, top: Group, head: bool) -> str:
    """Return the kind of group that a token opens, empty for none; `nl` for a loop's `do`."""
    token = tokens[number]
    value = token.value
    if token.kind == "op":
        return str(value) if value in ("(", "[", "{") else ""
    if token.kind != "kw":
        return ""
    if value == "do":
        return "nl" if head else "do"
    if value == "def" and _is_endless(tokens, number):
        return ""
    opens = value in _ALWAYS or (value in _CONDITIONAL and _begins(top))
    return str(value) if opens else ""


def _begins(top: Group) -> bool:
    """Return whether a statement or an operand begins here."""
    if not top.items:
        return True
    last = top.items[-1]
    if isinstance(last, Group) or last.kind in _OPERANDS:
        return False
    return last.kind != "kw" or last.value not in _COMPLETE


def _is_endless(tokens: list[Lexeme], number: int) -> bool:
    """Return whether a method is defined by `def name(parameters) = expression`."""
    at, depth = number + 2, 0
    while at < len(tokens) and tokens[at].kind == "op":
        value = tokens[at].value
        if depth == 0 and value not in ("(", ")"):
            return bool(value == "=")
        depth += {"(": 1, ")": -1}.get(value, 0)
        at += 1
        while depth and at < len(tokens) and tokens[at].value not in ("(", ")"):
            at += 1
    return False


def _closes(token: Lexeme, top: Group) -> bool:
    """Return whether a token ends the innermost group.

    Raises:
        Unreadable: it should end another one.
    """
    if token.kind == "op" and token.value in _CLOSING:
        if top.kind != _CLOSING[token.value]:
            raise Unreadable(f"{token.value} closes {top.kind or 'nothing'}")
        return True
    if token.kind == "kw" and token.value == "end":
        if top.kind in ("", "(", "[", "{"):
            raise Unreadable(f"end closes {top.kind or 'nothing'}")
        return True
    return False


def is_token(item: Item | None, kind: str, *values: str) -> bool:
    """Return whether an item is a token of a kind, and one of these if any are named."""
    return isinstance(item, Lexeme) and item.kind == kind and (not values or item.value in values)


def starts_argument(item: Item | None, after: Item | None) -> bool:
    """Return whether an item, with the one after it, begins arguments without parentheses."""
    if item is None or not item.spaced:
        return False
    if isinstance(item, Group):
        return item.kind in ("[", "(", "case", "if", "begin")
    if item.kind == "kw":
        return item.value in _START_WORDS
    if item.kind != "op":
        return item.kind in _STARTS
    tight = after is not None and not after.spaced
    return item.value in ("->", "!", "::") or (item.value in ("*", "&", "-", "**") and tight)


def statements(items: list[Item]) -> Iterator[list[Item]]:
    """Yield the statements of a body."""
    current: list[Item] = []
    for item in items:
        if is_token(item, "nl"):
            if current:
                yield current
            current = []
        else:
            current.append(item)
    if current:
        yield current


def mentions(items: list[Item], words: frozenset[str]) -> bool:
    """Return whether one of these names stands anywhere within."""
    return any(
        mentions(item.items, words) if isinstance(item, Group) else str(item.value) in words
        for item in items
        if isinstance(item, Group) or item.kind in ("id", "sym")
    )
