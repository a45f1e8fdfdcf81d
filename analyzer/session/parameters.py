"""Values of parameters on the command line: `port=80`, written as literals of Puppet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.source import Span

LITERALS = (a.LiteralString, a.LiteralInteger, a.LiteralFloat, a.LiteralBoolean, a.QualifiedName)


def parameters_of(words: Sequence[str], classes: Sequence[str]) -> dict[str, Any]:
    """Return the values in words such as `port=80`, by the full name of the parameter.

    A name without a class sets the parameter of all the given classes.

    Raises:
        InputError: a word does not have this form, or names no class.
    """
    found: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            reject(word, "expected NAME=VALUE, such as port=80")
        value = value_of(word, text)
        if "::" in name:
            found[name.removeprefix("::")] = value
        elif classes:
            found.update({f"{one}::{name}": value for one in classes})
        else:
            reject(word, f"add --class NAME, or write the class too: app::{name}={text}")
    return found


def value_of(word: str, text: str) -> Any:
    """Return the value of a literal.

    Raises:
        InputError: the text is not a literal.
    """
    try:
        body: Any = parse(text).body
        return literal(body)
    except (ParseError, ValueError, RecursionError):
        quoted = text.replace("\\", "\\\\").replace("'", "\\'")
        reject(word, f"the value is not a Puppet literal; write a string as '{quoted}'")


def literal(node: Any) -> Any:
    """Return the value of a tree.

    Raises:
        ValueError: it is not a literal.
    """
    if isinstance(node, LITERALS):
        return node.value
    if isinstance(node, a.LiteralUndef):
        return None
    if isinstance(node, a.LiteralList):
        return [literal(one) for one in node.values]
    if isinstance(node, a.LiteralHash):
        return {literal(entry.key): literal(entry.value) for entry in node.entries}
    if isinstance(node, a.UnaryMinusExpression):
        return -literal(node.expr)
    raise ValueError


def reject(word: str, message: str) -> NoReturn:
    """Refuse a word.

    Raises:
        InputError: always.
    """
    raise InputError(message, Span(f"--param {word}"), "bad-parameter")
