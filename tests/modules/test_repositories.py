"""Modules from repositories of git: references, protocols, and nothing of them that runs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from analyzer.git_fetch import protocol_of
from tests.modules.conftest import Install

ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{
        f"GIT_{who}_{what}": "a@b.example"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    },
}


def git(folder: Path, *words: str) -> str:
    """Run git in a folder."""
    env = {**os.environ, **ENVIRONMENT}
    command = ["git", "-c", "init.defaultBranch=main", "-C", str(folder), *words]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=env
    ).stdout.strip()


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module with a tag `v1`, a branch `side` and a newer `main`."""
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    folder = tmp_path / "source"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, "one")
    git(folder, "tag", "v1")
    git(folder, "branch", "side")
    commit(folder, "two")
    return folder


def commit(folder: Path, text: str, **files: str) -> None:
    """Commit a version of a module."""
    for name, content in {"manifests/init.pp": f"class a {{ }} # {text}\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", text)


def text_of(repo: Path) -> str:
    """Return the word that the installed version has."""
    return (repo / "modules/a/manifests/init.pp").read_text().split()[-1]


def test_references(install: Install, repo: Path, source: Path) -> None:
    first, last = git(source, "rev-parse", "v1"), git(source, "rev-parse", "main")
    for options, word in {
        "": "two",
        ":tag => 'v1'": "one",
        ":ref => 'v1'": "one",
        ":branch => 'side'": "one",
        ":branch => 'main'": "two",
        f":commit => '{first}'": "one",
        f":ref => '{last[:9]}'": "two",
        f":ref => '{first[:9]}'": "one",
        ":branch => 'gone', :default_branch => 'side'": "one",
        ":branch => :control_branch, :default_branch => 'side'": "one",
    }.items():
        more = f", {options}" if options else ""
        line = f"mod 'a', :git => 'file://{source}'{more}\n"
        code, printed = install(line, "--force", "--protocol", "file", forge_option=False)
        assert (code, text_of(repo)) == (0, word), (options, printed)
    code, printed = install(
        f"mod 'a', :git => '{source}', :branch => 'gone'\n",
        *("--force", "--protocol", "file"),
        forge_option=False,
    )
    assert code == 2
    assert "couldn't find remote ref gone" in printed
    assert text_of(repo) == "one"


def test_a_commit_comes_from_the_cache(install: Install, repo: Path, source: Path) -> None:
    line = f"mod 'a', :git => '{source}', :ref => '{git(source, 'rev-parse', 'v1')}'\n"
    allowed = ("--protocol", "file", "--force")
    assert install(line, *allowed, forge_option=False)[0] == 0
    source.rename(source.with_name("moved"))
    assert install(line, *allowed, forge_option=False)[0] == 0
    assert text_of(repo) == "one"


@pytest.mark.parametrize(
    ("source", "protocol"),
    [
        ("https://git.example.com/a", "https"),
        ("http://git.example.com/a", "http"),
        ("git://git.example.com/a", "git"),
        ("ssh://git@git.example.com/a", "ssh"),
        ("git@git.example.com:a/b", "ssh"),
        ("git.example.com:a/b", "ssh"),
        ("file:///srv/a", "file"),
        ("/srv/a", "file"),
        ("../a:b", "file"),
        ("ext::sh -c date", "ext"),
        ("fd::3", "fd"),
        ("::x", "helper"),
        ("-u./evil", "file"),
    ],
)
def test_protocols(source: str, protocol: str) -> None:
    assert protocol_of(source) == protocol


@pytest.mark.parametrize(
    "address", ["ext::sh -c 'touch MARK'", "/srv/a", "git@127.0.0.1:a", "http://127.0.0.1:1/a"]
)
def test_a_protocol_that_is_not_allowed(install: Install, repo: Path, address: str) -> None:
    text = address.replace("MARK", str(repo / "mark"))
    code, printed = install(f'mod "a", :git => "{text}"\n', forge_option=False)
    assert code == 2
    assert "--protocol" in printed
    code, printed = install(f'mod "a", :git => "{text}"\n', "--protocol", "ext", forge_option=False)
    assert code == 2
    assert not (repo / "mark").exists()


@pytest.mark.parametrize("name", ["--upload-pack=touch x", "-x", "a:b", "+a", "a..b", "@{-1}"])
def test_a_reference_that_is_no_name(install: Install, repo: Path, source: Path, name: str) -> None:
    line = f"mod 'a', :git => '{source}', :ref => '{name}'\n"
    code, printed = install(line, "--protocol", "file", forge_option=False)
    assert code == 2
    assert "is no name of a branch, tag or commit" in printed


def test_nothing_of_a_fetched_repository_runs(
    install: Install, repo: Path, source: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    program = f"touch {mark}; cat"
    hooks = source / ".git" / "hooks"
    for name in ("post-checkout", "pre-receive", "upload-pack", "post-upload-pack"):
        (hooks / name).write_text(f"#!/bin/sh\n{program}\n")
        (hooks / name).chmod(0o755)
    commit(
        source,
        "evil",
        **{
            ".gitattributes": "* filter=evil\n*.bin filter=lfs\n",
            ".gitmodules": f"[submodule 'x']\n path = x\n url = ext::sh -c '{program}'\n",
            "large.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "Rakefile": f"`{program}`\n",
            "hooks/post-checkout": f"#!/bin/sh\n{program}\n",
        },
    )
    git(source, "config", "filter.evil.smudge", program)
    git(source, "config", "core.fsmonitor", program)
    git(source, "config", "uploadpack.packObjectsHook", program)
    line = f"mod 'a', :git => 'file://{source}'\n"
    assert install(line, "--protocol", "file", forge_option=False)[0] == 0
    assert text_of(repo) == "evil"
    assert (repo / "modules/a/large.bin").read_text().startswith("version ")
    assert not mark.exists()
    assert not (repo / "modules/a/.git").exists()


def test_a_link_that_leads_out(install: Install, repo: Path, source: Path) -> None:
    os.symlink("../../..", source / "evil")
    commit(source, "link")
    line = f"mod 'a', :git => '{source}'\n"
    code, printed = install(line, "--protocol", "file", forge_option=False)
    assert code == 2
    assert "the link evil leads out of the module's folder" in printed
    assert os.listdir(repo / "modules") == []


def test_what_is_not_fetched(install: Install) -> None:
    text = "mod 'a', :svn => 'https://svn.example.com/a'\nmod 'b', :git => :nothing\nmod 'c'\n"
    code, printed = install(text, forge_option=False)
    assert code == 2
    assert "a: Subversion is not supported" in printed
    assert "'c' needs an owner (OWNER/c), or :git or :local" in printed
