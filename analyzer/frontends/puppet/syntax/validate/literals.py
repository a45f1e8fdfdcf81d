"""Literal keys of hashes: when two are the same, and how Ruby would print them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.ast import Node

NOT_LITERAL = object()

_SIMPLE: set[object] = {
    ast.LiteralString,
    ast.QualifiedName,
    ast.LiteralInteger,
    ast.LiteralFloat,
    ast.LiteralBoolean,
}
_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\x1b": "\\e",
    "\a": "\\a",
    "\b": "\\b",
    "\v": "\\v",
    "\f": "\\f",
}


def key_of(node: Any) -> object:
    """Return a value that is equal for equal literals, or NOT_LITERAL."""
    kind = type(node)
    if kind in _SIMPLE:
        value = node.value
        # As in Ruby, 1 is not 1.0, and true is neither.
        return (type(value), value)
    if isinstance(node, ast.ConcatenatedString):
        only = node.segments[0] if len(node.segments) == 1 else None
        return (str, only.value) if isinstance(only, ast.LiteralString) else NOT_LITERAL
    if isinstance(node, ast.LiteralRegularExpression):
        return (kind, node.pattern)
    if kind is ast.LiteralUndef or kind is ast.LiteralDefault:
        return (kind, None)
    if isinstance(node, ast.LiteralList):
        return _list_key(node)
    if isinstance(node, ast.LiteralHash):
        return _hash_key(node)
    return NOT_LITERAL


def _list_key(node: Any) -> object:
    keys = tuple(key_of(value) for value in node.values)
    return NOT_LITERAL if NOT_LITERAL in keys else keys


def _hash_key(node: Any) -> object:
    entries = {key_of(entry.key): key_of(entry.value) for entry in node.entries}
    if NOT_LITERAL in entries or NOT_LITERAL in entries.values():
        return NOT_LITERAL
    return frozenset(entries.items())


def ruby_text(node: Node) -> str:
    """Return a literal as Ruby's to_s writes it."""
    if isinstance(node, ast.LiteralString | ast.QualifiedName):
        return node.value
    if isinstance(node, ast.ConcatenatedString):
        return ruby_text(node.segments[0])
    if isinstance(node, ast.LiteralUndef):
        return ""
    if isinstance(node, ast.LiteralDefault):
        return "default"
    if isinstance(node, ast.LiteralRegularExpression):
        return f"(?-mix:{_regexp(node)})"
    return _inspect(node)


def _inspect(node: Node) -> str:
    return _INSPECT[type(node)](node)


def _inspect_string(node: Node) -> str:
    text = "".join(_ESCAPES.get(char, char) for char in ruby_text(node))
    return '"' + re.sub(r"#(?=[{$@])", r"\\#", text) + '"'


def _inspect_list(node: Any) -> str:
    return "[" + ", ".join(_inspect(value) for value in node.values) + "]"


def _inspect_hash(node: Any) -> str:
    entries: dict[object, list[str]] = {}
    for entry in node.entries:
        # The last value of a key counts, in the place of the first.
        pair = entries.setdefault(key_of(entry.key), [_inspect(entry.key), ""])
        pair[1] = _inspect(entry.value)
    return "{" + ", ".join(f"{key}=>{value}" for key, value in entries.values()) + "}"


def _inspect_float(node: ast.LiteralFloat) -> str:
    text = repr(node.value)
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent}"


def _regexp(node: ast.LiteralRegularExpression) -> str:
    return re.sub(r"\\.|/", lambda found: "\\/" if found[0] == "/" else found[0], node.pattern)


_INSPECT: dict[type, Callable[[Any], str]] = {
    ast.LiteralString: _inspect_string,
    ast.QualifiedName: _inspect_string,
    ast.ConcatenatedString: _inspect_string,
    ast.LiteralInteger: lambda node: str(node.value),
    ast.LiteralFloat: _inspect_float,
    ast.LiteralBoolean: lambda node: str(node.value).lower(),
    ast.LiteralUndef: lambda node: "nil",
    ast.LiteralDefault: lambda node: ":default",
    ast.LiteralRegularExpression: lambda node: f"/{_regexp(node)}/",
    ast.LiteralList: _inspect_list,
    ast.LiteralHash: _inspect_hash,
}
