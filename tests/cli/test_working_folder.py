"""Nothing of the working folder, which may be the code under review, is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

# Modules that new interpreters import, or that a command imports when it needs them.
HOSTILE = [
    *("analyzer", "tui", "grammars", "multiprocessing", "concurrent", "lark", "yaml", "json"),
    *("signal", "threading", "pickle", "difflib", "argparse", "sitecustomize"),
]
COMMAND = """#!{python}
import sys
sys.path[1:1] = {path!r}
from analyzer.cli import main
main()
"""
NEW = """
from concurrent.futures import ProcessPoolExecutor
from analyzer.processes import new_processes
import os
if __name__ == '__main__':
    context = new_processes()
    with ProcessPoolExecutor(2, context) as pool:
        print(set(pool.map(os.getenv, ['PYTHONSAFEPATH'] * 3)))
    with context.Pool(2) as pool:
        print(pool.map(abs, [-1]))
"""


def run(script: str, folder: Path, *words: str) -> str:
    """The output of a script that lies elsewhere, as installed commands do, in a hostile folder."""
    folder.mkdir()
    trace = folder.parent / "trace"
    for name in HOSTILE:
        (folder / f"{name}.py").write_text(f"open({str(trace)!r}, 'a').write(__file__)\n")
    path = folder.parent / "command"
    path.write_text(script)
    environment = {n: text for n, text in os.environ.items() if not n.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, str(path), *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not trace.exists(), trace.read_text()
    assert done.returncode in (0, 1, 3), done.stderr
    return done.stdout + done.stderr


def packages() -> list[str]:
    return [str(ROOT), *(path for path in sys.path if path.endswith("-packages"))]


def test_new_processes(tmp_path: Path) -> None:
    script = f"import sys\nsys.path[1:1] = {packages()!r}\n{NEW}"
    assert run(script, tmp_path / "checkout") == "{None}\n[1]\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["fleet", "cycles", str(ROOT / "sample_catalogs"), "--workers", "2"],
        ["parse", str(ROOT / "sample_catalogs"), "--jobs", "2"],
        ["lint", str(ROOT / "sample_catalogs" / "stages"), "--jobs", "2", "--worlds", "1"],
    ],
    ids=lambda words: words[0],
)
def test_commands(words: list[str], tmp_path: Path) -> None:
    script = COMMAND.format(python=sys.executable, path=packages())
    assert run(script, tmp_path / "checkout", *words)
