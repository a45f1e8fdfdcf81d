"""The automatic relationships of module types, as real Puppet made them."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.graph.rules_modules import ROWS
from tests.graph.rule_cases import RuleCase, catgraph_edges, read_cases

CASES = read_cases(Path(__file__).with_name("module_rules.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_edges_are_puppets(case: RuleCase) -> None:
    assert catgraph_edges(case) == case.edges
