"""The automatic relationships of Puppet's own types, as real Puppet made them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph.rule_cases import RuleCase, catgraph_edges, read_cases

CASES = read_cases(Path(__file__).with_name("core_rules.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_edges_are_puppets(case: RuleCase) -> None:
    assert catgraph_edges(case) == case.edges
