"""`catgraph diff --rev`: an input and its revisions in git."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from analyzer.session.repository.revisions import PREFIX, held

from .conftest import Run


def git(folder: Path, *arguments: str) -> None:
    user = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *user, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A control repo in two revisions and an edit, with facts that git does not know."""
    manifest = tmp_path / "manifests" / "site.pp"
    module = tmp_path / "modules" / "m" / "manifests" / "init.pp"
    for path in (manifest, module):
        path.parent.mkdir(parents=True)
    manifest.write_text("include m\nnotify { 'n': }\n")
    git(tmp_path, "init", "-q", "-b", "main")
    for number in (1, 2):
        module.write_text(f"class m {{ notify {{ 'm{number}': message => $facts['f'] }} }}\n")
        git(tmp_path, "add", "manifests", "modules")
        git(tmp_path, "commit", "-q", "-m", "x")
        git(tmp_path, "tag", f"v{number}")
    module.write_text("class m { notify { 'm3': message => $facts['f'] } }\n")
    (tmp_path / "facts.json").write_text('{"f": "1"}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def only(document: Any) -> tuple[list[str], list[str]]:
    (row,) = document
    lost, gained = ([r["ref"] for r in row[side]["resources"]] for side in ("lost", "gained"))
    return lost, gained


@pytest.mark.parametrize("path", [".", "manifests/site.pp"])
def test_revisions(run: Run, repository: Path, path: str) -> None:
    base = ("diff", path, "--facts", "facts.json", "--modulepath", "modules", "--format", "json")
    before = sorted(repository.rglob("*"))
    assert only(json.loads(run(*base, "--rev", "v1").out)) == (["Notify[m1]"], ["Notify[m3]"])
    assert only(json.loads(run(*base, "--rev", "HEAD").out)) == (["Notify[m2]"], ["Notify[m3]"])
    done = run(*base, "--rev", "v1..v2")
    assert (done.code, only(json.loads(done.out))) == (1, (["Notify[m1]"], ["Notify[m2]"]))
    assert [p for p in sorted(repository.rglob("*")) if ".git" not in p.parts] == [
        p for p in before if ".git" not in p.parts
    ]
    assert Path.cwd() == repository


def test_where_a_branch_left_another(run: Run, repository: Path) -> None:
    git(repository, "checkout", "-q", "-f", "-b", "topic", "v1")
    module = repository / "modules" / "m" / "manifests" / "init.pp"
    module.write_text("class m { notify { 'topic': } }\n")
    git(repository, "commit", "-q", "-a", "-m", "x")
    base = ("diff", ".", "--format", "json", "--rev")
    for asked in ("main...", "main...topic", "main...HEAD"):
        assert only(json.loads(run(*base, asked).out)) == (["Notify[m1]"], ["Notify[topic]"])
    for asked in ("main", "main..topic"):
        assert only(json.loads(run(*base, asked).out)) == (["Notify[m2]"], ["Notify[topic]"])
    done = run(*base, "zork...")
    assert (done.code, "there is no revision 'zork' here" in done.err) == (2, True)


def test_places_of_a_revision(run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("diff", ".", "--rev", "v1", "--facts", "facts.json")
    assert done.out.startswith("A, v1: catalog of ")
    assert "B, now: catalog of " in done.out
    assert "  Notify[m1]  modules/m/manifests/init.pp:1" in done.out
    monkeypatch.chdir(repository / "modules")
    inner = run("diff", "..", "--rev", "v1", "--facts", "../facts.json")
    assert "Notify[m1]  ../modules/m/manifests/init.pp:1" in inner.out
    monkeypatch.chdir("/")
    outer = run("diff", repository, "--rev", "v1", "--facts", repository / "facts.json")
    assert (outer.code, "working folder is in no git repository" in outer.err) == (2, True)


def test_revisions_that_are_none(run: Run, repository: Path, tmp_path: Path) -> None:
    done = run("diff", "--rev", "zork", ".")
    assert (done.code, "there is no revision 'zork' here" in done.err) == (2, True)
    done = run("diff", "--rev", "--output=x", ".")
    assert done.code == 2
    done = run("diff", "--rev", "v1", "facts.json")
    assert (done.code, "not found in revision v1" in done.err) == (2, True)
    assert run("diff", "--rev", "v1", "nowhere/site.pp").code == 2
    assert run("diff", "--rev", "v1", ".", ".").code == 2
    assert run("diff", ".").code == 2
    assert Path.cwd() == repository


UNKNOWN = "class m { file { '/a': content => template('m/a.erb') } }\n"


def test_unknown_values_of_an_unchanged_tree(run: Run, repository: Path) -> None:
    module = repository / "modules" / "m" / "manifests" / "init.pp"
    template = repository / "modules" / "m" / "templates" / "a.erb"
    template.parent.mkdir()
    module.write_text(UNKNOWN)
    template.write_text("<%= 1 %>")
    (repository / ".gitignore").write_text("facts.json\n")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "x")
    git(repository, "commit", "-q", "--allow-empty", "-m", "x")
    base = ("diff", ".", "--facts", "facts.json", "--modulepath", "modules", "--rev")
    for same in ("main", "HEAD~1..HEAD", "HEAD~1"):
        done = run(*base, same)
        assert (done.code, done.out.splitlines()[3:]) == (0, ["no difference"])
    template.write_text("<%= 2 %>")
    assert "may differ (unknown values): 1 parameter" in run(*base, "main").out
    git(repository, "checkout", "-q", ".")
    (repository / "modules" / "m" / "templates" / "b.erb").write_text("")
    assert "may differ (unknown values): 1 parameter" in run(*base, "main").out


def test_folders_of_revisions_that_were_left(
    run: Run,
    repository: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = tmp_path_factory.mktemp("tmp")
    monkeypatch.setattr("tempfile.tempdir", str(place))
    left, at_work, new, other = (place / f"{PREFIX}{name}" for name in "abcd")
    for folder in (left, at_work, new):
        (folder / "manifests").mkdir(parents=True)
        (folder / "manifests" / "link").symlink_to(repository)
    other.symlink_to(repository)
    for folder in (left, at_work):
        os.utime(folder, (0, 0))
    with held(str(at_work)):
        assert run("diff", ".", "--rev", "v1", "--facts", "facts.json").code == 1
    assert [path.exists() for path in (left, at_work, new, other)] == [False, True, True, True]
