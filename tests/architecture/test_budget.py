"""Files and functions stay small enough to read at once, and modules say what they are."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

FILE_LINES = 400
FUNCTION_LINES = 50
SOURCES = sorted(
    path for top in ("analyzer", "tui", "grammars", "tests") for path in (ROOT / top).rglob("*.py")
)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_size(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= FILE_LINES
    lengths = {
        f"{function.name} (line {function.lineno})": function.end_lineno - function.lineno + 1
        for function in functions(ast.parse(text))
        if function.end_lineno is not None
    }
    assert {name: n for name, n in lengths.items() if n > FUNCTION_LINES} == {}


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if path.stem.startswith("__") or not path.stem.startswith("_")],
    ids=name_of,
)
def test_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
