"""The scripts of `catgraph completion`: each shell reads them, and bash completes with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

LOOP = ROOT / "sample_catalogs" / "require_loop" / "catalog.json"
SITE = "node 'web1.example.com' { notify { 'a': } }\nnode 'db.example.com' { notify { 'b': } }\n"


def script(run: Run, shell: str, folder: Path) -> Path:
    path = folder / f"catgraph.{shell}"
    path.write_text(run("completion", shell).out)
    return path


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_reads_its_script(run: Run, shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    path = script(run, shell, tmp_path)
    done = subprocess.run([program, "-n", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_apostrophes_end_no_text_of_fish(run: Run) -> None:
    text = run("completion", "fish").out
    for line in text.splitlines():
        assert line.replace("\\'", "").count("'") % 2 == 0, line
    # There is one: without it, the test shows nothing.
    assert "\\'" in text


@pytest.fixture
def catgraph(tmp_path: Path) -> Path:
    """A folder with the command, for the scripts."""
    command = tmp_path / "bin" / "catgraph"
    command.parent.mkdir()
    path = [str(ROOT), *(one for one in sys.path if one.endswith("-packages"))]
    command.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path[1:1] = {path!r}\n"
        "from analyzer.cli import main\nmain()\n"
    )
    command.chmod(0o755)
    return command.parent


WORDS = [
    ("lint --select CG30", ["CG301", "CG302", "CG305", "CG306", "CG307", "CG308", "CG309"]),
    ("rule CG40", ["CG401"]),
    ("cycles x --facts @debian-1", ["@debian-11", "@debian-12", "@debian-13"]),
    ("compile site.pp --node d", ["db.example.com"]),
    ("why catalog.json Packa", ["Package[app]"]),
    ("why site.pp Notify", ["Notify[b]"]),
    # Colons separate words.
    # Colons separate words: the shell keeps what is before the last one.
    ("graph nested.json --focus Class[A::", ["B]"]),
    ("graph nested.json --focus Class[A::B", ["B]"]),
    ("cycles --col", ["--color"]),
    ("cycles --color a", ["auto", "always"]),
    ("cycles cata", ["catalog.json"]),
]


def test_bash_completes(run: Run, catgraph: Path, tmp_path: Path) -> None:
    path = script(run, "bash", tmp_path)
    (tmp_path / "catalog.json").write_bytes(LOOP.read_bytes())
    (tmp_path / "site.pp").write_text(SITE)
    (tmp_path / "nested.json").write_text('{"resources": [{"type": "Class", "title": "A::B"}]}')
    asked = [f"source {path}"]
    for line, _ in WORDS:
        words = ["catgraph", *line.split()]
        # As bash splits them, with its usual COMP_WORDBREAKS.
        parts = [
            part for word in words for part in word.replace("::", "\0::\0").split("\0") if part
        ]
        text = f"catgraph {line}"
        array = " ".join(f"'{part}'" for part in parts)
        asked.append(
            f"COMP_WORDS=({array}) COMP_CWORD={len(parts) - 1} COMP_LINE='{text}' "
            f"COMP_POINT={len(text)}; _catgraph; (IFS='|'; echo \"${{COMPREPLY[*]}}\")"
        )
    done = subprocess.run(
        ["bash", "--norc", "-c", "\n".join(asked)],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{catgraph}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    answers = [line.split("|") for line in done.stdout.splitlines()]
    assert dict(zip([line for line, _ in WORDS], answers, strict=True)) == dict(WORDS)
