"""Stored values: what was encoded is decoded, and no bytes do anything else."""

from __future__ import annotations

import json
import os
import pickle
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.codec import Codec, Undecodable, Unencodable


@dataclass(frozen=True, slots=True)
class Point:
    """A value with another one."""

    x: object
    y: object = None


@dataclass
class Open:
    """A value that changes."""

    rows: list[object] = field(default_factory=list)


class Pair(NamedTuple):
    """A named tuple."""

    one: object
    two: object


class Opaque:
    """A value of no listed class, with one that has a form."""

    def __init__(self, value: object) -> None:
        self.value = value


NOTHING = Opaque(None)
CODEC = Codec(
    *(Point, Open, Pair),
    (Opaque, lambda one: [one.value], lambda parts: Opaque(parts[0])),
    constants={"nothing": NOTHING},
)

# Hypothesis warns of values whose text is very long.
MOST_LEAVES = 20

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=()))
    | st.binary()
)
HASHABLE = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(inner, max_size=3)
        | st.builds(Point, inner, inner)
        | st.builds(Pair, inner, inner)
    ),
    max_leaves=MOST_LEAVES,
)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(HASHABLE, inner, max_size=3)
        | st.sets(HASHABLE, max_size=3)
        | st.builds(Open, st.lists(inner, max_size=3))
    ),
    max_leaves=MOST_LEAVES,
)


def exact(value: object) -> object:
    """Return a value with the types of all its parts, so that 1, 1.0 and True are not equal."""
    if isinstance(value, Point):
        return "Point", exact(value.x), exact(value.y)
    if isinstance(value, Open):
        return "Open", exact(value.rows)
    if isinstance(value, (tuple, list)):
        return type(value), [exact(one) for one in value]
    if isinstance(value, (set, frozenset)):
        return type(value), sorted(repr(exact(one)) for one in value)
    if isinstance(value, dict):
        return dict, [(exact(key), exact(one)) for key, one in value.items()]
    return type(value), repr(value)


@given(VALUES)
def test_a_value_comes_back(value: object) -> None:
    assert exact(CODEC.decode(CODEC.encode(value))) == exact(value)


def test_what_is_shared_stays_shared() -> None:
    point = Point("a")
    first, second = CODEC.decode(CODEC.encode([point, {"b": point}]))
    assert first is second["b"]
    shared: object = "x"
    for _ in range(60):
        shared = (shared, shared)
    assert len(CODEC.encode(shared)) < 2000


def test_a_constant_is_the_same_object() -> None:
    assert CODEC.decode(CODEC.encode([NOTHING]))[0] is NOTHING
    other = CODEC.decode(CODEC.encode(Opaque(5)))
    assert (type(other), other.value) == (Opaque, 5)


class Other:
    """Of no table."""


def circle() -> object:
    found: list[object] = []
    found.append(found)
    return found


def deep() -> object:
    value: object = ()
    for _ in range(100_000):
        value = (value,)
    return value


@pytest.mark.parametrize(
    "value",
    [Other(), [OrderedDict()], os.system, Exception("a"), circle(), deep(), 10**5000],
    ids=["instance", "subclass", "function", "error", "circle", "deep", "long number"],
)
def test_what_is_not_stored(value: object) -> None:
    with pytest.raises(Unencodable):
        CODEC.encode(value)


class Marks:
    """Would make a file if it was unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (self.path,)


BAD = [
    b"",
    b"null",
    b"[]",
    b"[[],[],-1]",
    b'[[],[["t",-1]],-1]',
    b'[[],[["t",-2],["t"]],-1]',
    b'[["Nobody"],[[0]],-1]',
    b'[["Point"],[[0]],-1]',
    b'[["Point"],[[0,1,2,3]],-1]',
    b'[["Pair"],[[0,1]],-1]',
    b'[[],[["os.system","true"]],-1]',
    b'[[],[[["t"],1]],-1]',
    b'[[],[["d",1]],-1]',
    b'[[],[["l"],["s",-1]],-2]',
    b'[[],[["b",5]],-1]',
    b'[[],[["i","x"]],-1]',
    b'[[],[["i","' + b"9" * 5000 + b'"]],-1]',
    b'[[],[["c","other"]],-1]',
    b"9" * 5000,
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"\xff\xfe",
]


@pytest.mark.parametrize("data", BAD, ids=lambda data: repr(data[:30]))
def test_bytes_that_are_no_value(data: bytes) -> None:
    with pytest.raises(Undecodable):
        CODEC.decode(data)


def test_a_pickle_is_not_loaded(tmp_path: object) -> None:
    mark = f"{tmp_path}/mark"
    with pytest.raises(Undecodable):
        CODEC.decode(pickle.dumps(Marks(mark)))
    assert not os.path.exists(mark)


PARTS = st.none() | st.integers(-4, 4) | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
ROWS = st.lists(
    st.tuples(st.sampled_from([*"tldsfbic", 0, 1, 2, 3, -1, None]), st.lists(PARTS, max_size=4)),
    max_size=4,
)


def decode(data: bytes) -> None:
    try:
        CODEC.decode(data)
    except Undecodable:
        return


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes(data: bytes) -> None:
    decode(data)


@given(st.lists(st.sampled_from(["Point", "Open", "Pair", "Opaque", "x"])), ROWS, PARTS)
def test_any_document(
    names: list[str], rows: list[tuple[object, list[object]]], top: object
) -> None:
    decode(json.dumps([names, [[form, *parts] for form, parts in rows], top]).encode())
