"""Each chain with an empty operand: what it orders, by version, and what the lint says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.choice import Choice
from analyzer.session.lint.catalogs import with_graphs
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request
from tests.threads.operands import FILE, VERSIONS, chains, edges, program
from tests.threads.said import recorded

RULE = "CG302"


def said(chain: str, folder: Path) -> str:
    """What becomes of a chain, version by version, with the findings below."""
    return "".join(f"{line}\n" for version in VERSIONS for line in lines(chain, version, folder))


def lines(chain: str, version: int, folder: Path) -> Iterator[str]:
    """The edges of one version, and the findings with their notes."""
    path = folder / "site.pp"
    path.write_text(program(chain), encoding="utf-8")
    settings = Settings(puppet_version=version)
    lint = check_inputs(Request((str(path),), Choice((RULE,)), lambda path: settings))
    (compiled,) = with_graphs(lint.compiled, lint.compiled.catalogs)
    made = ((str(r.source), str(r.target), r.event) for r in compiled.explicit)
    yield f"{version}: {edges(made)}"
    for one in lint.found:
        finding = one.finding
        yield f"   {finding.severity}: {finding.message}"
        yield from (f"      {note}" for note in finding.notes)


def test_empty_operands(update: bool, tmp_path: Path) -> None:
    found = {chain: said(chain, tmp_path) for chain in chains()}
    if update:
        head = FILE.read_text(encoding="utf-8").partition("===")[0]
        blocks = [f"=== {chain}\n{text}" for chain, text in found.items()]
        FILE.write_text(head + "".join(blocks), encoding="utf-8")
    assert found == chains()


@pytest.mark.parametrize("chain", chains())
def test_the_edges_are_those_of_puppet(chain: str) -> None:
    assert chains()[chain].partition("\n")[0] == f"8: {recorded()[chain]}".strip()
