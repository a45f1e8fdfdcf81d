"""Modules that are submodules of git, and types that Puppet moved to modules of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.frontends.puppet.node.declared import declared_at

SUBMODULES = """[submodule "stdlib"]
\tpath = puppet/modules/stdlib
\turl = https://git.example.com/stdlib.git
[submodule "theme"]
\tpath = puppet/modules/web/files/theme
\turl = https://git.example.com/theme.git
[submodule "my-notes"]
  path = my-notes
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout whose submodule was not fetched: git leaves its folder empty."""
    (tmp_path / ".gitmodules").write_text(SUBMODULES)
    (tmp_path / "puppet/modules/stdlib").mkdir(parents=True)
    (tmp_path / "puppet/manifests").mkdir()
    (tmp_path / "puppet/manifests/site.pp").write_text("include stdlib\n")
    return tmp_path


def test_modules_of_a_checkout(checkout: Path) -> None:
    (module,) = declared_at(str(checkout)).modules.values()
    assert (module.name, module.path) == ("stdlib", "puppet/modules")
    assert (module.source, module.span.line) == ("https://git.example.com/stdlib.git", 1)


def test_an_empty_file_declares_none(tmp_path: Path) -> None:
    (tmp_path / ".gitmodules").write_text("")
    assert declared_at(str(tmp_path)).modules == {}


@pytest.mark.parametrize("command", ["cycles", "lint"])
def test_what_is_not_fetched_is_one_line(
    command: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([command, str(checkout)])
    out, err = capsys.readouterr()
    assert "1 module of .gitmodules is not installed: stdlib" in out
    assert "git submodule update --init" in out
    assert "error" not in out + err


def test_modules_says_how_to_fetch_them(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["modules", str(checkout)]) == 1
    assert "run `git submodule update --init`" in capsys.readouterr().out


def test_librarian_leaves_a_lock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "Puppetfile").write_text("mod 'a/stdlib'\n")
    (tmp_path / "Puppetfile.lock").write_text("")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("include stdlib\n")
    main(["lint", str(tmp_path)])
    main(["modules", str(tmp_path)])
    out = capsys.readouterr().out
    assert "run librarian-puppet install, or" in out
    assert "run `librarian-puppet install`" in out


def test_a_fetched_module_is_there(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifests = checkout / "puppet/modules/stdlib/manifests"
    manifests.mkdir()
    (manifests / "init.pp").write_text("class stdlib { }")
    assert main(["cycles", str(checkout)]) == 0
    assert main(["modules", str(checkout)]) == 0


NAGIOS = """@@nagios_host { 'a': notify => Notify['b'] }
Nagios_host <<| |>>
Nagios_service <| |> -> Notify['b']
Nagios_host { owner => 'x' }
notify { 'b': }
"""


def test_a_type_that_moved_is_of_its_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(NAGIOS)
    main(["lint", str(tmp_path)])
    out = capsys.readouterr().out
    assert "1 module is not installed: nagios_core" in out
    assert "puppet module install puppetlabs-nagios_core" in out
    assert "error" not in out
    assert main(["cycles", str(tmp_path), "--strict"]) != 0
    assert "Unknown resource type: 'nagios_host'" in capsys.readouterr().err
