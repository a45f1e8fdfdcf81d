"""Versions that do not fit: the Puppetfile, the metadata of other modules, and Puppet itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main


def module(repo: Path, full: str, version: str, requires: str = "", **needs: str) -> None:
    """Write a module with its metadata, one entry a line."""
    folder = repo / "modules" / full.partition("-")[2]
    (folder / "manifests").mkdir(parents=True, exist_ok=True)
    rows = [{"name": f"acme/{name}", "version_requirement": text} for name, text in needs.items()]
    document = {"name": full, "version": version, "dependencies": rows}
    if requires:
        document["requirements"] = [{"name": "puppet", "version_requirement": requires}]
    (folder / "metadata.json").write_text(json.dumps(document, indent=1))


def bounds(repo: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[str, str]]:
    """Return the kinds and messages of the versions that do not fit."""
    capsys.readouterr()
    code = main(["modules", str(repo), "--format", "json", *options])
    rows = json.loads(capsys.readouterr().out)["mismatches"]
    assert code == int(bool(rows))
    return [(row["kind"], row["message"]) for row in rows]


@pytest.fixture
def repo(repo: Path) -> Path:
    module(repo, "acme-a", "1.0.0", b=">= 2.0.0 < 3.0.0")
    module(repo, "acme-b", "2.1.0")
    (repo / "Puppetfile").write_text("mod 'acme-a', '1.0.0'\nmod 'acme-b', '2.1.0'\n")
    return repo


def test_all_fit(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bounds(repo, capsys) == []


def test_unmet(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(repo, "acme-a", "1.0.0", b=">= 2.2.0", c="1.x")
    assert bounds(repo, capsys) == [
        ("unmet", "a requires b >= 2.2.0, not 2.1.0"),
        ("unmet", "a requires c 1.x, which is neither declared nor installed"),
    ]


def test_outdated(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / "Puppetfile").write_text("mod 'acme-a', '1.1.0'\nmod 'acme-b', '2.x'\n")
    assert bounds(repo, capsys) == [("outdated", "acme-a 1.1.0 is wanted, 1.0.0 is installed")]


def test_conflicting(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(repo, "acme-b", "2.1.0", c="< 2.0.0")
    module(repo, "acme-a", "1.0.0", c=">= 2.0.0")
    (repo / "Puppetfile").write_text("mod 'acme-a', '1.0.0'\nmod 'acme-b'\nmod 'acme-c', '2.0.0'\n")
    capsys.readouterr()
    assert main(["modules", str(repo), "--format", "json"]) == 1
    rows = json.loads(capsys.readouterr().out)["mismatches"]
    assert [row["message"] for row in rows] == [
        "b requires c < 2.0.0, not 2.0.0",
        "no version of c is in both >= 2.0.0 (a) and < 2.0.0 (b)",
    ]


def test_the_version_of_puppet(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(repo, "acme-b", "2.1.0", requires=">= 4.7.0 < 7.0.0")
    message = "b requires puppet >= 4.7.0 < 7.0.0, not Puppet 8 (--puppet-version N)"
    assert bounds(repo, capsys) == [("puppet", message)]
    assert bounds(repo, capsys, "--puppet-version", "6") == []


def test_metadata_that_is_wrong(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(repo, "acme-b", "2.1.0", a="about 3")
    message = "b requires acme/a 'about 3', which is no range of versions"
    assert bounds(repo, capsys) == [("unreadable", message)]
    for text in ("{", "[]", '{"dependencies": [1, {}], "version": 3}', '"x"'):
        (repo / "modules/b/metadata.json").write_text(text)
        wrong = [("unreadable", "this is not JSON")] if text == "{" else []
        assert bounds(repo, capsys) == wrong
