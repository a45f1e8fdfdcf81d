"""Each version makes of a program what it was recorded to make of it."""

from __future__ import annotations

import pytest

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.model.releases import DIFFERENCES, Release, has
from tests.frontends.puppet.compiler.cases import blocks
from tests.frontends.puppet.documents import to_document
from tests.known_gaps import known_gaps

from .cases import PROGRAMS, question, recorded, shown

CODE = blocks(PROGRAMS)
GAPS = known_gaps("versions")
# What a name stood for when it was recorded.
OURS = {"7": "7.23", "8": "8.11", "openvox-8": "openvox-8.28.1", "openvox-9": "openvox-9"}
CASES = [
    pytest.param(name, version, text, marks=[pytest.mark.xfail(strict=True)] * (name in GAPS))
    for name, answers in recorded().items()
    for version, text in answers.items()
]


def ours(name: str, version: str) -> str:
    """What we make of a program: the resources, or a message."""
    asked = question(name, CODE[name], version)
    release = Release.parse(OURS.get(version, version))
    strict = has(release, "strict")
    try:
        known = DefinitionTable(strict="error" if strict else "warning")
        known.add_program(asked["code"], "")
        inputs = CompileInputs(asked["node"], {}, strict_variables=strict, puppet_version=release)
        return shown(to_document(Compiler(known, inputs).compile()))
    except EvaluationError as error:
        return str(error).splitlines()[0]
    except ParseError as error:
        return error.diagnostic.message


@pytest.mark.parametrize(("name", "version", "expected"), CASES)
def test_program(name: str, version: str, expected: str) -> None:
    text = ours(name, version)
    if expected.startswith("! "):
        assert text in expected
    else:
        assert text == expected


def test_every_program_is_recorded() -> None:
    assert set(CODE) == set(recorded())


def test_differences_name_programs() -> None:
    assert {row.case for row in DIFFERENCES if row.case} <= set(CODE)


def test_products_differ() -> None:
    assert not has(Release.parse("8.8"), "marked_node_names")
    assert has(Release.parse("8.9"), "marked_node_names")
    assert [has(Release.parse(f"openvox-8.28.{n}"), "lost_node_blocks") for n in (0, 1)] == [1, 0]
    assert has(Release.parse("8.11"), "lost_node_blocks")
    assert not has(8, "lost_node_blocks")
    assert [has(one, "strict") for one in (7, 8, Release.parse("openvox-9"))] == [0, 1, 1]
