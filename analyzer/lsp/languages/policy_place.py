"""The kind of word expected at a place of a policy, from the tokens before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from analyzer.frontends.cfengine.syntax.lexer import Token
from analyzer.lsp.index.policy import tokens_of

# An unclosed quote is a token of its own.
QUOTES = ("'", '"', "`")
DEPTH = {"LBRACE": 1, "LPAREN": 1, "RBRACE": -1, "RPAREN": -1}


@dataclass(frozen=True, slots=True)
class PolicyPlace:
    """A place: the expected word, and the block, type of promises and attribute around it.

    `expects` is `block`, `block type`, `name`, `promise`, `attribute`, `body attribute`, `value` or
    `body value`, and empty in strings, lists and arguments. `word` is the written beginning of the
    word, from `start` on; `depth` counts the brackets that are open in a value.
    """

    expects: str = "block"
    block: str = ""
    type: str = ""
    name: str = ""
    section: str = ""
    attribute: str = ""
    word: str = ""
    start: int = 0
    depth: int = 0


def place_at(text: str, offset: int) -> PolicyPlace:
    """Return the place at an offset, from the text before it alone."""
    tokens = tokens_of(text[:offset])
    word, start = "", offset
    last = tokens[-1] if tokens else None
    if last is not None and last.kind == "NAME" and last.offset + len(last.text) == offset:
        word, start = last.text, last.offset
        tokens.pop()
    elif last is not None and last.kind in ("BUNDLE", "BODY") and last.offset + 6 > offset - 1:
        word, start = text[last.offset : offset], last.offset
        tokens.pop()
    place = PolicyPlace()
    for token in tokens:
        if token.kind == "OTHER" and token.text in QUOTES:
            return PolicyPlace("text", start=offset)
        place = after(place, token)
    return replace(
        place, expects="nested" if place.depth else place.expects, word=word, start=start
    )


def after(place: PolicyPlace, token: Token) -> PolicyPlace:
    """Return the place after one more token."""
    kind, text = token.kind, token.text
    if kind in ("BUNDLE", "BODY"):
        return PolicyPlace("block type", block=text)
    if kind == "SEMIC":
        return begun(place)
    if place.depth:
        return replace(place, depth=place.depth + DEPTH.get(kind, 0))
    if kind in ("TYPE", "GUARD"):
        return begun(replace(place, section=text[:-1] if kind == "TYPE" else place.section))
    if kind == "RBRACE":
        return PolicyPlace()
    return STATES.get(place.expects, same)(place, kind, text)


def same(place: PolicyPlace, kind: str, text: str) -> PolicyPlace:
    """Return the same place."""
    return place


def in_head(place: PolicyPlace, kind: str, text: str) -> PolicyPlace:
    """Return the place in the head of a block."""
    if kind == "LBRACE":
        return begun(place)
    if kind == "NAME" and place.expects == "block type":
        return replace(place, expects="name", type=text)
    return replace(place, name=place.name or text)


def before_promise(place: PolicyPlace, kind: str, text: str) -> PolicyPlace:
    """Return the place after a promiser."""
    return replace(place, expects="attribute") if kind == "STRING" else place


def in_attribute(place: PolicyPlace, kind: str, text: str) -> PolicyPlace:
    """Return the place after the name of an attribute, or in a list of promisees."""
    if kind == "FARROW":
        return replace(place, expects="body value" if place.block == "body" else "value")
    if kind == "LBRACE":
        return replace(place, depth=1)
    return replace(place, attribute=text) if kind == "NAME" else place


def in_value(place: PolicyPlace, kind: str, text: str) -> PolicyPlace:
    """Return the place after a value, or in its list or arguments."""
    if kind == "COMMA":
        return replace(place, expects="attribute", attribute="")
    return replace(place, expects="done", depth=int(DEPTH.get(kind, 0) > 0))


STATES: dict[str, Callable[[PolicyPlace, str, str], PolicyPlace]] = {
    "attribute": in_attribute,
    "block type": in_head,
    "body attribute": in_attribute,
    "body value": in_value,
    "done": in_value,
    "name": in_head,
    "promise": before_promise,
    "value": in_value,
}


def begun(place: PolicyPlace) -> PolicyPlace:
    """Return a place where a promise, or an attribute of a body, may begin."""
    expects = "promise" if place.block == "bundle" else "body attribute"
    return replace(place, expects=expects, attribute="")
