"""What cannot be read is never passed over: a closed folder, a pipe, a link that leads nowhere.

Puppet finds nothing in such a folder, and says nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.session.inputs import load_catalog

FILES = {
    "environment.conf": "modulepath = site:modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: all, path: common.yaml}\n",
    "data/common.yaml": "a::text: from data\n",
    "manifests/site.pp": "node default { include a }\n",
    "modules/a/manifests/init.pp": "class a($text = 'x') { notify { $text: } }\n",
    "modules/b/manifests/init.pp": "class b { notify { 'b': } }\n",
    "site/profile/manifests/web/tls.pp": "class profile::web::tls { notify { 'tls': } }\n",
}


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A control repo, which is the current folder, and a cache that nothing else uses."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.with_name("cache")))
    return tmp_path


def close(monkeypatch: pytest.MonkeyPatch, closed: Path) -> None:
    """Close a folder to this process; root may read folders of any mode."""
    scan = os.scandir

    def scandir(path: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        if os.path.realpath(path) == str(closed):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)


@pytest.mark.parametrize("folder", ["data", "modules/b", "site/profile/manifests/web"])
@pytest.mark.parametrize("command", ["lint", "cycles", "explore"])
def test_folder_is_a_gap(
    repo: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    command: str,
    folder: str,
) -> None:
    options = [command, "--jobs", "1", "."]
    assert main(options) == 0
    capfd.readouterr()
    with monkeypatch.context() as patch:
        close(patch, repo / folder)
        assert main(options) == 3
    assert f"incomplete: {folder}: cannot be read: Permission denied" in "".join(capfd.readouterr())
    assert main(options) == 0


@pytest.mark.parametrize("form", ["json", "html"])
def test_documents_of_explore_name_the_folder(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], form: str
) -> None:
    close(monkeypatch, repo / "modules/b")
    assert main(["explore", "--no-cache", "--jobs", "1", "--format", form, "."]) == 3
    printed = capfd.readouterr().out
    assert "modules/b" in printed
    assert "cannot be read: Permission denied" in printed


def test_compiled_catalog_names_the_folder(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close(monkeypatch, repo / "data")
    (gap,) = load_catalog(str(repo)).gaps
    assert gap.hides
    assert str(gap) == "data: cannot be read: Permission denied"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read any file")
def test_unreadable_manifest_says_why(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (repo / "modules/b/manifests/init.pp").chmod(0)
    assert main(["lint", "--jobs", "1", "."]) == 3
    assert "init.pp: error: cannot be read: Permission denied (CG200)" in capfd.readouterr().out


def test_link_to_nothing_and_pipe_are_errors(repo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    manifests = repo / "modules/b/manifests"
    (manifests / "gone.pp").symlink_to("nowhere")
    os.mkfifo(manifests / "pipe.pp")
    # Emacs locks a file with a link of this form.
    (manifests / ".#init.pp").symlink_to("root@host.1")
    assert main(["lint", "--jobs", "1", "."]) == 3
    printed = capfd.readouterr().out
    gone = "gone.pp: error: cannot be read: this is a link to nowhere, which does not exist"
    assert gone in printed
    assert "pipe.pp: error: cannot be read: not a regular file (CG200)" in printed
    assert "2 errors in" in printed
