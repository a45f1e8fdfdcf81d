"""Our functions of stdlib return what the module's return."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

import pytest

from analyzer.frontends.puppet.functions import stdlib
from analyzer.frontends.puppet.functions.registry import FUNCTIONS
from analyzer.frontends.puppet.functions.stdlib.families import FAMILIES, OF_CATALOG, find
from tests.frontends.puppet.compiler.cases import blocks
from tests.frontends.puppet.compiler.test_origins import stdlib as stdlib_module
from tests.frontends.puppet.compiler.test_programs import check
from tests.frontends.puppet.functions.cases import Case

from .cases import all_cases, ours
from .programs import RECORDED, RECORDED_WITH, question


@pytest.mark.parametrize("case", list(all_cases()), ids=lambda case: f"{case.topic}: {case.text}")
def test_case(case: Case) -> None:
    assert ours(case.text) == case.result


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A modulepath with the release that was recorded with; its files need no content."""
    names = sorted({*FAMILIES, *OF_CATALOG})
    return stdlib_module(tmp_path_factory.mktemp("modules"), RECORDED_WITH, *names)


@pytest.mark.parametrize(("name", "expected"), blocks(RECORDED).items())
def test_program(installed: str, name: str, expected: str) -> None:
    check(question(name, [installed]), expected)


def test_families_are_what_the_modules_register() -> None:
    package = stdlib.__name__
    for module in walk_packages(stdlib.__path__, f"{package}."):
        import_module(module.name)
    registered = {
        name: {row.compute.__module__ for row in rows}
        for name, rows in FUNCTIONS.items()
        if name in FAMILIES or any(package in row.compute.__module__ for row in rows)
    }
    assert set(registered) == set(FAMILIES)
    assert all(find(name) for name in FAMILIES)
