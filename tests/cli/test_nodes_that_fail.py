"""Questions are answered for the known part of nodes that fail, with their errors beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

SITE = """\
node 'a' { notify { 'x': } -> notify { 'y': } }
node 'b' { notify { 'x': bogus => 1 } }
node 'c' { notify { 'y': } -> notify { 'x': } }
"""
SAID = "site.pp:2:12: error: no parameter named 'bogus'"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.pp"
    path.write_text(SITE)
    return path


def test_order(run: Run, site: Path) -> None:
    done = run("order", site)
    assert done.code == 3
    assert SAID in done.err
    assert [line for line in done.out.splitlines() if line[:1] in "abcN" and line[1:2] in ":o"] == [
        *("a:", "Notify[x]", "Notify[y]"),
        *("b:", "Notify[x]"),
        *("c:", "Notify[y]", "Notify[x]"),
    ]


def test_why(run: Run, site: Path) -> None:
    done = run("why", site, "Notify[x]", "Notify[y]")
    assert done.code == 3
    assert SAID in done.err
    assert done.out.count("Notify[x]") == 4
    assert "a:\nNotify[x] is applied before" in done.out
    assert "c:\nNotify[x] is applied after Notify[y], not before it" in done.out


def test_one_node_that_compiles_has_its_name(run: Run, site: Path) -> None:
    site.write_text("".join(SITE.splitlines(keepends=True)[:2]))
    assert run("order", site).out.startswith("a:\nNotify[x]\n")


def test_no_node_compiles(run: Run, site: Path) -> None:
    site.write_text(SITE.splitlines(keepends=True)[1])
    done = run("order", site)
    assert done.code == 3
    assert done.out.startswith("b:\nNotify[x]\n")
    assert SAID.replace(":2:", ":1:") in done.err


def test_a_report_that_nodes_share_is_printed_once(tmp_path: Path, run: Run) -> None:
    code = """
    class bad { lookup_in_cmdb('x') }
    class loop { notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] } }
    node 'a' { include bad }
    node 'b' { include bad }
    node 'c' { include loop }
    node 'd' { include loop }
    """
    (tmp_path / "site.pp").write_text(code)
    out = run("explore", tmp_path).out
    assert out.count("Unknown function: 'lookup_in_cmdb'") == 1
    assert out.count("dependency cycle in every world") == 1
    assert [line for line in out.splitlines() if line.startswith("  in ")] == [
        "  in 2 nodes: c, d",
        "  in 2 nodes: a, b",
    ]


def test_explore_says_why_a_node_is_incomplete(run: Run, tmp_path: Path) -> None:
    text = "inline_template('x')"
    (tmp_path / "site.pp").write_text(f"notify {{ {text}: }}\nif {text} {{ }} else {{ }}\n")
    out = run("explore", tmp_path).out
    assert "site.pp:1:10: an inline template is written in Ruby" in out
    assert out.count("never taken") == 1
