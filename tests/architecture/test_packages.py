"""A package is above its modules: it may import them, and they do not import it."""

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

FOLDERS = ("analyzer", "tui", "grammars")


def name_of(path: Path) -> str:
    """The name of a module or package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules() -> dict[str, Path]:
    """All modules and packages, by name."""
    return {name_of(path): path for one in FOLDERS for path in (ROOT / one).rglob("*.py")}


def imports_of(text: str, known: set[str]) -> set[str]:
    """The modules and packages that a text imports, wherever it does."""
    found = set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names & known
            found |= {node.module} if names - known else set()
    return found & known


def circles(texts: dict[str, str]) -> list[str]:
    """The modules that import a package above them which imports one of its own modules."""
    imports = {name: imports_of(text, set(texts)) for name, text in texts.items()}
    above = {
        name for name, inner in imports.items() if any(one.startswith(f"{name}.") for one in inner)
    }
    return sorted(
        f"{name} imports {package}"
        for name, used in imports.items()
        for package in used & above
        if name.startswith(f"{package}.")
    )


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("from p import main\n", ["p.m imports p"]),
        ("def f():\n    import p\n", ["p.m imports p"]),
        ("from p import n\n", []),
    ],
)
def test_a_circle_is_found(inner: str, expected: list[str]) -> None:
    assert circles({"p": "from p.m import main\n", "p.m": inner, "p.n": ""}) == expected
    assert circles({"p": "X = 1\n", "p.m": inner, "p.n": ""}) == []


def test_no_module_imports_a_package_that_imports_its_modules() -> None:
    assert circles({name: path.read_text("utf-8") for name, path in modules().items()}) == []
