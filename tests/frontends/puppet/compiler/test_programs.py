"""Each program compiles to what Puppet compiles it to, or is refused in Puppet's words."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from tests.oracle.compiled import compile_question

from .cases import RECORDED, blocks, programs, question, shown

CODE = dict(programs())

# Where we refuse in other words, or accept what Puppet fails at; the list may only get shorter.
GAPS: set[str] = set()
CASES = [
    pytest.param(name, text, marks=pytest.mark.xfail(strict=True) if name in GAPS else ())
    for name, text in blocks(RECORDED).items()
]


def ours(name: str) -> tuple[str, bool]:
    """What we make of a program: the catalog in lines, or a message; and whether it is one."""
    try:
        return shown(compile_question(question(name, CODE[name]))), False
    except EvaluationError as error:
        return str(error).splitlines()[0], True


@pytest.mark.parametrize(("name", "expected"), CASES)
def test_program(name: str, expected: str) -> None:
    text, refused = ours(name)
    if expected.startswith("! "):
        assert refused
        assert text in expected
    else:
        assert text == expected


def test_gaps_are_programs() -> None:
    assert set(CODE) >= GAPS
