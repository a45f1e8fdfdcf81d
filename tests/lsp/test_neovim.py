"""A real editor: Neovim opens a control repo, has diagnostics, jumps, completes, renames, fixes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types

from analyzer.lsp.features.table import TABLE

SCRIPT = Path(__file__).with_name("neovim.lua")

FILES = {
    "modules/app/manifests/init.pp": (
        "class app {\n  include app::db\n  package { 'a': require => Service['b'] }\n}\n"
    ),
    "modules/app/manifests/db.pp": (
        "class app::db (Integer $port = 1) {\n"
        "  service { 'b': require => Package['a'] }\n  notice($port)\n}\n"
    ),
    "promises.cf": 'bundle agent main\n{\n  files:\n    "/etc/motd" cre\n}\n',
}

SAID = {
    "diagnostics": "diagnostics CG301 3",
    "jump": "jump db.pp 1",
    "complete": "complete create",
}
NEEDS = {"rename": types.TEXT_DOCUMENT_RENAME, "fix": types.TEXT_DOCUMENT_CODE_ACTION}


@pytest.mark.slow
def test_neovim(tmp_path: Path) -> None:
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("neovim is not installed: the language server is not tried in a real editor")
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    server = Path(sys.executable).with_name("catgraph")
    done = subprocess.run(
        [program, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {SCRIPT}"],
        env={**os.environ, "CATGRAPH_REPO": str(tmp_path), "CATGRAPH": str(server)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    said = {line.partition(" ")[0]: line for line in done.stdout.splitlines()}
    assert "failed" not in said, done.stdout + done.stderr
    assert {name: said.get(name) for name in SAID} == SAID
    methods = {row.method for row in TABLE}
    assert {name for name in NEEDS if name in said} == {n for n in NEEDS if NEEDS[n] in methods}
    if "rename" in said:
        assert said["rename"].endswith("class app::db (Integer $number = 1) {")
