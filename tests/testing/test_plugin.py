"""The pytest plugin: its fixtures in a run of pytest, and the code that they compile."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.model.values import DEFAULT, Sensitive
from analyzer.testing.manifest import declaration, literal
from tests.conftest import ROOT
from tests.testing.plugin import NAME, PLUGIN

TESTS = """
import analyzer
import pytest

def test_define(catgraph_compile):
    site = catgraph_compile("App::Site[it's]", params={"port": 1, "hosts": ["a", {"b": None}]},
                            pre_condition="$x = 'before'", post_condition='notify { $x: }')
    site.assert_contains("Notify[it's 1 [a, {b => }]]")
    site.assert_contains("Notify[before]")

def test_node(catgraph_compile):
    catgraph_compile(node="web1").assert_contains("Notify[web1]")

def test_code(catgraph_compile):
    catgraph_compile(code="notify { 'x': }").assert_count("Notify", 1)

def test_as_strict_as_the_library(catgraph_compile):
    code = "$x = lookup('nowhere') notify { 'y': }"
    catgraph_compile(code=code, path=".").assert_contains("Notify[y]")
    with pytest.raises(analyzer.CompileError, match="nowhere"):
        catgraph_compile(code=code, path=".", strict=True)

def test_facts_of_a_system(catgraph_compile):
    code = "notify { $facts['os']['family']: }"
    catgraph_compile(code=code, facts="@debian-12").assert_contains("Notify[Debian]")
    catgraph_compile(code=code, facts=["@debian-12", {"os": {"family": "X"}}], strict=True)

def test_modulepath(catgraph_compile):
    catgraph_compile("other", modulepath=["others"]).assert_contains("Notify[other]")

def test_refused(catgraph_compile):
    catgraph_compile("app", params={"nothing": 1})

def test_failed(catgraph_compile):
    catgraph_compile("app").assert_contains("Notify[y]")
"""


def test_a_run_of_pytest(tmp_path: Path) -> None:
    manifests = tmp_path / "modules" / "app" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("class app { notify { 'app': } }")
    site = 'define app::site($port, $hosts) {\n  notify { "${title} ${port} ${hosts}": }\n}'
    (manifests / "site.pp").write_text(site)
    other = tmp_path / "others" / "other" / "manifests"
    other.mkdir(parents=True)
    (other / "init.pp").write_text("class other { notify { 'other': } }")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("node 'web1' { notify { 'web1': } }")
    (tmp_path / "test_app.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *PLUGIN],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    output = done.stdout + done.stderr
    assert "2 failed, 6 passed" in output, output
    assert "has no parameter named 'nothing'" in output
    assert "modules/app/manifests/init.pp:1" in output
    # Frames of catgraph are not shown.
    assert "analyzer/" not in output.replace("analyzer/testing/pytest_plugin.py", ""), output


@pytest.mark.parametrize(
    "value",
    [None, True, -3, 1.5, 'it\'s $x "\\"', ["a", []], {"a": {"b": [1]}, "c": None}],
    ids=repr,
)
def test_values_survive(value: Any) -> None:
    code = f"notify {{ 'x': message => [{literal(value)}] }}"
    (message,) = analyzer.compile(code=code).resources[-1].parameters["message"]
    assert message == value


def test_values_of_puppet() -> None:
    assert literal(analyzer.ResourceRef("File", "/x")) == "File['/x']"
    assert literal(Sensitive("x")) == "Sensitive('x')"
    assert literal(DEFAULT) == "default"
    with pytest.raises(TypeError, match="no value for"):
        literal(object())


def test_declarations() -> None:
    assert declaration("a::b", {}) == "include 'a::b'"
    assert declaration("a::b", {"x": 1}) == "class { 'a::b':\n  x => 1,\n}"
    assert declaration("A::B[c]", {}) == "a::b { 'c':\n}"


def test_an_installed_catgraph_brings_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert NAME in project["entry-points"]["pytest11"].values()


def test_the_plugin_is_cheap_to_load() -> None:
    """Every run of pytest where catgraph is installed loads it."""
    check = f"import sys, pytest; before = set(sys.modules); import {NAME}; "
    check += "print(sorted(n for n in set(sys.modules) - before if n.startswith('analyzer')))"
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = ["analyzer", "analyzer.testing", NAME.removeprefix("catgraph.")]
    assert done.stdout.strip() == str(names)
