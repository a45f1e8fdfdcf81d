"""YAML is written as Ruby writes it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from analyzer.formats.yaml_writer import Tagged, dump
from tests.amount import examples

from .ruby import RUBY, to_yaml
from .values import OPTIONS, value

SHARED = [1]
# What Ruby 3.1 with Psych 4.0 and libyaml 0.2.5 writes.
CASES: list[tuple[Any, str]] = [
    (["a\n\nb\n\n"], "---\n- |+\n  a\n\n  b\n\n...\n"),
    (["a\nb\n\n", 1], "---\n- |+\n  a\n  b\n\n- 1\n...\n"),
    (["\n"], '---\n- "\\n"\n'),
    ("x", "--- x\n"),
    ({None: "y", "t": "2001-01-01"}, "---\n! '': \"y\"\nt: '2001-01-01'\n"),
    ({"<<": "Ⅷ", "-": "089"}, "---\n!!str '<<': Ⅷ\n\"-\": '089'\n"),
    ([1e15, 1e-5, float("inf"), -0.0], "---\n- 1.0e+15\n- 1.0e-05\n- .inf\n- -0.0\n"),
    ([SHARED, SHARED], "---\n- &1\n  - 1\n- *1\n"),
]


@pytest.mark.parametrize(("given", "written"), CASES)
def test_case(given: Any, written: str) -> None:
    assert dump(given) == written


def test_tags() -> None:
    assert dump(Tagged("!ruby/object:A", {"b": None})) == "--- !ruby/object:A\nb:\n"
    assert dump([Tagged("!ruby/regexp", "/a/")]) == "---\n- !ruby/regexp /a/\n"


def test_values_without_a_form_are_refused() -> None:
    with pytest.raises(TypeError, match="object has no form in YAML"):
        dump([object()])


@pytest.mark.skipif(RUBY is None, reason="Ruby is not installed")
def test_random_values_against_ruby() -> None:
    random = Random(14)
    asked = [(value(random), random.choice(OPTIONS)) for _ in range(examples(4000))]
    answers = to_yaml(asked)
    assert None not in answers
    for (given, options), theirs in zip(asked, answers, strict=True):
        width, step = options.get("line_width"), options.get("indentation", 2)
        assert dump(given, line_width=width, indentation=step) == theirs
