"""The automatic relationships of module types, as real Puppet made them.

`zfs_rules.txt` is recorded with the modules zfs_core and zone_core, which come with puppet-agent
but not with Debian's packages (`PUPPET_MODULES` says where they are).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph.rule_cases import RuleCase, catgraph_edges, read_cases

HERE = Path(__file__).parent
CASES = read_cases(HERE / "module_rules.txt") + read_cases(HERE / "zfs_rules.txt")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_edges_are_puppets(case: RuleCase) -> None:
    assert catgraph_edges(case) == case.edges
