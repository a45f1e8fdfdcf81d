"""What only PuppetDB's form changes is no difference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.fleet.questions.diff import differences
from analyzer.frontends.catalog_json import from_document
from analyzer.graph.relationship_graph import relate
from tests.conftest import ROOT
from tests.fleet.puppetdb_server import stored

SAMPLES = sorted((ROOT / "sample_catalogs").glob("*/catalog.json"))
UNORDERED = ("alias", "audit", "before", "check", "notify", "require", "subscribe", "tag")


def in_puppetdb(body: dict[str, Any]) -> dict[str, Any]:
    """Return a catalog as the terminus sends it: lists sorted, no sensitive values, an alias."""
    rows = []
    for row in body["resources"]:
        parameters = {**row.get("parameters", {})}
        for name in row.get("sensitive_parameters", ()):
            del parameters[name]
        for name in UNORDERED:
            if isinstance(parameters.get(name), list):
                parameters[name] = sorted(parameters[name])
        if row["type"] == "File":
            known = parameters.get("alias", [])
            known = known if isinstance(known, list) else [known]
            parameters["alias"] = [*known, parameters.get("path", row["title"])]
        kept = {k: v for k, v in row.items() if k != "sensitive_parameters"}
        rows.append({**kept, "parameters": parameters})
    return stored({**body, "resources": rows}, "h")


def texts(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    before, after = (relate(from_document(one, "x")) for one in (old, new))
    found = before.diff(after)
    return [one.text for one in differences(found, before, after, "node.example.com")]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_a_stored_catalog_equals_its_original(path: Path) -> None:
    body = json.loads(path.read_text())
    assert texts(in_puppetdb(body), body) == []
    assert texts(body, in_puppetdb(body)) == []


BODY: dict[str, Any] = {
    "name": "node.example.com",
    "environment": "production",
    "version": 1,
    "edges": [{"source": "Class[a]", "target": "File[/x]"}],
    "resources": [
        {"type": "Class", "title": "a"},
        {
            "type": "File",
            "title": "/x",
            "parameters": {"tag": ["b", "a"], "content": "s3cret", "path": "/x"},
            "sensitive_parameters": ["content"],
        },
    ],
}


def test_values_that_are_not_kept_are_no_difference() -> None:
    assert texts(in_puppetdb(BODY), BODY) == []


def test_what_the_code_changes_is_one() -> None:
    other = json.loads(json.dumps(BODY).replace('["b", "a"]', '["b", "c"]'))
    assert texts(in_puppetdb(BODY), other) == ['File[/x]: tag ["a", "b"] -> ["b", "c"]']


def test_an_export_that_may_be_collected_is_no_difference() -> None:
    export = {"type": "User", "title": "u", "exported": True}
    whole = {**BODY, "resources": [*BODY["resources"], export]}
    assert texts(in_puppetdb(whole), whole) == []
