"""What a pull request accepts by itself: comments and entries of the baseline."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run

__all__ = ["run"]

pytestmark = [
    pytest.mark.usefixtures("one_world"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]

CYCLE = "notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }\n"
IGNORED = "# catgraph:ignore-file[CG] not now\n" + CYCLE


def git(*words: str) -> None:
    user = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *user, *words], check=True, capture_output=True)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose change adds a cycle, and a comment that accepts it."""
    top = tmp_path / "top"
    top.mkdir()
    monkeypatch.chdir(top)
    git("init", "-q", "-b", "main")
    Path("site.pp").write_text("notify { 'a': }\n")
    git("add", "-A")
    git("commit", "-q", "-m", "x")
    Path("site.pp").write_text(IGNORED)
    (tmp_path / "ours.toml").write_text("")
    return top


def test_a_comment_of_the_change_is_obeyed_unless_it_may_not_be(run: Run, site: Path) -> None:
    config = ("--config", site.parent / "ours.toml")
    assert run("lint", "site.pp", *config).code == 0
    for command in ("lint", "check"):
        done = run(command, "site.pp", "--no-comments", *config)
        assert (done.code, "(CG301)" in done.out) == (1, True)
    # The comment is not called unused: it would accept the finding.
    assert "CG001" not in run("lint", "site.pp", "--no-comments", "--select", "CG").out


def test_comments_that_a_change_adds_are_listed(run: Run, site: Path) -> None:
    said = "site.pp:1:1: the change adds a comment that accepts CG in this file: not now\n"
    done = run("lint", "site.pp", "--changed-since", "main")
    assert (done.code, done.err) == (0, said)
    done = run("lint", "site.pp", "--changed-since", "main", "--no-comments", "-f", "json")
    assert (done.code, done.err) == (1, said.replace("accepts", "would accept"))
    assert run("check", "site.pp", "--baseline-from", "main").err == said
    git("commit", "-q", "-a", "-m", "y")
    Path("site.pp").write_text(IGNORED + "notify { 'c': }\n")
    assert run("lint", "site.pp", "--changed-since", "HEAD").err == ""


def test_entries_that_a_change_adds_to_the_baseline_are_counted(run: Run, site: Path) -> None:
    Path("site.pp").write_text(CYCLE)
    assert run("lint", "site.pp", "--write-baseline", "known.json").code == 0
    done = run("lint", "site.pp", "--baseline", "known.json", "--changed-since", "main")
    assert (done.code, done.err) == (0, "known.json: the change adds 1 entry to the baseline\n")
    git("add", "known.json")
    git("commit", "-q", "-m", "z")
    done = run("lint", "site.pp", "--baseline", "known.json", "--changed-since", "HEAD")
    assert (done.code, done.err) == (0, "")
    outside = site.parent / "known.json"
    run("lint", "site.pp", "--write-baseline", outside)
    done = run("lint", "site.pp", "--baseline", outside, "--changed-since", "HEAD")
    assert (done.code, done.err) == (0, "")
