"""The automatic relationships of module types, as real Puppet made them.

`zfs_rules.txt` is recorded with the modules zfs_core and zone_core, which come with puppet-agent
but not with Debian's packages (`PUPPET_MODULES` says where they are).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer.graph.automatic.modules import ROWS
from analyzer.graph.automatic.rules import AutoRelation
from analyzer.graph.labels import INWARD, NAMES
from tests.graph.rule_cases import RuleCase, catgraph_edges, read_cases

HERE = Path(__file__).parent
CASES = read_cases(HERE / "module_rules.txt") + read_cases(HERE / "zfs_rules.txt")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_edges_are_puppets(case: RuleCase) -> None:
    assert catgraph_edges(case) == case.edges


# Those of a concat_file and a cs_commit are always left out, as they are generated.
EDGE = re.compile(r"(\w+)\[.*?\] [-~]> (\w+)\[.*?\] : (\w+)(?: !.+ edge present)?\Z")
SEEN = {found.groups() for case in CASES for line in case.edges if (found := EDGE.match(line))}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_every_row_has_an_edge_of_puppets(row: AutoRelation) -> None:
    ends = (row.target, row.type) if row.kind in INWARD else (row.type, row.target)
    assert (*ends, NAMES[row.kind]) in SEEN
