"""What Puppet does not write is refused with the JSON path of it; what it may write is taken."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.diagnostics import InputError
from tests.frontends.test_catalog_json import CATALOG, query_form, stored_form

LAST = len(CATALOG["resources"]) - 1


def nested(depth: int, kind: str = "[]") -> str:
    return kind[0] * depth + kind[1] * depth


ROWS = {
    '"tags": 1': ".tags: expected a list, got a number",
    '"tags": "a"': ".tags: expected a list, got a string",
    '"tags": ["a", null]': ".tags[1]: expected a string, got null",
    '"tags": [{}]': ".tags[0]: expected a string, got an object",
    '"sensitive_parameters": 1': ".sensitive_parameters: expected a list, got a number",
    '"sensitive_parameters": [[]]': ".sensitive_parameters[0]: expected a string, got a list",
    '"sensitive_parameters": [{}]': ".sensitive_parameters[0]: expected a string, got an object",
    '"parameters": [1]': ".parameters: expected an object, got a list",
    '"parameters": {"a-b": NaN}': ".parameters['a-b']: NaN and infinite numbers are not JSON",
    '"parameters": {"a": [1, 1e999]}': ".parameters.a[1]: NaN and infinite numbers are not JSON",
    f'"parameters": {{"a": {nested(101)}}}': ".parameters.a: nested more than 100 deep",
    f'"parameters": {{"a": [1, {nested(900)}]}}': ".parameters.a: nested more than 100 deep",
    '"line": "1"': ".line: expected a whole number, got a string",
    '"line": true': ".line: expected a whole number, got a boolean",
    '"file": {}': ".file: expected a string, got an object",
    '"kind": []': ".kind: expected a string, got a list",
    '"title": {}': ".title: expected a string, got an object",
    '"type": ""': ".type is empty",
}  # fmt: skip


def refused(text: str, folder: Path) -> str:
    file = folder / "catalog.json"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        analyzer.load_catalog(file)
    return str(caught.value).removeprefix(f"{file}: error: ")


@pytest.mark.parametrize("field", ROWS)
def test_resources(field: str, tmp_path: Path) -> None:
    row = json.dumps(CATALOG["resources"][LAST])[:-1] + f", {field}}}"
    document = {**CATALOG, "resources": [*CATALOG["resources"][:LAST], "@"]}
    said = refused(json.dumps(document).replace('"@"', row), tmp_path)
    assert said.startswith(f"resources[{LAST}]{ROWS[field]}")


@pytest.mark.parametrize(
    ("edge", "words"),
    [
        (5, "edges[0]: expected an object, got a number"),
        ({"source": "A[b]"}, "edges[0]: it has no 'target'"),
        ({"source": 1, "target": "A[b]"}, "edges[0].source: expected a string, got a number"),
        (
            {"source": "A[b]", "target": "A[c]", "relationship": {"a": None}},
            "edges[0].relationship: expected a string, got an object",
        ),
        (
            {"source": {"type": "A", "title": None}, "target": {"type": "A", "title": "b"}},
            "edges[0].source.title: expected a string, got null",
        ),
        (
            {"source_type": [], "source_title": "b", "target_type": "A", "target_title": "b"},
            "edges[0].source_type: expected a string, got a list",
        ),
    ],
)
def test_edges(edge: Any, words: str, tmp_path: Path) -> None:
    assert refused(json.dumps({**CATALOG, "edges": [edge]}), tmp_path).startswith(words)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("classes", ["a", 1], "classes[1]: expected a string, got a number"),
        ("classes", "a", "classes: expected a list, got a string"),
        ("name", [], "name: expected a string, got a list"),
        ("version", {}, "version: expected a string, got an object"),
        ("edges", 1, "edges: expected a list, got a number"),
    ],
)
def test_heads(key: str, value: Any, words: str, tmp_path: Path) -> None:
    assert refused(json.dumps({**CATALOG, key: value}), tmp_path).startswith(words)


def test_what_is_legal_is_taken() -> None:
    """Nulls and rich data in parameters, nested as deeply as Ruby's json goes."""
    deep: Any = []
    for _ in range(96):
        deep = [deep]
    values = {"a": None, "b": [None, {"c": None}], "d": deep, "e": {"__ptype": "x", "__pvalue": 1}}
    document = copy.deepcopy(CATALOG)
    row = document["resources"][LAST]
    row["parameters"] |= values
    row |= {"file": "", "line": None, "kind": None, "tags": None, "sensitive_parameters": None}
    row["title"] = 5
    document["edges"][-1]["target"] = "Exec[5]"
    found = analyzer.load_catalog(document).resources[LAST]
    assert {name: found.parameters[name] for name in values} == values
    assert (found.title, found.file, found.line, found.kind) == ("5", None, None, None)


@pytest.mark.parametrize("form", [stored_form, query_form])
def test_null_heads_of_puppetdb(form: Any) -> None:
    document = {**form(), "environment": None, "code_id": None, "transaction_uuid": None}
    assert analyzer.load_catalog(document).environment == ""


def test_the_first_of_several_counts() -> None:
    document = copy.deepcopy(CATALOG)
    again = {**document["resources"][-1], "parameters": {}}
    document["resources"] += [again, again]
    catalog = analyzer.load_catalog(document)
    analyzer.relate(catalog)
    assert [r.title for r in catalog.resources].count("/bin/true") == 1
    assert catalog.resources[-1].parameters
    assert catalog.warnings == ["declared more than once: Exec[/bin/true]; the first counts"]
