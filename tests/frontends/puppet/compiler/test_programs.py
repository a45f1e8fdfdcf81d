"""Each program compiles to what Puppet compiles it to, or is refused in Puppet's words."""

from __future__ import annotations

import re

import pytest

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from tests.known_gaps import known_gaps
from tests.oracle.compiled import compile_question
from tests.oracle.harness import Question

from .cases import NODES_RECORDED, RECORDED, blocks, node_questions, programs, question, shown

CODE = dict(programs())

# Where we refuse in other words, or accept what Puppet fails at.
GAPS = known_gaps("programs")
CASES = [
    pytest.param(name, text, marks=pytest.mark.xfail(strict=True) if name in GAPS else ())
    for name, text in blocks(RECORDED).items()
]


# Where Puppet says that an error is; that of a text which it parses is told inside of the text.
PLACE = re.compile(
    r"! Puppet::(?:Preformatted)?Error: .*"
    r"\((?:file: [^,]*, )?line: (\d+)(?:, column: (\d+))?\) on node [\w.]+\n\Z",
    re.DOTALL,
)

# What Ruby's JSON library says of a text is its own.
JSON = re.compile(r'(Cannot parse invalid JSON string\. ").*?"(?= \(line|\Z)', re.DOTALL)

# An error inside of a definition has two places, of which we tell the inner one.
INNER = re.compile(r"\(line: \d+\) \(line: \d+\) on node")


def ours(asked: Question) -> tuple[str, tuple[int, int] | None]:
    """What we make of a program: the catalog in lines, or a message; and the place of an error."""
    try:
        return shown(compile_question(asked)), None
    except EvaluationError as error:
        return str(error).splitlines()[0], error.place[1:]


def check(asked: Question, expected: str) -> None:
    text, place = ours(asked)
    if not expected.startswith("! "):
        assert text == expected
        return
    assert place is not None
    assert JSON.sub(r"\1", text) in JSON.sub(r"\1", expected)
    said = PLACE.match(expected)
    if said and not INNER.search(expected):
        assert place[0] == int(said[1])
        assert said[2] in (None, str(place[1]))


@pytest.mark.parametrize(("name", "expected"), CASES)
def test_program(name: str, expected: str) -> None:
    check(question(name, CODE[name]), expected)


@pytest.mark.parametrize(("name", "expected"), blocks(NODES_RECORDED).items())
def test_node(name: str, expected: str) -> None:
    check(node_questions()[name], expected)


def test_gaps_are_programs() -> None:
    assert set(CODE) >= set(GAPS)
