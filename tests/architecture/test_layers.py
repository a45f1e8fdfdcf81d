"""The layers of the pipeline hold, and every stage has its place in them."""

import re
import subprocess
import sys
import tomllib

import pytest

from tests.conftest import ROOT


@pytest.mark.slow
def test_contracts_hold() -> None:
    check = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports("
    check += f"config_filename={str(ROOT / 'pyproject.toml')!r}, no_cache=True, no_logo=True))"
    run = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_stage_is_in_a_layer() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = (
        contract["layers"]
        for contract in config["tool"]["importlinter"]["contracts"]
        if contract["id"] == "layers"
    )
    placed = set(re.findall(r"analyzer\.(\w+)", " ".join(layers)))
    modules = {path.stem for path in (ROOT / "analyzer").glob("*.py")}
    packages = {path.parent.name for path in (ROOT / "analyzer").glob("*/__init__.py")}
    assert (modules | packages) - {"__init__"} <= placed


def test_one_module_compiles_nodes() -> None:
    """All others ask a plan: see `analyzer.compiles`."""
    calls = re.compile(r"\bcompile_(node|class)\(")
    files = [*(ROOT / "analyzer").rglob("*.py"), *(ROOT / "tui").rglob("*.py")]
    found = {str(one.relative_to(ROOT)) for one in files if calls.search(one.read_text("utf-8"))}
    assert found == {"analyzer/compiles/compile.py", "analyzer/frontends/puppet/compile.py"}
