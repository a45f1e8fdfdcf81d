"""The examples of docs/library.md run, and each public call takes what it says."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import analyzer
from tests.conftest import ROOT
from tests.testing.plugin import PLUGIN

PAGE = ROOT / "docs" / "library.md"
FILE = re.compile(r"```\w+\n# (\S+\.\w+)\n(.*?)```", re.DOTALL)


def test_the_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = PAGE.read_text(encoding="utf-8")
    found = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    report: list[str] = []
    result = doctest.DocTestRunner().run(found, out=report.append)
    assert result.attempted > 10
    assert result.failed == 0, "".join(report)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A control repo with the files of the page."""
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "environment.conf").write_text("modulepath = site-modules\n")
    (tmp_path / "facts.json").write_text('{"os": {"family": "Debian"}}')
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("class { 'role::web': site => 'example.com' }")
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_check_before_a_merge(site: Path) -> None:
    first = run(site, "check.py")
    assert (first.returncode, first.stdout, first.stderr) == (0, "", "")
    role = site / "site-modules" / "role" / "manifests" / "web.pp"
    role.write_text(role.read_text().replace("service {", "notify { 'new': }\n service {"))
    assert run(site, "check.py").stdout == "web1.example.com: 1 resources added, 0 removed\n"
    role.write_text(
        role.read_text().replace("service {", "Service['nginx'] -> Package['nginx']\n service {")
    )
    broken = run(site, "check.py")
    assert broken.returncode == 1
    assert "web1.example.com: (Package[nginx] => " in broken.stdout


@pytest.mark.slow
def test_the_tests_of_a_role(site: Path) -> None:
    done = run(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", *PLUGIN, "tests")
    assert "5 passed" in done.stdout, done.stdout + done.stderr


def test_facts_and_data() -> None:
    code = "notify { \"${facts['a']['x']} ${facts['a']['y']} ${lookup('k')}\": }"
    catalog = analyzer.compile(
        code=code, facts=[{"a": {"x": 1}}, {"a": {"y": 2}}], data={"k": "%{facts.a.x}"}
    )
    assert str(catalog.resources[-1]) == "Notify[1 2 1]"


def test_no_facts_are_unknown_and_empty_facts_are_not() -> None:
    code = "if $facts['x'] { notify { 'a': } }"
    assert not analyzer.relate(analyzer.compile(code=code)).is_complete
    assert analyzer.relate(analyzer.compile(code=code, facts={})).is_complete


def test_trusted_and_functions() -> None:
    code = "notify { \"${trusted['extensions']['pp_role']} ${corp::secret('x')}\": }"
    catalog = analyzer.compile(
        code=code,
        trusted={"extensions": {"pp_role": "db"}},
        functions={"corp::secret": "hidden"},
        facts={},
    )
    assert str(catalog.resources[-1]) == "Notify[db hidden]"


def test_code_in_a_module(tmp_path: Path) -> None:
    module = tmp_path / "puppet-app"
    (module / "manifests").mkdir(parents=True)
    (module / "metadata.json").write_text('{"name": "me-app"}')
    (module / "manifests" / "init.pp").write_text("class app { notify { 'app': } }")
    catalog = analyzer.compile(module, code="include app")
    assert str(catalog.resources[-1]) == "Notify[app]"
    assert catalog.resources[-1].file == str(module / "manifests" / "init.pp")


def test_nodes_in_code() -> None:
    code = "node 'a' { notify { 'a': } } node 'b' { }"
    assert str(analyzer.compile(code=code, node="a").resources[-1]) == "Notify[a]"
    with pytest.raises(analyzer.InputError, match=r"there are 2 nodes \(a, b\)"):
        analyzer.compile(code=code)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs a path or code"),
        ({"code": "", "data": {}, "hiera_config": "x"}, "data or hiera_config"),
    ],
)
def test_arguments_that_do_not_go_together(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        analyzer.compile(**arguments)


def test_json_is_that_of_the_command() -> None:
    path = ROOT / "sample_catalogs" / "aliases" / "manifests" / "site.pp"
    command = "from analyzer.cli import main; main()"
    printed = run(ROOT, "-c", command, "compile", str(path)).stdout
    assert analyzer.compile(path).to_json() == printed.rstrip("\n")


def test_json_comes_back() -> None:
    catalog = analyzer.compile(code="if $facts['x'] { notify { 'a': } }\nnotify { 'b': }")
    again = analyzer.load_catalog(json.loads(catalog.to_json()))
    assert again.to_json() == catalog.to_json()
    assert not analyzer.relate(again).is_complete


def test_a_catalog_made_by_hand_has_no_json() -> None:
    with pytest.raises(ValueError, match="can be written"):
        analyzer.Catalog([], []).to_json()


def test_every_error_is_a_finding() -> None:
    with pytest.raises(analyzer.CompileError) as caught:
        analyzer.parse("class a { $x = 1 $x = 2 }\n$y = ]", file="a.pp")
    (finding,) = caught.value.findings
    assert (finding.code, str(finding.span)) == ("SYNTAX_ERROR", "a.pp:2:6")
    assert repr(finding) == "<SYNTAX_ERROR error at a.pp:2:6: Syntax error at ']'>"


def test_values_are_short() -> None:
    catalog = analyzer.load_catalog(ROOT / "sample_catalogs" / "require_loop" / "catalog.json")
    graph = analyzer.relate(catalog)
    assert repr(graph).endswith("relationships, with a cycle>")
    (cycle,) = graph.cycles()
    assert repr(cycle).startswith("<Cycle ")
    assert len(repr(cycle)) < 400
    assert repr(analyzer.parse("$x = 1")) == '<Program (= (var "x") 1)>'
    assert repr(analyzer.ResourceRef("File", "/x")) == "File[/x]"


def test_the_public_names_exist() -> None:
    for name in analyzer.__all__:
        assert getattr(analyzer, name)
        assert name in dir(analyzer)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"facts": 3}, "facts must be a mapping, a path, or several of these, not 3"),
        ({"facts": [1]}, "facts must be a mapping, a path, or several of these, not [1]"),
        ({"data": [1]}, "data must be a mapping, not [1]"),
        ({"code": 3}, "code must be a string, not 3"),
        ({"modulepath": "x"}, "modulepath must be a list of several paths, not 'x'"),
        ({"node": 1}, "node must be a string, not 1"),
    ],
)
def test_an_argument_of_another_kind_is_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=re.escape(f"compile(): {words}")):
        analyzer.compile(**{"code": "notify { 'x': }", **given})
