"""`catgraph upgrade --puppetfile`: the modules of the target's Puppetfile."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from analyzer.cli import main
from tests.modules.forge_server import Forge

OLD = "mod 'a-lib', '1.0.0'\nmod 'a-gone', '1.0.0'\nmod 'a-same', '1.x'\n"
NEW = "mod 'a-lib', '2.0.0'\nmod 'a-same', '1.x'\n"
BODIES = {
    "lib": "notify { 'a': } ~> exec { '/bin/b': refreshonly => true }",
    "gone": "",
    "same": "",
}
TARGET = ("--to", "puppet-8", "--facts", "@debian-12", "--format", "json")


def put_module(folder: Path, name: str, version: str, body: str) -> None:
    (folder / name / "manifests").mkdir(parents=True)
    (folder / name / "metadata.json").write_text(
        json.dumps({"name": f"a-{name}", "version": version})
    )
    (folder / name / "manifests/init.pp").write_text(f"class {name} {{ {body} }}\n")


@pytest.fixture
def site(repo: Path) -> Path:
    """Return a repository with modules, a Puppetfile, and another one for the target."""
    (repo / "environment.conf").write_text("modulepath = modules\n")
    for name, body in BODIES.items():
        put_module(repo / "modules", name, "1.0.0", body)
    (repo / "Puppetfile").write_text(OLD)
    (repo / "Puppetfile.new").write_text(NEW)
    nodes = "node a { include lib, same } node b { include gone }"
    (repo / "manifests/site.pp").write_text(nodes)
    return repo


def upgraded(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[dict[str, set[str]], str]:
    """Return the messages of causes by group, and the gaps, of an upgrade to Puppetfile.new."""
    capsys.readouterr()
    main(["upgrade", ".", *TARGET, "--puppetfile", "Puppetfile.new", *options])
    document = json.loads(capsys.readouterr().out)
    found: dict[str, set[str]] = {}
    for one in document["causes"]:
        found.setdefault(one["group"], set()).add(one["message"])
    return found, "\n".join(document["gaps"])


@pytest.mark.usefixtures("site")
def test_modules_that_are_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    found, gaps = upgraded(capsys)
    assert found == {"breaks": {"Could not find class ::gone"}}
    assert "a-lib 2.0.0 at Puppetfile.new:1 is not installed: 1.0.0 is compared" in gaps
    assert "same" not in gaps


def test_modules_of_a_folder(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = BODIES["lib"].replace("~>", "->")
    put_module(site / "new", "lib", "2.0.0", body)
    found, gaps = upgraded(capsys, "--to-modulepath", "new")
    assert "refresh lost: Notify[a] => Exec[/bin/b] (~>)" in found["order"]
    assert not gaps
    put_module(site / "other", "lib", "1.5.0", body)
    _, gaps = upgraded(capsys, "--to-modulepath", "other")
    assert "a-lib 2.0.0 at Puppetfile.new:1 is not installed: 1.5.0 is compared" in gaps


def test_a_module_of_git(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Metadata do not say which commit a folder is from: the site's one may be another."""
    for file, tag in (("Puppetfile", "v1"), ("Puppetfile.new", "v2")):
        line = f"mod 'lib', git: 'https://git.example.com/lib', tag: '{tag}'\n"
        (site / file).write_text(f"{line}mod 'a-gone', '1.0.0'\n")
    assert "lib v2 at Puppetfile.new:1 is not installed" in upgraded(capsys)[1]
    put_module(site / "new", "lib", "1.0.0", BODIES["lib"])
    assert not upgraded(capsys, "--to-modulepath", "new")[1]


def test_absent_modules_are_installed(
    site: Path, forge: Forge, capsys: pytest.CaptureFixture[str]
) -> None:
    forge.add("a-lib", "2.0.0")
    found, gaps = upgraded(capsys, "--install", "--to-modulepath", "new", "--forge", forge.url)
    assert os.listdir(site / "new") == ["lib"]
    assert any("Notify[a]" in one for one in found["changes"])
    assert not gaps


@pytest.mark.parametrize(
    "options",
    [
        ("--puppetfile", "nowhere"),
        ("--puppetfile", "Puppetfile.new", "--install"),
        ("--puppetfile", "Puppetfile.new", "--install", "--to-modulepath", "new"),
        ("--forge", "https://forge.example.com"),
    ],
)
@pytest.mark.usefixtures("site")
def test_usage(options: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["upgrade", ".", "--to", "puppet-8", *options]) == 2
    assert "error" in capsys.readouterr().err
