"""What the folder of a site shows about its own modules and variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import fix, lint_inputs


def test_variables_in_the_paths_of_hiera_are_set(tmp_path: Path) -> None:
    """A node classifier sets them."""
    files = {
        "hiera.yaml": 'version: 5\nhierarchy:\n  - {name: x, path: "%{group}/%{::tier}.yaml"}\n',
        "manifests/site.pp": "include a\n",
        "modules/a/manifests/init.pp": 'class a { notify { "${group} ${tier} ${lost}": } }\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG111",)), fixes=False)).found
    assert [one.finding.message for one in found] == ["the class does not set '$lost'"]


def test_modules_beside_those_of_others_are_on_the_modulepath(tmp_path: Path) -> None:
    """An option of `puppet apply` names both folders; that of others is installed later."""
    files = {
        "manifests/site.pp": "include a\n",
        "local-modules/a/manifests/init.pp": "class a { }\n",
        "Puppetfile": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert check_inputs(Request((str(tmp_path),), Choice(), fixes=False)).found == []


def test_services_of_a_control_repo_wait_for_the_reload_of_units(tmp_path: Path) -> None:
    files = {
        "hiera.yaml": "version: 5\n",
        "manifests/site.pp": "include a\n",
        "modules/a/manifests/init.pp": (
            "class a {\n  exec { '/bin/systemctl daemon-reload': refreshonly => true }\n"
            "  Exec['/bin/systemctl daemon-reload'] -> Service <| |>\n}\n"
            "class b { notify { 'b': } -> Service <| |> }\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG102",)), fixes=False)).found
    assert [one.finding.span and one.finding.span.line for one in found] == [5]


def test_gaps_are_the_same_in_every_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below the current folder, the path of a module beside another one is a relative one."""
    code = {"a": "class a { include b }\n", "b": "class b { if $facts['x'] { notify { 'b': } } }\n"}
    for name, text in code.items():
        (tmp_path / f"site/{name}/manifests").mkdir(parents=True)
        (tmp_path / f"site/{name}/manifests/init.pp").write_text(text)
    found = []
    for folder in (tmp_path, tmp_path / "site/a"):
        monkeypatch.chdir(folder)
        lint = check_inputs(Request((str(tmp_path / "site"),), Choice(), fixes=False))
        found.append(fix(lint).results.gaps)
    assert found[0] == found[1]
    assert found[0]


@pytest.mark.parametrize("path", ["/srv/y", "/etc/x/y"])
def test_owners_in_a_list(path: str, tmp_path: Path) -> None:
    """Puppet 7.23 uses the first owner that exists."""
    code = "package { 'x': }\nfile { ['/etc/x', '/srv']: ensure => directory }\n"
    code += f"file {{ '{path}': owner => ['u', 'v'], group => ['g'] }}\n"
    (tmp_path / "site.pp").write_text(code)
    found = check_inputs(Request((str(tmp_path),), Choice(), fixes=False)).found
    assert "CG205" not in [one.finding.code for one in found]


def test_the_current_folder_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("include apt\n")
    (tmp_path / "modules").mkdir()
    monkeypatch.chdir(tmp_path)
    gaps = lint_inputs(Request((".",), Choice(), fixes=False)).results.gaps
    assert "this folder" in [gap.name for gap in gaps]
