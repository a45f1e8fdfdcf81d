"""The automatic relationships of module types, as real Puppet made them.

`zfs_rules.txt` is recorded with the modules zfs_core and zone_core, which come with puppet-agent
but not with Debian's packages; `windows_rules.txt` with registry and acl (`PUPPET_MODULES` says
where they are).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graph.rule_cases import RuleCase, catgraph_edges, read_cases

HERE = Path(__file__).parent
FILES = ("module_rules.txt", "zfs_rules.txt", "windows_rules.txt")
CASES = [case for name in FILES for case in read_cases(HERE / name)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_edges_are_puppets(case: RuleCase) -> None:
    assert catgraph_edges(case) == case.edges
