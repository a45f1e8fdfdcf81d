"""Unknown variables are errors unless the repository shows that it is for a Puppet before 8."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.frontends.puppet.node.language import stdlib_of
from tests.cli.conftest import Run

SITE = 'notify { "a${nope}": }\nnotify { "b${none}": }\n'
SIGNS = {
    "Puppetfile": "mod 'puppetlabs/stdlib', '8.1.0'\n",
    "hiera.yaml": ":backends: [yaml]\n:hierarchy: [common]\n",
    "environment.conf": "parser = future\n",
    "metadata.json": json.dumps(
        {"requirements": [{"name": "puppet", "version_requirement": ">= 4.0.0 < 8.0.0"}]}
    ),
    "modules/stdlib/metadata.json": '{\n  "version": "4.17.1"\n}\n',
}
NONE = {
    "Puppetfile": "mod 'puppetlabs/stdlib', '9.0.0'\nmod 'puppetlabs/apt', '1.0.0'\n",
    "hiera.yaml": "version: 5\n",
    "environment.conf": "modulepath = site\n",
    "metadata.json": json.dumps(
        {"requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0 < 9.0.0"}]}
    ),
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(SITE)
    (tmp_path / "facts.json").write_text("{}")
    return tmp_path


@pytest.mark.parametrize("name", SIGNS)
def test_code_for_an_old_puppet(run: Run, site: Path, name: str) -> None:
    (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / name).write_text(SIGNS[name])
    facts = ("--facts", site / "facts.json")
    done = run("cycles", site, *facts)
    assert done.code == 0
    (line,) = (one for one in done.err.splitlines() if "variable" in one)
    assert "2 unknown variables are undef, as before Puppet 8, since " in line
    assert "Unknown variable: 'nope'." in line
    assert (
        "strict_variables was assumed to be off: " in run("cycles", site, *facts, "--explain").out
    )
    for option in (("--strict-variables",), ("--puppet-version", "8")):
        done = run("cycles", site, *facts, *option)
        assert done.code == 3
        assert done.err.count("error: Unknown variable") == 2


STDLIB = {
    "mod 'puppetlabs-stdlib', '8.1.0'": 8,
    'mod("puppetlabs/stdlib", "v7.0.0")': 7,
    "mod 'stdlib',\n  :git => 'https://git.example.com/stdlib.git',\n  :tag => 'v8.5.0'": 8,
    "mod 'stdlib', git: 'https://git.example.com/stdlib', ref: '4.25.1'": 4,
    "mod 'puppetlabs/stdlib', :latest": None,
    "mod 'stdlib', :git => 'x', :ref => '8af2301'": None,
    "mod 'puppetlabs/stdlib'\nmod 'puppetlabs/apt', '8.1.0'": None,
    "mod 'stdlib', :git => 'x'\nmod 'apt', :git => 'y', :tag => '2.0.0'": None,
    "# mod 'puppetlabs/stdlib', '8.1.0'": None,
}


@pytest.mark.parametrize("text", STDLIB)
def test_the_stdlib_of_a_puppetfile(text: str) -> None:
    assert stdlib_of(f"forge 'x'\n{text}\n") == STDLIB[text]


def test_nodes_that_inherit_are_a_sign(run: Run, site: Path) -> None:
    (site / "manifests/nodes.pp").write_text("node base { }\nnode x inherits base { }\n")
    out = run("check", site, "--facts", site / "facts.json").out
    assert "error: Node inheritance" in out
    assert "Unknown variable" not in out


@pytest.mark.parametrize("name", NONE)
def test_code_that_shows_no_version(run: Run, site: Path, name: str) -> None:
    (site / name).write_text(NONE[name])
    done = run("cycles", site, "--facts", site / "facts.json")
    assert done.err.count("error: Unknown variable") == 2
