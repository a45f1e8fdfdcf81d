"""Each function has Puppet's value or error, or is not understood."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer import compile
from analyzer.diagnostics import CompileError
from analyzer.export.catalog_json import to_json

from .cases import (
    MODULES,
    Case,
    calls,
    cases,
    message_of,
    program,
    recorded,
    resources_of,
    write_module,
)

# Parts of the bodies that are not understood: their values stay unknown.
BEYOND = (".combination", "Time.now", "File.exist", ".unpack", "y <=> x", "<<~", "delete_if")


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_module(tmp_path_factory.mktemp("modules"))


def answer_of(case: Case, modules: Path) -> dict[str, object]:
    facts = {"kernel": "Linux"}
    try:
        catalog = compile(code=case.code, modulepath=[str(modules)], facts=facts)
    except CompileError as error:
        return {"error": error.message}
    value = message_of(json.loads(to_json(catalog)))
    unknown = isinstance(value, dict) and "__unknown" in value
    return {"unknown": True} if unknown else {"value": value}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.body)
def test_body(case: Case, modules: Path) -> None:
    answer = answer_of(case, modules)
    if any(part in case.body for part in BEYOND):
        assert answer == {"unknown": True}
    else:
        assert answer == recorded()[f"{case.body} -- {case.arguments}"]


@pytest.mark.parametrize("call", calls())
def test_call(call: str) -> None:
    try:
        catalog = compile(
            code=program(call),
            modulepath=[str(MODULES)],
            facts={"kernel": "Linux"},
            puppet_version=7,
        )
    except CompileError as error:
        answer: dict[str, object] = {"error": error.message}
    else:
        assert not [gap for gap in catalog.gaps if gap.hides]
        answer = {"value": resources_of(json.loads(to_json(catalog)))}
    assert answer == recorded()[call]
