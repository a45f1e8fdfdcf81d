"""Values on the wire: what is sent comes back, with its identity, and changes come too."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from analyzer.frontends.puppet.bridge.wire import TAG, Wire
from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.uris import parse_uri
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import DEFAULT, Binary, Deferred, Regexp, Sensitive, Unknown
from analyzer.model.versions import SemVer, SemVerRange

VALUES = [
    None,
    True,
    "text",
    "é \x00 \n",
    "not utf-8: \udce9",
    10**30,
    -0.5,
    float("inf"),
    DEFAULT,
    [],
    {},
    ["a", ["b"], {"c": None}],
    {1: "a", "1": "b", 2.5: [1]},
    {TAG: ["r", 0]},
    Regexp("a.b"),
    Sensitive(["s"]),
    Binary(b"\x00\xff"),
    Timestamp(1),
    Timespan(-5),
    SemVer.parse("1.2.3-a"),
    SemVerRange.parse(">=1.0.0"),
    parse_uri("http://a/b?c"),
    parse_type("Variant[Integer[1, 2], Enum['a']]"),
    parse_type("File['/a']"),
    Deferred("f", (1, "a")),
]


def over(sender: Wire, receiver: Wire, value: Any) -> Any:
    return receiver.decode(json.loads(json.dumps(sender.encode(value)[0])))


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_there_and_back(value: Any) -> None:
    assert over(Wire(), Wire(), value) == value


def test_a_float_that_is_no_number() -> None:
    assert math.isnan(over(Wire(), Wire(), float("nan")))


def test_one_that_comes_back_is_the_one_that_was_sent() -> None:
    wire, inner = Wire(), ["a"]
    first, second = wire.encode([inner, inner], inner)
    assert first == [["a"], {TAG: ["r", 1]}]
    assert second == {TAG: ["r", 1]}
    assert wire.decode(second) is inner


def test_what_cannot_be_sent_leaves_no_number() -> None:
    wire, inner = Wire(), ["a"]
    with pytest.raises(UndecidedCall) as caught:
        wire.encode([inner, {"k": Unknown("why")}])
    assert caught.value.unknown.reason == "why"
    assert wire.encode(inner) == [["a"]]
    assert wire.decode({TAG: ["r", 0]}) is inner


def test_changes_are_made_in_place() -> None:
    wire = Wire()
    value: list[Any] = ["a", {"k": "v"}]
    inner = value[1]
    wire.encode(value)
    wire.change([[0, ["new", {TAG: ["r", 1]}, {TAG: ["h", [[1, 2]]]}]], [1, {"k": None}]])
    assert value == ["new", {"k": None}, {1: 2}]
    assert value[1] is inner


def test_facts_are_sent_once() -> None:
    wire, facts = Wire(), {"os": {"family": "Debian"}}
    wire.constants[id(facts)] = facts
    first, second = wire.encode(facts, facts)
    assert first == {TAG: ["c", id(facts), facts]}
    assert second == {TAG: ["c", id(facts)]}
