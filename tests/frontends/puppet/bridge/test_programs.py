"""With the bridge, programs with Ruby in them compile to what Puppet compiles them to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from analyzer.frontends.puppet.bridge.calls import RubyCalls
from analyzer.frontends.puppet.bridge.helper import Helper
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from tests.frontends.puppet.compiler.cases import blocks, shown
from tests.frontends.puppet.documents import to_document
from tests.oracle.harness import HOW_TO_INSTALL, Question, installed

from .cases import RECORDED, portable, questions

pytestmark = pytest.mark.skipif(installed() is None, reason=HOW_TO_INSTALL)

EXPECTED = blocks(RECORDED)


@pytest.fixture(scope="module")
def helper() -> Iterator[Helper]:
    """One process for all programs."""
    with Helper.of("auto") as found:
        yield found


def ours(helper: Helper, question: Question) -> tuple[str, str]:
    """The catalog in lines, or a message with its place, and the message alone."""
    known = DefinitionTable(question["modulepath"])
    try:
        known.add_program(question["code"], "")
        compiler = Compiler(
            known,
            CompileInputs(
                "node.example.com",
                question["facts"],
                strict_variables=False,
                hiera_config=question["settings"]["hiera_config"],
            ),
            ruby=partial(RubyCalls, helper),
        )
        return portable(shown(to_document(compiler.compile()))), ""
    except EvaluationError as error:
        return portable(error.text), portable(error.message)


@pytest.mark.parametrize("asked", [pytest.param(q, id=q["id"]) for q in questions()])
def test_program(helper: Helper, asked: Question) -> None:
    expected = EXPECTED[asked["id"]]
    text, message = ours(helper, asked)
    if expected.startswith("! "):
        assert message
        # Puppet leaves the place out where Ruby code is not even Ruby.
        assert (text if " (line: 1" in expected else message) in expected
    else:
        assert text == expected
    assert not helper.ended
