"""Programs with resources of our own types compile as Puppet compiles them."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.session.verify.refusals import words
from tests.frontends.puppet.compiler.cases import blocks, shown
from tests.oracle.compiled import compile_question, our_words

from .declared import HERE
from .programs import PROGRAMS, RECORDED, question

CODE = blocks(PROGRAMS)


def ours(code: str) -> str:
    """What we make of a program, as Puppet's answer is recorded."""
    try:
        return shown(compile_question(question("", code)))
    except EvaluationError as error:
        return f"! {our_words(error)}"


@pytest.mark.parametrize(("name", "expected"), blocks(RECORDED).items())
def test_program(name: str, expected: str) -> None:
    if expected.startswith("! "):
        expected = f"! {words(expected[2:].rstrip())}"
    assert ours(CODE[name]) == expected


def test_all_are_recorded() -> None:
    assert blocks(RECORDED).keys() == CODE.keys()


@pytest.mark.parametrize("attribute", ["from_elsewhere", "own_meta"])
def test_what_another_file_may_declare_is_accepted(attribute: str) -> None:
    code = f"other_opened {{ 'a': {attribute} => 1 }}"
    catalog = compile_question(question("", code, HERE / "reopening"))
    assert catalog["resources"][-1]["parameters"] == {attribute: 1}
