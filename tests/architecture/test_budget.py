"""Files and functions stay small enough to read at once, and modules say what they are."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

FILE_LINES = 400
FUNCTION_LINES = 50
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
SOURCES = sorted(
    path for top in ("analyzer", "tui", "grammars", "tests") for path in (ROOT / top).rglob("*.py")
)


@cache
def trees() -> dict[Path, ast.Module]:
    """The syntax trees of all sources."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions below a node; expressions have none, and are most of a tree."""
    for name in BODIES:
        for child in getattr(node, name, ()):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield child
            yield from functions(child)


def test_sizes() -> None:
    found = {}
    for path, tree in trees().items():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > FILE_LINES:
            found[name_of(path)] = lines
        for function in functions(tree):
            length = (function.end_lineno or 0) - function.lineno + 1
            if length > FUNCTION_LINES:
                found[f"{name_of(path)}:{function.lineno}: {function.name}"] = length
    assert found == {}


def test_modules_say_what_they_are() -> None:
    public = [p for p in SOURCES if p.stem.startswith("__") or not p.stem.startswith("_")]
    assert [name_of(path) for path in public if not ast.get_docstring(trees()[path])] == []
