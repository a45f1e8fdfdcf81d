"""Typical mistakes on the command line: each message says what is wrong and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

WEB = str(ROOT / "sample_catalogs" / "healthy_web_stack" / "catalog.json")
SITE = "node 'web1.example.com' { notify { 'a': } }\n"
NOWHERE = "cannot be read: this is a link to nowhere, which does not exist"
# `...` stands for any text.
MISTAKES = {
    f"cycles {WEB} --ndoe x": "unrecognized arguments: --ndoe x; did you mean --node?",
    f"cycles {WEB} --formt=json": "unrecognized arguments: --formt=json; did you mean --format?",
    f"cycles {WEB} --zork": "unrecognized arguments: --zork",
    f"cycles {WEB} --format jsno": "invalid choice: 'jsno' (choose ...); did you mean 'json'?",
    f"apply {WEB} --fail File[/nope]": (
        "File[/nope] is not in the catalog, which has File[/...], File[/...], File[/...], 17 more"
    ),
    f"apply {WEB} --fail Zork[/nope]": "Zork[/nope] is not in the catalog, which has no Zork",
    f"impact {WEB} Pakage[nginx]": "is not in the catalog; did you mean Package[...]",
    f"why {WEB} File[/a]": (
        f"{WEB} has no code that explains File[/a]: give manifests, or a second reference; "
        f"'catgraph impact {WEB} File[/a]' shows what waits for it"
    ),
    f"why {WEB} A[a] B[b] C[c]": (
        f"expected two references, got 3: A[a], B[b], C[c]; ask about two: 'catgraph why {WEB} "
        "A[a] B[b]'"
    ),
    "why A[a] B[b]": "expected one INPUT and two references such as File[/etc/motd]; inputs: none",
    f"order {WEB} --times nope": "nope: error: cannot be read: No such file or ... (bad-report)",
    "cycles dangling.json": NOWHERE,
    "compile dangling.pp": NOWHERE,
    "lint dangling.pp": NOWHERE,
    "parse dangling.pp": "dangling.pp: this is a link to nowhere, which does not exist",
    "compile site.pp --facts dangling.json": NOWHERE,
    "compile site.pp --node web1": "(cannot-compile)\n  did you mean web1.example.com?",
    "compile site.pp --node wbe1.example.com": "did you mean web1.example.com?",
    "diff --rev main elsewhere": (
        "the working folder is in no git repository, and no other one is asked: run catgraph "
        "inside the repository of the input"
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dangling.json").symlink_to("nowhere")
    (tmp_path / "dangling.pp").symlink_to("nowhere")
    (tmp_path / "site.pp").write_text(SITE)
    (tmp_path / "elsewhere" / ".git").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("line", MISTAKES)
def test_messages(run: Run, folder: Path, line: str) -> None:
    done = run(*line.split())
    assert done.code in (2, 3)
    pattern = re.escape(MISTAKES[line]).replace(r"\.\.\.", ".*")
    assert re.search(pattern, done.out + done.err), done.err


def test_a_node_without_its_domain(run: Run, folder: Path) -> None:
    (folder / "site.pp").write_text(SITE + "node default { }\n")
    done = run("compile", "site.pp", "--node", "web1")
    assert (done.code, done.err) == (
        0,
        "site.pp: warning: no node block is named 'web1', so that it gets the one of 'default'; "
        "did you mean web1.example.com?\n",
    )
    for node in ("web1.example.com", "web2", "web"):
        assert run("compile", "site.pp", "--node", node).err == ""
