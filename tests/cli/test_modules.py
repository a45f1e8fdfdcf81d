"""`catgraph modules`: what a repository declares, has, lacks and uses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.frontends.puppet.node.declared import declared_at
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.session.repository.modules import inventory_of

PUPPETFILE = """\
forge 'https://forge.puppet.com'
moduledir 'external'   # where r10k puts them

mod 'puppetlabs-stdlib', '9.0.0'
mod "puppetlabs/apt", :latest
# mod 'puppet-commented', '1.0.0'
mod 'ours',
  :git    => 'https://git.example.com/ours#x.git',
  :branch => 'main' # mod 'puppet-no'
mod('puppet-nginx', '5.0.0')
mod 'short', git: 'git@git.example.com:short', tag: "v1", install_path: 'elsewhere'
mod computed_name, '1.0.0'
mod 'puppet-unused'
"""


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "Puppetfile": PUPPETFILE,
        "environment.conf": "modulepath = site:external\n",
        "manifests/site.pp": (
            "include apt, profile::web\n"
            "file_line { 'a': path => '/a', line => 'b' }\n"
            "vcsrepo { '/srv': ensure => present, provider => git }\n"
            "nosuch::thing { 'a': }\n"
            "class local { }\n"
            "include local\n"
        ),
        "site/profile/manifests/web.pp": (
            "class profile::web (Stdlib::Port $port = 80) {\n"
            "  contain nginx\n"
            "  Apt::Source <| |> -> Package <| |>\n"
            "}\n"
        ),
        "external/ours/manifests/init.pp": "class ours { include deeper }\n",
        "data/common.yaml": "classes:\n  - short\nlookup_options: {}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_puppetfile(repo: Path) -> None:
    found = declared_at(str(repo))
    assert found.folder == "external"
    assert [(m.full, m.version, m.source, m.span.line) for m in found.modules.values()] == [
        ("puppetlabs-stdlib", "9.0.0", "", 4),
        ("puppetlabs-apt", "", "", 5),
        ("ours", "main", "https://git.example.com/ours#x.git", 7),
        ("puppet-nginx", "5.0.0", "", 10),
        ("short", "v1", "git@git.example.com:short", 11),
        ("puppet-unused", "", "", 13),
    ]


@pytest.mark.usefixtures("repo")
def test_the_inventory(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["modules"]) == 1
    assert capsys.readouterr().out == (
        "6 modules declared in Puppetfile, 5 not installed\n"
        "not installed:\n"
        "  puppetlabs-stdlib 9.0.0  Puppetfile:4"
        "  used: file_line (manifests/site.pp:2:1), "
        "stdlib::port (site/profile/manifests/web.pp:1:21)\n"
        "  puppetlabs-apt  Puppetfile:5"
        "  used: apt (manifests/site.pp:1:9), apt::source (site/profile/manifests/web.pp:3:3)\n"
        "  puppet-nginx 5.0.0  Puppetfile:10  used: nginx (site/profile/manifests/web.pp:2:11)\n"
        "  short v1  Puppetfile:11\n"
        "  puppet-unused  Puppetfile:13\n"
        "  to install them, run `r10k puppetfile install`, or `catgraph modules --install`\n"
        "used, but neither declared nor installed:\n"
        "  nosuch: nosuch::thing (manifests/site.pp:4:1)\n"
        "  vcsrepo: vcsrepo (manifests/site.pp:3:1)\n"
        "declared, but not used by name (another module may need them):\n"
        "  ours  Puppetfile:7\n"
        "  puppet-unused  Puppetfile:13\n"
    )


@pytest.mark.usefixtures("repo")
def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["modules", ".", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["missing"] == ["apt", "nginx", "short", "stdlib", "unused"]
    assert found["unused"] == ["ours", "unused"]
    assert list(found["undeclared"]) == ["nosuch", "vcsrepo"]
    installed = {module["name"]: module["installed"] for module in found["declared"]}
    assert installed["ours"] == "external/ours"
    assert installed["apt"] is None


def test_nothing_is_missing(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / "Puppetfile").write_text("mod 'ours', :local => true\n")
    (repo / "manifests" / "site.pp").write_text("include ours\n")
    (repo / "site/profile/manifests/web.pp").write_text("class profile::web { }\n")
    assert main(["modules"]) == 0
    assert capsys.readouterr().out == "1 module declared in Puppetfile, 0 not installed\n"


@pytest.mark.parametrize("text", ["{", "[]", '{"dependencies": [1, {"name": 5}, {}]}', '"x"'])
def test_metadata_that_is_none(repo: Path, text: str) -> None:
    (repo / "Puppetfile").unlink()
    (repo / "metadata.json").write_text(text)
    (repo / ".fixtures.yml").write_text("fixtures: [1]\n")
    assert declared_at(str(repo)).modules == {}


def test_dependencies_and_fixtures(repo: Path) -> None:
    (repo / "Puppetfile").unlink()
    (repo / "metadata.json").write_text(
        '{"dependencies": [{"name": "puppet/systemd", "version_requirement": ">= 4 < 9"}]}'
    )
    (repo / ".fixtures.yml").write_text(
        "fixtures:\n"
        "  forge_modules:\n"
        "    apt: {repo: 'puppetlabs/apt', ref: '9.1.0'}\n"
        "    yum: puppet/yum\n"
        "  repositories:\n"
        "    local: 'https://git.example.com/local.git'\n"
        "  symlinks: {me: '#{source_dir}'}\n"
    )
    found = declared_at(str(repo)).modules.values()
    assert [(m.full, m.version, m.source) for m in found] == [
        ("puppet-systemd", ">= 4 < 9", ""),
        ("puppetlabs-apt", "9.1.0", ""),
        ("puppet-yum", "", ""),
        ("local", "", "https://git.example.com/local.git"),
    ]


def test_the_cost_does_not_grow_with_uses_times_modules(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        (repo / f"site/m{number}/manifests").mkdir(parents=True)
        (repo / f"site/m{number}/lib/puppet/type").mkdir(parents=True)
        (repo / f"site/m{number}/lib/puppet/type/of{number}.rb").touch()
    asked: list[str] = []
    exists = os.path.exists

    def counted(path: str) -> bool:
        asked.append(path)
        return exists(path)

    monkeypatch.setattr(os.path, "exists", counted)
    numbers = []
    for size in (20, 200):
        uses = "".join(f"other{n} {{ 'a': }}\nof{n} {{ 'a': }}\n" for n in range(size))
        (repo / "manifests/uses.pp").write_text(uses)
        asked.clear()
        assert "of3" not in inventory_of(".", Settings()).used
        numbers.append(len(asked))
    assert numbers[1] < numbers[0] + 100
