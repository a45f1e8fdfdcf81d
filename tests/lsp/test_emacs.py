"""A real editor: Emacs with eglot has diagnostics, jumps, finds, renames, types, completes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.test_neovim import FILES

SCRIPT = Path(__file__).with_name("emacs.el")

SAID = {
    "diagnostics": "diagnostics CG301 3",
    "jump": "jump db.pp 1 6",
    "references": "references 1 3",
    "rename": "rename notice($number)",
    "quote": "quote é",
    "typing": "typing 5",
    "complete": "complete create",
}


@pytest.mark.slow
def test_emacs(tmp_path: Path) -> None:
    program = shutil.which("emacs")
    if program is None:
        pytest.skip("emacs is not installed: the language server is not tried in it")
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    server = Path(sys.executable).with_name("catgraph")
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        [program, "--batch", "-l", "package", "-f", "package-initialize", "-l", str(SCRIPT)],
        env={**os.environ, "HOME": str(home), "CATGRAPH_REPO": str(tmp_path),
             "CATGRAPH": str(server)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )  # fmt: skip
    if "absent" in done.stdout:
        pytest.skip("Emacs has no eglot: the language server is not tried in it")
    said = {line.partition(" ")[0]: line for line in done.stdout.splitlines()}
    assert said == SAID, done.stdout + done.stderr
