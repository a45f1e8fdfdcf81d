"""The installed Puppet: a site is equal, and planted faults are found and made small."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.reach import user_files
from analyzer.session.inputs import graph_of
from analyzer.session.verify.report import Verification, VerifyRequest, verify
from analyzer.session.verify.tool import Tool, find_tool
from tests.oracle.harness import HOW_TO_INSTALL, installed

from .mutants import PLANTED, Planted

pytestmark = pytest.mark.skipif(installed() is None, reason=HOW_TO_INSTALL)

SITE = Path(__file__).with_name("site")
NODE = "web1.corp.example"


@pytest.fixture(scope="module")
def tool() -> Iterator[Tool]:
    with Tool(find_tool()) as found:
        yield found


def verified(tool: Tool, path: Path, settings: Settings, *, shrinks: bool = True) -> Verification:
    with user_files():
        return verify(VerifyRequest(str(path), settings, graph_of, shrinks), tool)


def test_the_site_is_equal(tool: Tool) -> None:
    before = {path: path.stat().st_mtime_ns for path in SITE.rglob("*")}
    found = verified(tool, SITE, Settings())
    assert {name: one.status for name, one in found.nodes.items()} == {
        NODE: "equal",
        "default": "equal",
    }
    assert {path: path.stat().st_mtime_ns for path in SITE.rglob("*")} == before


def test_errors_are_compared_with_their_places(tool: Tool, tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("node default {\n  notify { 'a': colour => 1 }\n}\nnode a inherits b { }\n")
    found = verified(tool, manifest, Settings())
    assert {one.status for one in found.nodes.values()} == {"refused alike"}
    one = found.nodes["default"]
    assert one.ours.startswith(f"{manifest}:4:17: Node inheritance is not supported")
    assert one.theirs.startswith(f"{manifest}:4: Node inheritance is not supported")


def test_ruby_of_modules_runs(tool: Tool, tmp_path: Path) -> None:
    folder = tmp_path / "modules" / "a" / "lib" / "puppet" / "functions"
    folder.mkdir(parents=True)
    mark = tmp_path / "mark"
    body = f"dispatch(:f) {{ }}; def f; File.write('{mark}', 'x'); 'here'; end"
    (folder / "seen.rb").write_text(f"Puppet::Functions.create_function(:seen) {{ {body} }}\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("notify { 'a': message => seen() }\n")
    found = verified(tool, tmp_path, Settings())
    (one,) = found.nodes.values()
    assert (one.status, mark.exists()) == ("incomplete", True)
    assert "written in Ruby" in one.lacks[0]


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.name)
def test_a_planted_fault_becomes_small(tool: Tool, fault: Planted) -> None:
    with fault.planted():
        found = verified(tool, SITE, Settings(node=NODE))
    smallest = [one.smallest for one in found.causes if one.smallest]
    assert smallest
    least = min(smallest, key=lambda one: one.case.lines)
    assert least.case.lines < 10, least.case.files()
    assert "corp" not in str(least.case.files())


def test_every_planted_fault_is_found(tool: Tool) -> None:
    for fault in PLANTED:
        with fault.planted():
            found = verified(tool, SITE, Settings(node=NODE), shrinks=False)
        assert found.causes, fault.name
