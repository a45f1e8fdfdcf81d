"""Functions are found by name, and an Unknown in what they look at is their result."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.compiler.calls.library import signature
from analyzer.frontends.puppet.functions.families import FAMILIES, find
from analyzer.frontends.puppet.functions.stdlib import families as stdlib
from analyzer.model.values import Unknown

from .cases import MODULES
from .evaluator import Evaluator

LOST = Unknown("lost")


def value(text: str) -> Any:
    return Evaluator(MODULES).run(text)


@pytest.mark.parametrize("name", FAMILIES)
def test_each_name_is_in_its_family(name: str) -> None:
    assert find(name)


@pytest.mark.parametrize("name", [*FAMILIES, *stdlib.FAMILIES])
def test_each_signature_can_be_read(name: str) -> None:
    for row in find(name) or stdlib.find(name):
        for text in row.signatures:
            try:
                signature(text, tuple(row.types.items()))
            except InputError as error:
                pytest.fail(f"the signature of {name} is wrong: '{text}': {error}")


def test_a_name_that_is_not_here() -> None:
    assert find("nope") == []


@pytest.mark.parametrize(
    "text",
    [
        "upcase(unknown('lost'))",
        "join(['a', unknown('lost')])",
        "sprintf('%s', [{'a' => unknown('lost')}])",
        "md5(unknown('lost'))",
        "size(unknown('lost'))",
        "flatten([1, unknown('lost')])",
        "map(unknown('lost')) |$x| { $x }",
        "filter([1, 2]) |$x| { unknown('lost') }",
        "filter({'a' => 1}) |$k, $v| { unknown('lost') }",
        "all([1, 2]) |$x| { unknown('lost') }",
        "any([1, 2]) |$x| { unknown('lost') }",
        "index([1, 2]) |$x| { unknown('lost') }",
        "group_by([1]) |$x| { unknown('lost') }",
        "partition([1]) |$x| { unknown('lost') }",
        "sort([2, 1]) |$a, $b| { unknown('lost') }",
        "unique([2, 1]) |$x| { unknown('lost') }",
        "dig({'a' => unknown('lost')}, 'a', 'b')",
        "get({'a' => unknown('lost')}, 'a.b')",
        "then(unknown('lost')) |$x| { 1 }",
        "with(unknown('lost')) |$x| { $x }",
        "unwrap(unknown('lost'))",
    ],
)
def test_unknown_decides(text: str) -> None:
    assert value(text) == LOST


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("size([1, unknown('lost')])", 2),
        ("keys({'a' => unknown('lost')})", ["a"]),
        ("values({'a' => unknown('lost')})", [LOST]),
        ("map([1, unknown('lost')]) |$x| { [$x] }", [[1], [LOST]]),
        ("dig([1, unknown('lost')], 0)", 1),
        ("any([unknown('lost'), 1]) |$x| { $x }", True),
        ("all([unknown('lost'), undef]) |$x| { $x }", False),
        ("with(unknown('lost'), 1) |$x, $y| { $y }", 1),
        ("slice([1, unknown('lost'), 3], 2)", [[1, LOST], [3]]),
    ],
)
def test_unknown_does_not_matter(text: str, expected: Any) -> None:
    assert value(text) == expected


def test_generate_runs_nothing() -> None:
    assert isinstance(value("generate('/bin/false')"), Unknown)


def test_this_moment() -> None:
    assert len(value("strftime('%Y')")) == 4
