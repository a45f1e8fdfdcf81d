"""`--changed-since`: findings about lines that a branch changes, in real repositories."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.linter.changed import changed_lines
from tests.cli.conftest import Run, run
from tests.cli.site import SITE, write

__all__ = ["run"]

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.usefixtures("one_world"),
]

IDENTITY = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")

Found = Callable[..., list[str]]


def git(folder: Path, *words: str) -> None:
    """Run git in a repository."""
    subprocess.run(["git", *IDENTITY, *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, message: str = "x") -> None:
    """Commit everything."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the control repo in a commit, and a branch of it."""
    monkeypatch.chdir(write(tmp_path, SITE))
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "work")
    return tmp_path


@pytest.fixture
def found(run: Run) -> Found:
    """The files, lines and codes of what is found about changes since ``main``."""

    def call(*words: object, since: str = "main") -> list[str]:
        done = run("lint", *(words or ["."]), "--changed-since", since, "--format", "json")
        assert done.code in (0, 1), done.err
        findings = json.loads(done.out)["findings"]
        return [f"{Path(f['file']).name}:{f['line']} {f['code']}" for f in findings]

    return call


def edit(path: Path, old: str, new: str) -> None:
    """Change a text in a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_nothing_changed(repo: Path, found: Found) -> None:
    assert found() == []


def test_a_changed_line_committed_or_not(repo: Path, found: Found) -> None:
    edit(repo / "manifests/site.pp", "'] <- P", "']  <- P")
    assert found() == ["site.pp:5 CG101"]
    git(repo, "add", "-A")
    assert found() == ["site.pp:5 CG101"]
    commit(repo)
    assert found() == ["site.pp:5 CG101"]
    assert found(since="HEAD") == []


def test_lines_that_moved_are_not_changed(repo: Path, found: Found) -> None:
    site = repo / "manifests/site.pp"
    site.write_text("# one\n\n" + site.read_text())
    assert found() == []


def test_under_a_hook_of_another_repository(
    repo: Path, found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(repo / "manifests/site.pp", "'] <- P", "']  <- P")
    git(repo, "init", "-q", "--bare", "other.git")
    monkeypatch.setenv("GIT_DIR", str(repo / "other.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", "index")
    assert found("manifests") == ["site.pp:5 CG101"]


def test_a_change_within_a_statement(repo: Path, found: Found) -> None:
    init = repo / "modules/web/manifests/init.pp"
    edit(init, "'web': require => Class['web'] }", "'web':\n    require => Class['web'],\n  }")
    commit(repo)
    edit(init, "ensure => directory", "ensure  => directory")
    assert found(since="HEAD") == []  # Another resource.
    edit(init, "Class['web'],\n", "Class['web'],\n    ensure => running,\n")
    assert [one for one in found(since="HEAD") if "CG301" in one] == ["init.pp:5 CG301"]


def test_a_line_taken_out_of_a_statement(repo: Path, found: Found) -> None:
    text = (
        "package { 'ntp': }\n"
        "file { '/etc/ntp.conf':\n"
        "  ensure  => file,\n"
        "  require => Package['ntp'],\n"
        "  content => 'x',\n"
        "}\n"
        "service { 'ntp': require => Package['ntp'], subscribe => File['/etc/ntp.conf'] }\n"
    )
    write(repo, {"ntp.pp": text})
    commit(repo)
    assert found("ntp.pp", since="HEAD") == []
    edit(repo / "ntp.pp", "  require => Package['ntp'],\n", "")
    assert found("ntp.pp", since="HEAD") == ["ntp.pp:2 CG310"]


def test_the_first_line_taken_out(repo: Path, found: Found) -> None:
    site = repo / "manifests/site.pp"
    site.write_text("# one\n" + site.read_text())
    commit(repo)
    site.write_text(SITE["manifests/site.pp"])
    assert found(since="HEAD") == []


def test_a_file_that_git_does_not_know(repo: Path, found: Found) -> None:
    write(repo, {"new.pp": SITE["manifests/site.pp"].replace("include web", "")})
    assert found("new.pp") == ["new.pp:5 CG101"]
    write(repo, {".gitignore": "new.pp\n"})
    assert found("new.pp") == []


@pytest.mark.parametrize("name", ["a b.pp", "ä ö.pp", "x\ty.pp", 'q"uote\\.pp', " lead.pp"])
def test_names(repo: Path, found: Found, name: str) -> None:
    text = SITE["manifests/site.pp"].replace("include web", "")
    write(repo, {f"sub dir/{name}": text})
    assert found("sub dir") == [f"{name}:5 CG101"]
    commit(repo)
    assert found("sub dir") == [f"{name}:5 CG101"]
    assert found("sub dir", since="HEAD") == []
    edit(repo / "sub dir" / name, "'] <- P", "']  <- P")
    assert found("sub dir", since="HEAD") == [f"{name}:5 CG101"]


def test_a_renamed_file(repo: Path, found: Found) -> None:
    git(repo, "mv", "manifests/site.pp", "manifests/nodes.pp")
    assert found() == []
    edit(repo / "manifests/nodes.pp", "'] <- P", "']  <- P")
    assert found() == ["nodes.pp:5 CG101"]


def test_lines_that_look_like_a_patch(repo: Path, found: Found) -> None:
    site = repo / "manifests/site.pp"
    header = "$a = @(END)\n++ b/manifests/other.pp\n@@ -1 +1,9 @@\n-- a\n| END\n"
    site.write_text(header + SITE["manifests/site.pp"])
    assert found() == []


def test_from_another_folder(repo: Path, found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(repo / "manifests/site.pp", "'] <- P", "']  <- P")
    monkeypatch.chdir(repo / "modules" / "web")
    assert found("../..") == ["site.pp:5 CG101"]
    assert found(".") == []


def test_settings_of_the_user_do_not_matter(repo: Path, found: Found) -> None:
    for key, value in {
        "diff.noprefix": "false", "diff.mnemonicPrefix": "true", "color.ui": "always",
        "diff.interHunkContext": "50", "diff.context": "9", "diff.external": "false",
        "diff.renames": "false",
    }.items():  # fmt: skip
        git(repo, "config", key, value)
    edit(repo / "manifests/site.pp", "default {", "default  {")
    assert found() == []
    edit(repo / "manifests/site.pp", "'] <- P", "']  <- P")
    assert found() == ["site.pp:5 CG101"]


def test_what_cannot_be_compiled_is_always_told(repo: Path, run: Run) -> None:
    edit(repo / "manifests/site.pp", "include web", "include web assert_type(Integer, 'no')")
    commit(repo)
    done = run("lint", ".", "--changed-since", "HEAD")
    assert done.code == 3
    assert "(CG200)" in done.out


def test_a_baseline_is_not_stale_for_what_was_not_changed(repo: Path, run: Run) -> None:
    run("lint", ".", "--write-baseline", "known.json")
    options = ["--baseline", "known.json", "--fail-stale", "--changed-since", "main"]
    assert run("lint", ".", *options).code == 0


def test_errors(
    repo: Path, run: Run, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("lint", ".", "--changed-since", "nowhere")
    assert done.code == 2
    assert "error: --changed-since: there is no revision 'nowhere' here" in done.err
    assert done.err.count("\n") == 1
    assert run("lint", ".", "--changed-since", "--output=x").code == 2
    git(repo, "checkout", "-q", "--orphan", "lonely")
    commit(repo, "alone")
    assert "has no common ancestor with main" in run("lint", ".", "--changed-since", "main").err
    elsewhere = write(tmp_path_factory.mktemp("elsewhere"), SITE)
    done = run("lint", elsewhere, "--changed-since", "main")
    assert done.code == 2
    assert done.err.strip() == (
        f"{elsewhere}: error: --changed-since: this is not in the git repository of the working "
        f"folder, {repo}: run catgraph inside its repository (no-git)"
    )
    monkeypatch.chdir(elsewhere)
    done = run("lint", ".", "--changed-since", "main")
    assert "error: --changed-since: the working folder is in no git repository" in done.err
    monkeypatch.setenv("PATH", ".")
    assert "git cannot be run" in run("lint", ".", "--changed-since", "main").err


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a\nb\nc\n", "a\nb\nc\n", set()),
        ("a\nb\nc\n", "a\r\nb\r\nc\r\n", set()),
        ("a\nb\nc\n", "a\nx\ny\nc\n", {2, 3}),
        ("a\nb\nc\n", "a\nc\n", {1, 2}),
        ("a\nb\n", "b\n", {1}),
        ("a\nb\nc\nd\ne\n", "x\nb\nc\nd\ny\n", {1, 5}),
        ("", "a\n", {1}),
    ],
)
def test_lines_of_two_texts(before: str, after: str, lines: set[int]) -> None:
    assert changed_lines(before.encode(), after.encode()) == lines
