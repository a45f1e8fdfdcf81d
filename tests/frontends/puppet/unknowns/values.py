"""Values of each type, and the same with an Unknown in every place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
)
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Deferred, Regexp, Sensitive, Unknown
from analyzer.model.versions import SemVer

LOST = Unknown("lost")
TEXT = LOST.as_text()

# What a value of a type is taken from, the first that is one.
POOL: list[Any] = [
    *("a", "/x/y", "1.2.3", "10.0.0.1", "a@b.cd", "x = 1", "{}", "", "present", "first", "%s"),
    *(3, 0, 2.5, True, None, ["a", "b"], [1, 2], [["a", 1]], {"a": "b"}, {"a": {"b": 1}}, [], {}),
    *(Regexp("a"), Sensitive("s"), Binary(b"x"), parse_type("String"), parse_type("File['/x']")),
    *(Timespan(1), Timestamp(1), SemVer.parse("1.2.3"), Deferred("f", ("a",))),
]


def value_of(kind: Type) -> Any:
    """Return a value of a type.

    Raises:
        LookupError: there is none at hand.
    """
    for value in POOL:
        if instance(kind, value):
            return value
    match kind:
        case ArrayType():
            return [value_of(kind.element)] * max(1, kind.sizes.low or 0)
        case HashType():
            return {value_of(kind.key): value_of(kind.value)}
        case TupleType():
            return [value_of(kind.at(n)) for n in range(max(1, kind.sizes.low or 0))]
        case StructType():
            return {e.name: value_of(e.value) for e in kind.elements if e.required}
    raise LookupError(str(kind))


def with_unknown(value: Any) -> Iterator[Any]:
    """Yield a value with an Unknown in place of it and of each of its parts."""
    yield LOST
    match value:
        case str():
            yield TEXT
        case list():
            for number, part in enumerate(value):
                for one in with_unknown(part):
                    yield [*value[:number], one, *value[number + 1 :]]
        case dict():
            for key, part in value.items():
                for one in with_unknown(part):
                    yield {**value, key: one}
                rest = {other: one for other, one in value.items() if other != key}
                yield from ({**rest, LOST: part}, {**rest, TEXT: part})
        case Sensitive():
            yield from map(Sensitive, with_unknown(value.value))
        case Deferred():
            yield Deferred(value.name, (LOST,))


def of_any_kind() -> list[Any]:
    """Return values of every kind that hold an Unknown."""
    return [
        LOST,
        TEXT,
        [LOST],
        [[TEXT], "a"],
        {"a": LOST},
        {LOST: "a"},
        {(LOST, 1): "a"},
        {"a": [{"b": TEXT}]},
        Sensitive(LOST),
        [Sensitive({"a": LOST})],
        Deferred("f", (LOST,)),
    ]
