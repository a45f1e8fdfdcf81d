"""A Forge and a repository for the tests of installing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from analyzer.cli import main
from tests.modules.forge_server import Forge, served

Install = Callable[..., tuple[int, str]]


@pytest.fixture
def forge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "CATGRAPH_FORGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("analyzer.session.repository.install.forge.WAITS", (0.01, 0.01))
    found = Forge()
    with served(found):
        yield found


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repo"
    (folder / "manifests").mkdir(parents=True)
    (folder / "manifests" / "site.pp").write_text("node default { }\n")
    (folder / ".git").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CATGRAPH_NO_CACHE", raising=False)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def install(repo: Path, forge: Forge, capsys: pytest.CaptureFixture[str]) -> Install:
    """Install what a Puppetfile declares; give the exit code, and both outputs."""

    def run(puppetfile: str, *options: str, forge_option: bool = True) -> tuple[int, str]:
        (repo / "Puppetfile").write_text(puppetfile)
        given = ["--forge", forge.url] if forge_option else []
        code = main(["modules", ".", "--install", *given, *options])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run
