"""`catgraph tui INPUT --against REV|INPUT`: differences, and two runs in step."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tui.dsl import script
from tui.run.paired_runs import RunTurn, paired

OLD = """
package { 'nginx': ensure => present }
-> file { '/etc/nginx.conf': content => 'a' }
user { 'old': ensure => present }
"""
NEW = """
user { 'new': ensure => present }
-> package { 'nginx': ensure => present }
-> file { '/etc/nginx.conf': content => 'b' }
"""
SEEN = """
open site.pp
press 6
expect screen against
expect text added: 1 resource
expect text removed: 1 resource
expect text 3 steps differ, 1 up to here
expect text never applies it
expect selection User[new]
press n
expect text 3 steps differ, 2 up to here
expect selection File[/etc/nginx.conf]
expect text step 2, changed
press n n
expect told this is the last difference
press S S
expect row Package[nginx]
expect text both runs do the same here
press N
expect selection User[new]
"""


def signs(first: str, second: str) -> str:
    """Return `a=b` pairs of two runs, a letter for each resource."""
    one, other = ([RunTurn(name, 1, "changed", ()) for name in names] for names in (first, second))
    return " ".join(f"{pair.name}{pair.sign}" for pair in paired(one, other))


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        ("abc", "abc", "a b c"),
        ("abc", "xabc", "x> a b c"),
        ("abc", "ac", "a b< c"),
        ("abcd", "bcda", "a< b c d a>"),
        ("", "a", "a>"),
        # The agent comes back to a promise.
        ("aba", "abaa", "a b a a>"),
    ],
)
def test_pairs(first: str, second: str, pairs: str) -> None:
    assert signs(first, second) == pairs


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def test_against_an_input(tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text(NEW)
    (tmp_path / "old.pp").write_text(OLD)
    script(f"with against old.pp\n{SEEN}", tmp_path)


@pytest.mark.slow
def test_against_a_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site.pp").write_text(OLD)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "old")
    (tmp_path / "site.pp").write_text(NEW)
    script(f"with against main\n{SEEN}", tmp_path)


@pytest.mark.parametrize(
    ("against", "told"),
    [("no-such-revision", "--against"), ("sample", "choose one with --node")],
)
def test_nothing_to_compare_with(
    against: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q")
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "nodes.pp").write_text("node a { } node b { }")
    (tmp_path / "site.pp").write_text(NEW)
    script(f"with against {against}\nopen site.pp\nexpect text {told}", tmp_path)


@pytest.mark.slow
def test_without_another(tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text(NEW)
    script("open site.pp\nexpect no Compare\npress 6\nexpect told --against REV", tmp_path)
