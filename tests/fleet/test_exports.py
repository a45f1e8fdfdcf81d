"""Exported resources in PuppetDB: `recorded/exports.json` is what real Puppet 7.23 and the terminus
7.12.1 make of `exports.pp`; `applied` is the catalog that the agent was given.
"""

from __future__ import annotations

import json
from typing import Any

from analyzer.frontends.catalog_json import from_document
from analyzer.frontends.puppetdb_exports import UNRELATED
from analyzer.graph.automatic import core, modules
from analyzer.model.completeness import hiding
from tests.conftest import ROOT

RECORDED = json.loads((ROOT / "tests/fleet/recorded/exports.json").read_text())


def refs(document: dict[str, Any]) -> set[str]:
    found = {f"{one.type}[{one.title}]" for one in from_document(document, "x").resources}
    return {ref.replace("Class[Main]", "Class[main]") for ref in found}


def test_exports_that_are_not_collected_are_left_out() -> None:
    catalog = from_document(RECORDED, "x")
    applied = set(RECORDED["applied"])
    doubtful = {gap.name for gap in catalog.gaps}
    assert refs(RECORDED) == applied - doubtful
    # An agent has one of them; without relationships of any kind it changes no order.
    assert applied & doubtful == {"Schedule[taken]"}
    assert {gap.name for gap in hiding(catalog.gaps)} == {"D[loose]", "User[loose]"}
    assert all(end not in ("File[/loose]", "User[loose]") for p in catalog.containment for end in p)


def test_an_agents_catalog_has_only_what_is_applied() -> None:
    own = {key: value for key, value in RECORDED.items() if key != "certname"}
    assert len(refs(own)) == len(RECORDED["resources"])


def test_unrelated_types_have_no_automatic_relationships() -> None:
    rows = core.ROWS + modules.ROWS
    ends = {end.lower() for row in rows for end in (row.type, row.target)}
    assert not ends & {kind.lower() for kind in UNRELATED}
    assert not [end for end in ends if end.startswith("nagios_")]
