"""A wheel has one package: other packages may have the names of those in a checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import analyzer
import catgraph
from catgraph.wheel import LEFT_OUT, PACKAGES, check, package_at, renamed
from grammars.table import NAMES
from tests.conftest import ROOT

# Runs words of Python with the packages of this environment, but without those of the checkout.
START = """
import sys
sys.path[:] = [*{paths!r}, *(one for one in sys.path if one and one != {root!r})]
{code}
"""
TEST = """
def test_one(catgraph_compile):
    assert catgraph_compile(code="notify { 'a': } -> notify { 'b': }")
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what a wheel has."""
    place = tmp_path_factory.mktemp("wheel")
    for source, inside in package_at(ROOT, place).items():
        target = place / inside
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(source)
    return place


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with packages of the names that those of a checkout have."""
    for name in PACKAGES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise ImportError('{name} of others')\n")
    return tmp_path


def run(installed: Path, project: Path, code: str) -> str:
    """Return the output of Python code in a project."""
    text = START.format(paths=[str(project), str(installed)], root=str(ROOT), code=code)
    done = subprocess.run(
        [sys.executable, "-c", text],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        env={"CATGRAPH_NO_CACHE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    return done.stdout + done.stderr


@pytest.mark.slow
def test_all_modules_are_imported_from_the_one_package(installed: Path, project: Path) -> None:
    code = """
import importlib, pkgutil
import catgraph
assert callable(catgraph.compile) and catgraph.__version__
for one in pkgutil.walk_packages(catgraph.__path__, 'catgraph.'):
    if not one.name.endswith('__main__'):
        importlib.import_module(one.name)
names = [name for name in sys.modules if name.partition('.')[0] in ('analyzer', 'tui', 'grammars')]
print(names, len([name for name in sys.modules if name.startswith('catgraph.')]) > 1000)
"""
    assert run(installed, project, code) == "[] True\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["cycles", "require_loop/catalog.json"],
        ["cycles", "require_loop/catalog.json", "--format", "sarif"],
        ["lint", "stages"],
        ["check", "control_repos/roles_in_site"],
        ["explore", "stages"],
        ["graph", "require_loop/catalog.json", "--format", "dot"],
        ["rule", "CG301"],
    ],
    ids=" ".join,
)
def test_commands_say_the_same(installed: Path, project: Path, words: list[str]) -> None:
    code = f"import os\nos.chdir({str(ROOT / 'sample_catalogs')!r})\n"
    code += f"from NAME.cli import main\nsys.exit(main({words!r}))"
    wanted = run(ROOT, ROOT, code.replace("NAME", "analyzer"))
    assert wanted
    assert run(installed, project, code.replace("NAME", "catgraph.analyzer")) == wanted


@pytest.mark.slow
def test_the_plugin_works_beside_a_package_of_the_same_name(installed: Path, project: Path) -> None:
    (project / "test_it.py").write_text(TEST)
    code = "import pytest\nsys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '-p', NAME]))"
    plugin = "'catgraph.analyzer.testing.pytest_plugin'"
    out = run(installed, project, code.replace("NAME", plugin))
    assert "1 passed" in out, out


def test_the_parse_tables_are_of_the_sources_that_a_wheel_has() -> None:
    for name in ("table.py", *(f"{one}.lark" for one in NAMES)):
        text = (ROOT / "grammars" / name).read_text()
        assert renamed(text) == text


def test_only_a_checkout_has_what_a_wheel_is_made_with() -> None:
    assert all((ROOT / file).is_file() for file in LEFT_OUT)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("from analyzer import a", "from catgraph.analyzer import a"),
        ("from tui.app import a", "from catgraph.tui.app import a"),
        ("import grammars", "from catgraph import grammars"),
        ("import analyzer.cli", "import catgraph.analyzer.cli"),
        ("x = 'analyzer.cli'", "x = 'catgraph.analyzer.cli'"),
        ("x = f'tui.screens.{y}'", "x = f'catgraph.tui.screens.{y}'"),
        ("x = 'analyzer.cli.' + y", "x = 'catgraph.analyzer.cli.' + y"),
        ("x = 'tui'", "x = 'tui'"),
        ("x = tui.run", "x = tui.run"),
        ("from .analyzer import a", "from .analyzer import a"),
        ("from analyzers import a", "from analyzers import a"),
    ],
)
def test_names_of_modules(text: str, wanted: str) -> None:
    assert renamed(text) == wanted


@pytest.mark.parametrize(
    "text", ["import os, analyzer", "import analyzer as a", "x = 'analyzer.cli'", "import tui.app"]
)
def test_a_name_of_a_checkout_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"x.py:1: (analyzer|tui)[.\w]* is not in catgraph"):
        check(text, Path("x.py"))


def test_in_a_checkout_both_names_are_the_same_modules() -> None:
    # The types of both are those of the package beside it.
    from catgraph.analyzer.model import refs  # type: ignore[import-not-found]

    from analyzer.model import refs as same

    assert refs is same
    assert same.__spec__.name == "analyzer.model.refs"
    assert catgraph.compile is analyzer.compile
    assert set(catgraph.__all__) == set(analyzer.__all__)
    assert catgraph.__version__ == analyzer.__version__
    assert set(dir(catgraph)) >= {*analyzer.__all__, "__version__"}
    with pytest.raises(AttributeError, match="module 'catgraph' has no attribute 'nothing'"):
        catgraph.nothing  # noqa: B018
