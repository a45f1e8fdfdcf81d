"""The tree of a policy file: bundles of promises, and bodies of attributes, as frozen values.

`line` is the line that CFEngine gives (for a promise that of the end of its promiser, for an
attribute that of the end of its value); `span` is where the thing starts, for a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analyzer.source import Span

ANY = "any"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text; `symbol`: it is written without quotes, to name a body or bundle."""

    text: str
    symbol: bool = False


@dataclass(frozen=True, slots=True)
class ListValue:
    """A list, which contains no lists."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function, or the name of a body or bundle with arguments."""

    name: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """A data container, written as JSON or YAML in the policy."""

    value: Any


Value = Scalar | ListValue | Call | Data


@dataclass(frozen=True, slots=True)
class Attribute:
    """`name => value`; `guard` is the class expression over it, in bodies only."""

    name: str
    value: Value
    line: int
    span: Span
    guard: str = ANY


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise; `guard` is the class expression over it."""

    promiser: str
    promisee: Value | None
    guard: str
    attributes: tuple[Attribute, ...]
    line: int
    span: Span

    def get(self, name: str) -> Value | None:
        """Return an attribute's value, None if it is not set."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute.value
        return None


@dataclass(frozen=True, slots=True)
class Section:
    """All promises of one type of a bundle; `line` is the last line that names the type."""

    type: str
    line: int
    promises: tuple[Promise, ...]


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle; `sections` are in the order in which their types first appear."""

    type: str
    name: str
    namespace: str
    parameters: tuple[str, ...]
    sections: tuple[Section, ...]
    line: int
    span: Span


@dataclass(frozen=True, slots=True)
class Body:
    """A body, or a `promise` block, which declares a type of promises (`keyword`)."""

    keyword: str
    type: str
    name: str
    namespace: str
    parameters: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    line: int
    span: Span


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """The contents of a file, in the order written."""

    path: str
    bundles: tuple[Bundle, ...]
    bodies: tuple[Body, ...]
    promise_types: tuple[Body, ...] = ()
