"""The catalogs of real Puppet: as many causes as cycles, and paths that are closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.fleet.questions.cycles import Cycles
from analyzer.graph.relationship_graph import relate
from analyzer.session.inputs import load_catalog
from tests.conftest import ROOT

SAMPLES = sorted((ROOT / "sample_catalogs").glob("*/catalog.json"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_each_cycle_is_a_cause(path: Path) -> None:
    catalog = load_catalog(path)
    graph = relate(catalog)
    cycles = graph.cycles()
    found = [o for o in Cycles().answer(catalog, catalog.name).occurrences if o.code == "CG301"]
    assert len(found) == len(cycles)
    members = [{str(ref) for ref in cycle.members} for cycle in cycles]
    for one in found:
        assert one.path[0] == one.path[-1]
        assert any(set(one.path) <= some for some in members)
        lengths = [
            len(c.hops) for c, some in zip(cycles, members, strict=True) if set(one.path) <= some
        ]
        assert len(one.path) - 1 <= lengths[0]
        assert one.statements


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_the_order_of_the_catalog_does_not_count(path: Path) -> None:
    first, second = load_catalog(path), load_catalog(path)
    second.resources.reverse()
    second.containment.reverse()
    answers = [Cycles().answer(catalog, "n").occurrences for catalog in (first, second)]
    assert [one.key for one in answers[0]] == [one.key for one in answers[1]]
