"""A catalog that is read slice by slice is the one that is read whole, or refused alike."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from analyzer.diagnostics import InputError
from analyzer.frontends import catalog_json, catalog_rows
from analyzer.frontends.json_document import parse_text
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource
from tests.amount import examples

SAMPLES = Path(__file__).parents[2] / "sample_catalogs"
FORMS: tuple[dict[str, Any], ...] = ({"separators": (",", ":")}, {"indent": 2}, {})
# What may stand in a value, and looks like the text between values.
WORDS = (
    "a", "main", 'x"y', "back\\", '"},{"type":"', '},{"type":"', '","target":"', '"resources":[',
    '"edges":[', "NaN", "é\u2028", "\ud800",
)  # fmt: skip
PARTS = ('"', "\\", "{", "}", "[", "]", ",", "NaN", "1e999", " ", "\0", *WORDS)


def row(rng: Random) -> dict[str, Any]:
    """Return a resource, mostly as Puppet writes it."""
    nested = [{"type": rng.choice(WORDS), "title": "t", "tags": []} for _ in range(3)]
    values = (rng.choice(WORDS), ["File[a]", rng.choice(WORDS)], None, 1, nested, {"edges": [1]})
    found: dict[str, Any] = {
        "type": rng.choice(("File", "Class")),
        "title": rng.choice(WORDS),
        "tags": ["file"],
        "file": "site.pp",
        "line": rng.randrange(9),
        "exported": False,
        "kind": "compilable_type",
        "parameters": {name: rng.choice(values) for name in ("require", "resources", "x")},
    }
    if rng.random() < 0.1:
        found["sensitive_parameters"] = ["x"]
    if rng.random() < 0.2:
        del found[rng.choice([*found][2:])]
    if rng.random() < 0.02:
        found[rng.choice([*found])] = rng.choice(values)
    return found


def document(rng: Random) -> str:
    """Return a catalog, perhaps in PuppetDB's form, and perhaps damaged."""
    edge = {"source": "Class[Main]", "target": "File[a]"}
    edges = [{**edge, rng.choice([*edge]): rng.choice(WORDS)} for _ in range(rng.randrange(9))]
    if edges and rng.random() < 0.1:
        edges[-1]["relationship"] = "contains"
    found: Any = {"name": "n", "resources": [row(rng) for _ in range(rng.randrange(9))]}
    found |= {"edges": edges, "classes": ["a"]}
    if rng.random() < 0.1:
        found = {**found, "resources": {"href": "/x", "data": found["resources"]}}
    if rng.random() < 0.1:
        found = {"data": found}
    text = json.dumps([found] * 2 if rng.random() < 0.1 else found, **rng.choice(FORMS))
    for _ in range(rng.choice((0, 0, 1, 2))):
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(PARTS) + text[at + rng.choice((0, 1, 20)) :]
    return text


def result(catalogs: list[Catalog]) -> object:
    """Return the parts of catalogs as values that can be compared."""
    return [
        (
            [
                [getattr(resource, name) for name in Resource.__slots__]
                for resource in one.resources
            ],
            (one.containment, one.extra_edges, one.warnings, one.name, one.classes, one.ordered),
        )
        for one in catalogs
    ]


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make slices of a few rows."""
    monkeypatch.setattr(catalog_rows, "ROWS", 64)
    monkeypatch.setattr(catalog_rows, "PAIRS", 64)


def whole(text: str) -> list[Catalog]:
    """Return the catalogs of a document that is parsed at once."""
    return catalog_json.catalogs_of(parse_text(text, "c"), "c")


def outcome(read: Callable[[str], list[Catalog]], text: str) -> object:
    """Return the catalogs of a document as values, or the error."""
    try:
        return result(read(text))
    except InputError as error:
        return str(error)


def loaded(text: str) -> list[Catalog]:
    """Return the catalogs of a document as commands read it."""
    return catalog_json.load(text, "c")


@pytest.mark.usefixtures("small_slices")
def test_slices_make_the_same_catalogs() -> None:
    """Compare documents of every form, and damaged ones."""
    usual = 0
    for seed in range(examples(4000)):
        text = document(Random(seed))
        assert outcome(loaded, text) == outcome(whole, text), seed
        usual += catalog_json.usual_catalogs(text, "c") is not None
    assert usual > examples(4000) / 4


@pytest.mark.usefixtures("small_slices")
@pytest.mark.parametrize("form", FORMS, ids=["compact", "indented", "spaced"])
def test_catalogs_of_puppet_are_read_in_slices(form: dict[str, Any]) -> None:
    """Read the samples that real Puppet has compiled, written with other space."""
    for path in sorted(SAMPLES.glob("*/catalog.json")):
        text = json.dumps(json.loads(path.read_text()), **form)
        found = catalog_json.usual_catalogs(text, "c")
        assert found is not None, path
        assert result(found) == result(whole(text)), path


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"resources":[],"resources":[],"edges":[]}', id="a key twice"),
        pytest.param('{"x\\"resources":[{"type":"A","title":"b"}],"resources":[]}', id="escape"),
        pytest.param('{"resources":NaN,"edges":[]}', id="NaN"),
        pytest.param('{"a":NaN,"resources":[{"type":"A","title":"b"}],"edges":[]}', id="before"),
        pytest.param('{"resources":[{"type":"A","title":"b"}],"edges":[],"a":NaN}', id="after"),
        pytest.param('{"a":{"resources":[{"type":"A","title":"b"}]},"resources":[]}', id="inner"),
        pytest.param('["\\"resources\\":[1]",{"resources":[]}]', id="in a text"),
    ],
)
def test_what_looks_like_a_list_of_resources_is_none(text: str) -> None:
    """Read a document in which the key of a list stands elsewhere, or a word that JSON lacks."""
    assert outcome(loaded, text) == outcome(whole, text)
