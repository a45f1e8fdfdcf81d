"""Ruby's values that neither Python nor Puppet has, and how values are compared and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from analyzer.frontends.puppet.evaluate.text import text_of
from analyzer.model.values import Sensitive


class NotStatic(Exception):
    """Something is not evaluated here, so that the result is not known."""


class RubyError(Exception):
    """An exception of the Ruby code: its class and its message."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


class Symbol(NamedTuple):
    """`:name`."""

    name: str


class Range(NamedTuple):
    """`low..high` of integers; no high: to the end."""

    low: int
    high: int | None
    excluding: bool


class Pattern(NamedTuple):
    """A regular expression in Ruby's syntax, with its options."""

    source: str
    options: str


class Constant(NamedTuple):
    """A class or a module, by its name."""

    name: str


class Stepping(NamedTuple):
    """`values.map` without a block: a method that waits for one."""

    values: Any
    method: str


@dataclass(frozen=True, slots=True)
class Matched:
    """A match of a regular expression: the text, the groups, and those with names."""

    start: int
    end: int
    text: str
    groups: tuple[str | None, ...]
    named: dict[str, str | None]


class DefaultHash(dict[Any, Any]):
    """A hash with a default, or a block that computes one."""

    __slots__ = ("compute",)
    compute: Callable[[Any, Any], Any]


@dataclass(slots=True)
class Frame:
    """The local variables of a method or a block, and the block that was given to the method."""

    names: dict[str, Any]
    around: Frame | None = None
    block: Any = None
    # Variables whose text something else may hold too, so that it is not changed in place.
    shared: set[str] = field(default_factory=set)

    def holder(self, name: str) -> Frame | None:
        """Return the frame that has a variable."""
        frame: Frame | None = self
        while frame is not None and name not in frame.names:
            frame = frame.around
        return frame

    @property
    def method(self) -> Frame:
        """Return the frame of the method around."""
        frame = self
        while frame.around is not None:
            frame = frame.around
        return frame


@dataclass(frozen=True, slots=True)
class Proc:
    """A block with the variables around it; a lambda is strict about its arguments."""

    parameters: list[Any]
    body: Any
    frame: Frame
    strict: bool = False


@dataclass(frozen=True, slots=True)
class ScopeValue:
    """The scope of the call, or the outermost one."""

    outermost: bool


@dataclass(frozen=True, slots=True)
class CatalogValue:
    """The catalog that is being compiled."""


@dataclass(frozen=True, slots=True)
class ResourceValue:
    """A resource of the catalog."""

    entry: Any


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """A parameter of a resource."""

    entry: Any
    name: str


# The classes of values, each with those above it.
CLASSES: dict[type, tuple[str, ...]] = {
    str: ("String", "Comparable"),
    Symbol: ("Symbol", "Comparable"),
    list: ("Array", "Enumerable"),
    dict: ("Hash", "Enumerable"),
    DefaultHash: ("Hash", "Enumerable"),
    int: ("Integer", "Numeric", "Comparable"),
    float: ("Float", "Numeric", "Comparable"),
    type(None): ("NilClass",),
    Pattern: ("Regexp",),
    Range: ("Range", "Enumerable"),
    Proc: ("Proc",),
    Matched: ("MatchData",),
    Sensitive: ("Puppet::Pops::Types::PSensitiveType::Sensitive",),
}
# What no function returns to Puppet.
OURS = frozenset({Symbol, Pattern, Range, Proc, Matched, Constant, Stepping, RubyError}) | {
    *(ScopeValue, CatalogValue, ResourceValue, AttributeValue),
}
KNOWN_CLASSES = frozenset(name for names in CLASSES.values() for name in names) | {
    *("TrueClass", "FalseClass", "Object", "BasicObject", "Set", "Time", "Class", "Module"),
    *("Puppet::Resource", "Puppet::Pops::Types::PAnyType", "Deferred"),
}


def classes_of(value: object) -> tuple[str, ...]:
    """Return the names of a value's classes.

    Raises:
        NotStatic: it is of a kind that is not known here.
    """
    if isinstance(value, bool):
        return ("TrueClass" if value else "FalseClass", "Object", "BasicObject")
    found = CLASSES.get(type(value))
    if found is None:
        raise NotStatic(f"a {type(value).__name__}")
    return (*found, "Object", "BasicObject")


def is_true(value: object) -> bool:
    """Return whether a value holds as a condition."""
    return value is not None and value is not False


def same(left: Any, right: Any) -> bool:
    """Return whether two values are equal, as `==` says."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if type(left) is not type(right) and not (isinstance(left, dict) and isinstance(right, dict)):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        if left.keys() != right.keys():
            return False
        return all(same(value, right[key]) for key, value in left.items())
    return bool(left == right)


def key_of(value: object) -> Any:
    """Return a value as a key of a hash.

    Raises:
        NotStatic: Python would take it for another one.
    """
    if isinstance(value, (str, Symbol)) or value is None or type(value) is int:
        return value
    raise NotStatic("a key of a hash")


def written(value: object) -> str:
    """Return a value as text (`to_s`).

    Raises:
        NotStatic: its text differs between releases of Ruby, or is not known here.
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, Symbol):
        return value.name
    if isinstance(value, (bool, int, float)):
        return text_of(value)
    if isinstance(value, Matched):
        return value.text
    if isinstance(value, Constant):
        return value.name
    if isinstance(value, list):
        return f"[{', '.join(inspected(one) for one in value)}]"
    raise NotStatic(f"the text of a {type(value).__name__}")


def inspected(value: object) -> str:
    """Return a value as Ruby writes it in code (`inspect`).

    Raises:
        NotStatic: it is not known here.
    """
    if value is None:
        return "nil"
    if isinstance(value, str):
        if not (value.isascii() and value.isprintable()) or set(value) & {'"', "\\", "#"}:
            raise NotStatic("a text with special characters")
        return f'"{value}"'
    if isinstance(value, Symbol) and value.name.isidentifier():
        return f":{value.name}"
    if isinstance(value, (bool, int, float, list)):
        return written(value)
    raise NotStatic(f"the text of a {type(value).__name__}")


def ordered(values: list[Any]) -> list[Any]:
    """Return values in ascending order.

    Raises:
        NotStatic: they are of several kinds.
    """
    if all(isinstance(one, str) for one in values):
        return sorted(values, key=lambda one: one.encode("utf-8", "surrogatepass"))
    if all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in values):
        return sorted(values)
    if all(isinstance(one, Symbol) for one in values):
        return sorted(values)
    if all(isinstance(one, list) for one in values):
        by_first = {repr(one[0]): one for one in values if one}
        if len(by_first) == len(values):
            return [by_first[repr(one)] for one in ordered([one[0] for one in values])]
    raise NotStatic("the order of values of several kinds")
