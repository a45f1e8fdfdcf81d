"""A fault of our own is one finding: whatever else there is to find is found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from analyzer.cli import main
from analyzer.diagnostics import DEBUG, Finding
from analyzer.frontends.puppet import compile as driver
from analyzer.frontends.puppet.compiler import recovery
from analyzer.frontends.puppet.compiler.calls import catalog
from analyzer.frontends.puppet.compiler.calls import dispatch as functions
from analyzer.frontends.puppet.compiler.recovery import is_internal
from analyzer.frontends.puppet.compiler.results.catalog import to_catalog
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.graph.relationship_graph import relate
from analyzer.linter.choice import Choice
from analyzer.linter.puppet import compiles as programs
from analyzer.linter.puppet.subjects import manifest_of
from analyzer.linter.registry import all_rules
from analyzer.session.lint import manifests as session
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import lint_inputs

# Each class has a finding of its own; one calls what will fail.
CLASS = """class m::{name} {{
  {call}
  file {{ '/{name}': require => Notify['{name}'] }}
  -> notify {{ '{name}': }}
}}
"""
NAMES = ("a", "b", "c")


def broken(*arguments: Any) -> NoReturn:
    raise ZeroDivisionError("by design")


@pytest.fixture(autouse=True)
def as_for_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests end at a fault of our own."""
    monkeypatch.setattr(recovery, "is_internal", is_internal)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module whose second class calls a function that fails."""
    monkeypatch.setitem(functions.CATALOG_FUNCTIONS, "broken", broken)
    manifests = tmp_path / "m" / "manifests"
    manifests.mkdir(parents=True)
    for name in NAMES:
        call = "broken()" if name == "b" else ""
        (manifests / f"{name}.pp").write_text(CLASS.format(name=name, call=call))
    return tmp_path / "m"


def told(path: Path, *select: str) -> list[Finding]:
    """Return the findings."""
    request = Request((str(path),), Choice(select), lambda path: Settings())
    return list(lint_inputs(request).results.findings)


def codes(findings: list[Finding]) -> list[str]:
    return sorted(finding.code for finding in findings)


@pytest.mark.parametrize("select", [(), ("CG301",)])
def test_a_class(module: Path, select: tuple[str, ...]) -> None:
    found = told(module, *select)
    assert codes(found) == ["CG205"] + ["CG301"] * 3
    (own,) = [one for one in found if one.code == "CG205"]
    assert own.message == (
        "cannot check a statement of Class[M::B]: internal error: ZeroDivisionError: by design"
    )
    assert own.span is not None
    assert (own.span.file, own.span.line) == (str(module / "manifests" / "b.pp"), 2)
    assert DEBUG in own.notes[0]


def test_a_rule(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(functions.CATALOG_FUNCTIONS, "broken", catalog.notice)
    rule = replace(all_rules()["CG302"], check=broken)
    monkeypatch.setitem(all_rules(), "CG302", rule)
    found = told(module)
    assert codes(found) == ["CG205"] * 3 + ["CG301"] * 3


def test_a_graph(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def fails(catalog: Any, *arguments: Any) -> Any:
        return (
            broken() if "File[/a]" in map(str, catalog.resources) else relate(catalog, *arguments)
        )

    monkeypatch.setitem(functions.CATALOG_FUNCTIONS, "broken", catalog.notice)
    monkeypatch.setattr(programs, "relate", fails)
    found = told(module)
    assert codes(found) == ["CG205", "CG301", "CG301"]
    assert "cannot check the graph of class m::a" in found[0].message


def test_a_file(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(file: str, text: str) -> Any:
        return broken() if file.endswith("a.pp") else manifest_of(file, text)

    monkeypatch.setitem(functions.CATALOG_FUNCTIONS, "broken", catalog.notice)
    monkeypatch.setattr(session, "manifest_of", fails)
    assert codes(told(module)) == ["CG205"] + ["CG301"] * 3


def test_a_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(compilation: Any, path: str) -> Any:
        return broken() if compilation.inputs.node == "b" else to_catalog(compilation, path)

    monkeypatch.setattr(driver, "to_catalog", fails)
    site = tmp_path / "site.pp"
    block = "node '{0}' {{ file {{ '/{0}': require => User[{0}] }} -> user {{ {0}: }} }}\n"
    site.write_text("".join(block.format(name) for name in NAMES))
    found = told(site)
    assert codes(found) == ["CG205", "CG301", "CG301"]


def test_a_catalog_goes_without(
    module: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site.pp"
    site.write_text("include m::a, m::b, m::c\n")
    assert main(["compile", str(site), "--modulepath", str(tmp_path)]) in (0, 3)
    printed = capsys.readouterr()
    refs = [f"{r['type']}[{r['title']}]" for r in json.loads(printed.out)["resources"]]
    assert [ref for ref in refs if ref.startswith("File")] == ["File[/a]", "File[/b]", "File[/c]"]
    assert "b.pp:2: internal error: ZeroDivisionError: by design, in Class[M::B]" in printed.err
    assert "Traceback" not in printed.err


def test_the_trace_is_printed_for_the_asking(
    module: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DEBUG, "1")
    told(module)
    assert "Traceback" in capsys.readouterr().err
