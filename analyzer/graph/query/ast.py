"""The tree of a query; columns count from 1 in its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Operator = Literal["=", "~", "<", "<=", ">", ">="]
ValueKind = Literal["text", "glob", "regex", "ref", "undef"]


@dataclass(frozen=True, slots=True)
class Name:
    """A word of the query and its place."""

    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Value:
    """The right side of a comparison: `text` is without its quotes or slashes."""

    kind: ValueKind
    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Compare:
    """`NAME OPERATOR VALUE`; one of several values must match."""

    name: Name
    operator: Operator
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Property:
    """A word without an operand: `isolated`."""

    name: Name


@dataclass(frozen=True, slots=True)
class Relation:
    """A word and its operands: `before X`, `in (X, 1)`, `path(A, B)`.

    `of_it` reverses it: `before it: X` finds the resources that a resource of X is before.
    """

    name: Name
    operands: tuple[Expr, ...]
    depth: int | None = None
    of_it: bool = False


@dataclass(frozen=True, slots=True)
class ResourceReference:
    """A resource by its reference."""

    ref: Name


@dataclass(frozen=True, slots=True)
class Not:
    """The resources that are not in the part."""

    part: Expr


@dataclass(frozen=True, slots=True)
class And:
    """The resources that are in all parts."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """The resources that are in any of the parts."""

    parts: tuple[Expr, ...]


Expr = Compare | Property | Relation | ResourceReference | Not | And | Or


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query: over resources, or over edges; `where` is None for all edges."""

    over: Literal["resources", "edges"]
    where: Expr | None
    text: str


def comparisons(expr: Expr | None, *, deep: bool = True) -> Iterator[Compare]:
    """Yield the comparisons of an expression; `deep` includes the operands of relations."""
    pending = [expr]
    while pending:
        match pending.pop():
            case Compare() as found:
                yield found
            case And(parts) | Or(parts):
                pending += parts
            case Relation(operands=parts) if deep:
                pending += parts
            case Not(part):
                pending.append(part)
