"""The README and its pages show what the commands really print; `--update` writes them anew."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from analyzer.cli import main
from tests.oracle.harness import installed

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RULES = ROOT / "docs" / "rules.md"
BLOCK = re.compile(r"```console\n\$ catgraph (?P<arguments>[^\n]*)\n(?P<output>.*?)```", re.DOTALL)

# The Puppet of the pages about `verify`.
RECORDED_WITH = "7.23.0"

UPDATE = "if the new output is right: pytest tests/test_readme.py --update"

RULES_BEGIN = "<!-- What `catgraph rule --format markdown` prints. -->"
RULES_END = "<!-- The end of the rules. -->"


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the repository of blocks with revisions: `main`, and the branch `web` on disk."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_DATE", "2026-01-02T03:04:05Z")
    for side in ("before", "after"):
        shutil.copytree(ROOT / "sample_catalogs" / "branch" / side, tmp_path, dirs_exist_ok=True)
        user = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]
        branching = ["init", "-b", "main"] if side == "before" else ["checkout", "-b", "web"]
        for words in (branching, ["add", "-A"], ["commit", "-m", side]):
            subprocess.run(["git", "-C", tmp_path, *user, *words], check=True, capture_output=True)
    return tmp_path


def shown(arguments: str) -> str:
    """Return the output and the errors of a command, as they follow each other in a terminal."""
    screen = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(screen), redirect_stderr(screen):
        main(shlex.split(arguments))
    screen.seek(0)
    return screen.read()


@pytest.mark.parametrize(
    ("page", "arguments"),
    [
        pytest.param(page, block["arguments"], id=f"{page.stem}: {block['arguments']}")
        for page in PAGES
        for block in BLOCK.finditer(page.read_text())
    ],
)
def test_block(
    page: Path,
    arguments: str,
    update: bool,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if " --rev " in arguments:
        monkeypatch.chdir(request.getfixturevalue("branch"))
    if arguments.startswith("verify ") and (installed() or ("", ""))[1] != RECORDED_WITH:
        pytest.skip(f"needs Puppet {RECORDED_WITH}")
    output = shown(arguments)
    text = page.read_text()
    block = next(m for m in BLOCK.finditer(text) if m["arguments"] == arguments)
    if update:
        page.write_text(text[: block.start("output")] + output + text[block.end("output") :])
    else:
        assert block["output"] == output, UPDATE


def test_the_rules(update: bool) -> None:
    """The table is that of the rules."""
    text = RULES.read_text()
    head, _, rest = text.partition(f"{RULES_BEGIN}\n")
    table, _, tail = rest.partition(f"{RULES_END}\n")
    expected = f"\n{shown('rule --format markdown')}\n"
    if update:
        RULES.write_text(f"{head}{RULES_BEGIN}\n{expected}{RULES_END}\n{tail}")
    else:
        assert table == expected, UPDATE


def test_blocks_are_found() -> None:
    assert sum(len(BLOCK.findall(page.read_text())) for page in PAGES) >= 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)", page.read_text()):
        assert not target or (page.parent / target).exists(), target
