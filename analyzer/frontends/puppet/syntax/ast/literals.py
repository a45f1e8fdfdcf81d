"""Values as they are written, names and strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast.node import Node


class LiteralString(NamedTuple):
    """A string without interpolation."""

    offset: int
    length: int
    value: str


class LiteralInteger(NamedTuple):
    """A whole number and the radix it was written in (8, 10 or 16)."""

    offset: int
    length: int
    value: int
    radix: int


class LiteralFloat(NamedTuple):
    """A floating point number."""

    offset: int
    length: int
    value: float


class LiteralBoolean(NamedTuple):
    """`true` or `false`."""

    offset: int
    length: int
    value: bool


class LiteralDefault(NamedTuple):
    """`default`."""

    offset: int
    length: int


class LiteralUndef(NamedTuple):
    """`undef`."""

    offset: int
    length: int


class LiteralRegularExpression(NamedTuple):
    """A regular expression, as text between its slashes."""

    offset: int
    length: int
    pattern: str


class LiteralList(NamedTuple):
    """An array."""

    offset: int
    length: int
    values: tuple[Node, ...]


class LiteralHash(NamedTuple):
    """A hash."""

    offset: int
    length: int
    entries: tuple[KeyedEntry, ...]


class KeyedEntry(NamedTuple):
    """`key => value` in a hash."""

    offset: int
    length: int
    key: Node
    value: Node


class QualifiedName(NamedTuple):
    """A bare name: of a function, a type of resource, or a string."""

    offset: int
    length: int
    value: str


class QualifiedReference(NamedTuple):
    """A name with capitals: a type, as written."""

    offset: int
    length: int
    cased_value: str


class VariableExpression(NamedTuple):
    """`$name`; `expr` is its name."""

    offset: int
    length: int
    expr: Node


class ConcatenatedString(NamedTuple):
    """A string with interpolation: literals and TextExpressions."""

    offset: int
    length: int
    segments: tuple[Node, ...]


class TextExpression(NamedTuple):
    """`${expr}` in a string."""

    offset: int
    length: int
    expr: Node


class HeredocExpression(NamedTuple):
    """A heredoc: its syntax tag, and its text as a string of either kind."""

    offset: int
    length: int
    syntax: str
    text_expr: Node


class ReservedWord(NamedTuple):
    """A word that may not be used."""

    offset: int
    length: int
    word: str


class Nop(NamedTuple):
    """Nothing: an empty program."""

    offset: int
    length: int
