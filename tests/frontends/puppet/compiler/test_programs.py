"""Each program compiles to what Puppet compiles it to, or is refused in Puppet's words."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from tests.oracle.compiled import compile_question
from tests.oracle.harness import Question

from .cases import NODES_RECORDED, RECORDED, blocks, node_questions, programs, question, shown

CODE = dict(programs())

# Where we refuse in other words, or accept what Puppet fails at; the list may only get shorter.
GAPS = {
    "collectors: access after a collector",
    "collectors: as an argument",
    "heredocs: syntax, interpolated",
    "resources: type from the top",
    "types: from the top",
    "words: default as an access",
}
CASES = [
    pytest.param(name, text, marks=pytest.mark.xfail(strict=True) if name in GAPS else ())
    for name, text in blocks(RECORDED).items()
]


def ours(asked: Question) -> tuple[str, bool]:
    """What we make of a program: the catalog in lines, or a message; and whether it is one."""
    try:
        return shown(compile_question(asked)), False
    except EvaluationError as error:
        return str(error).splitlines()[0], True


def check(asked: Question, expected: str) -> None:
    text, refused = ours(asked)
    if expected.startswith("! "):
        assert refused
        assert text in expected
    else:
        assert text == expected


@pytest.mark.parametrize(("name", "expected"), CASES)
def test_program(name: str, expected: str) -> None:
    check(question(name, CODE[name]), expected)


@pytest.mark.parametrize(("name", "expected"), blocks(NODES_RECORDED).items())
def test_node(name: str, expected: str) -> None:
    check(node_questions()[name], expected)


def test_gaps_are_programs() -> None:
    assert set(CODE) >= GAPS
