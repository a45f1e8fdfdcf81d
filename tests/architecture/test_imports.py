"""A command loads what it uses and nothing else: start-up is most of what a small catalog costs."""

import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

HEAVY = {"textual", "rich", "lark", "networkx", "pydot"}
SLOW_TO_IMPORT = {"argparse", "dataclasses", "re", "typing", "enum"}


def loaded_by(*arguments: str, expect: int) -> set[str]:
    """Top-level names of all modules that a run of the installed command imports."""
    script = Path(sysconfig.get_path("scripts")) / "catgraph"
    run = subprocess.run(
        [sys.executable, "-X", "importtime", str(script), *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    assert run.returncode == expect, run.stdout + run.stderr
    assert "Traceback" not in run.stderr, run.stderr
    lines = [line for line in run.stderr.splitlines() if line.startswith("import time:")]
    names = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
    assert "analyzer" in names, run.stderr
    return names


@pytest.mark.parametrize(
    ("name", "code", "unwanted"),
    [
        pytest.param("healthy_web_stack", 0, HEAVY | SLOW_TO_IMPORT, id="healthy"),
        pytest.param("require_loop", 1, HEAVY, id="cycle"),
    ],
)
def test_cycles_starts_lean(
    sample: Callable[[str], Path], tmp_path: Path, name: str, code: int, unwanted: set[str]
) -> None:
    # Away from its manifests, in which the statements of a cycle would be looked for.
    catalog = tmp_path / "catalog.json"
    catalog.write_bytes((sample(name) / "catalog.json").read_bytes())
    found = loaded_by("cycles", str(catalog), expect=code) & unwanted
    # A script written by an old pip imports `re`, and setuptools loads a hook at each start.
    assert not found, f"imported: {sorted(found)} (is the environment the one that `make` builds?)"
