"""JSON is read as Ruby reads it."""

from __future__ import annotations

from random import Random

import pytest

from analyzer.formats.json_reader import JsonError, parse
from tests.amount import examples

from .ruby import RUBY, parse_json
from .values import json_text


def test_leniencies() -> None:
    assert parse('/* c */ ["\\q", "a // b", 1] // end\n') == ["q", "a // b", 1]
    assert parse("[" * 100 + "]" * 100)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": }', "unexpected token at '}'"),
        ("[1,]", "unexpected token at ']'"),
        ("[NaN]", "unexpected token at 'NaN'"),
        ('"\\ud800"', "incomplete surrogate pair"),
        ("[" * 101 + "]" * 101, "nesting of 101 is too deep"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(JsonError, match=message):
        parse(text)


@pytest.mark.skipif(RUBY is None, reason="Ruby is not installed")
def test_random_texts_against_ruby() -> None:
    random = Random(14)
    texts = [json_text(random) for _ in range(examples(4000))]
    for text, theirs in zip(texts, parse_json(texts), strict=True):
        assert ours(text) == theirs, text


def ours(text: str) -> list[object] | None:
    """The value in a list, None if the text is refused."""
    try:
        return [parse(text)]
    except JsonError:
        return None
