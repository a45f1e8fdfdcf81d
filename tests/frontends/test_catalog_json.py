"""Catalogs in every form in which real Puppet and PuppetDB hand them out."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.diagnostics import InputError
from analyzer.model.catalog import Catalog
from analyzer.session.inputs import load_catalogs

# As Puppet 7.23 compiled it:
#   class k { notify { x: } }
#   include k
#   file { 'conf': path => '/srv/conf', ensure => directory, alias => 'c2', require => Class[k] }
#   notify { a: before => File[c2], subscribe => Notify[x] }
#   notify { s: message => Sensitive('pw'), notify => Notify[a] }
#   exec { '/bin/true': command => Deferred('sprintf', ['/bin/x']), require => File['/srv/conf'] }
CATALOG: dict[str, Any] = {
    "name": "web1.example.com",
    "version": 1700000000,
    "catalog_format": 2,
    "environment": "production",
    "resources": [
        {
            "type": "Stage",
            "title": "main",
            "kind": "compilable_type",
            "parameters": {"name": "main"},
        },
        {"type": "Class", "title": "Settings", "kind": "unknown"},
        {"type": "Class", "title": "main", "kind": "unknown", "parameters": {"name": "main"}},
        {"type": "Class", "title": "K", "kind": "unknown"},
        {"type": "Notify", "title": "x", "file": "/site.pp", "line": 1, "kind": "compilable_type"},
        {
            "type": "File",
            "title": "conf",
            "file": "/site.pp",
            "line": 3,
            "kind": "compilable_type",
            "parameters": {"path": "/srv/conf", "alias": "c2", "require": "Class[K]"},
        },
        {
            "type": "Notify",
            "title": "a",
            "kind": "compilable_type",
            "parameters": {"before": "File[c2]", "subscribe": "Notify[x]"},
        },
        {
            "type": "Notify",
            "title": "s",
            "kind": "compilable_type",
            "parameters": {"message": "pw", "notify": "Notify[a]"},
            "sensitive_parameters": ["message"],
        },
        {
            "type": "Exec",
            "title": "/bin/true",
            "kind": "compilable_type",
            "parameters": {
                "command": {"__ptype": "Deferred", "name": "sprintf", "arguments": ["/bin/x"]},
                "require": "File[/srv/conf]",
            },
        },
    ],
    "edges": [
        {"source": "Stage[main]", "target": "Class[Settings]"},
        {"source": "Stage[main]", "target": "Class[main]"},
        {"source": "Stage[main]", "target": "Class[K]"},
        {"source": "Class[K]", "target": "Notify[x]"},
        {"source": "Class[main]", "target": "File[conf]"},
        {"source": "Class[main]", "target": "Notify[a]"},
        {"source": "Class[main]", "target": "Notify[s]"},
        {"source": "Class[main]", "target": "Exec[/bin/true]"},
    ],
    "classes": ["settings", "k"],
}

# The order of a real run of that catalog.
ORDER = ["Notify[x]", "Notify[s]", "Notify[a]", "File[conf]", "Exec[/bin/true]"]

# What PuppetDB's terminus adds to the containment edges.
RELATIONSHIPS = [
    ("required-by", "Class[K]", "File[conf]"),
    ("before", "Notify[a]", "File[conf]"),
    ("subscription-of", "Notify[x]", "Notify[a]"),
    ("notifies", "Notify[s]", "Notify[a]"),
    ("required-by", "File[conf]", "Exec[/bin/true]"),
]


def order_of(catalog: Catalog) -> list[str]:
    return [str(ref) for ref in analyzer.relate(catalog).order()][: len(ORDER)]


def relationships_of(catalog: Catalog) -> set[tuple[str, str, bool]]:
    edges = analyzer.relate(catalog).relationships()
    return {(str(edge.source), str(edge.target), edge.event) for edge in edges}


def typed(ref: str) -> dict[str, str]:
    kind, _, title = ref.partition("[")
    return {"type": kind, "title": title[:-1]}


def stored_form() -> dict[str, Any]:
    """Return the catalog as the terminus sends it to PuppetDB (replace catalog, version 9)."""
    contains = [("contains", e["source"], e["target"]) for e in CATALOG["edges"]]
    edges = [
        {"source": typed(s), "target": typed(t), "relationship": label}
        for label, s, t in contains + RELATIONSHIPS
    ]
    resources = copy.deepcopy(CATALOG["resources"])
    for row in resources:
        row.setdefault("parameters", {})
    return {
        "certname": "web1.example.com",
        "version": "1700000000",
        "environment": "production",
        "producer_timestamp": "2024-01-01T00:00:00.000+00:00",
        "resources": resources,
        "edges": edges,
    }


def query_form() -> dict[str, Any]:
    """Return the catalog as PuppetDB's query API answers it."""
    document = stored_form()
    edges = [
        {
            "relationship": edge["relationship"],
            **{f"{end}_{key}": edge[end][key] for end in ("source", "target") for key in edge[end]},
        }
        for edge in document["edges"]
    ]
    resources = [
        {k: v for k, v in row.items() if k not in ("kind", "sensitive_parameters")}
        for row in document["resources"]
    ]
    href = "/pdb/query/v4/catalogs/web1.example.com"
    document["edges"] = {"href": f"{href}/edges", "data": edges}
    document["resources"] = {"href": f"{href}/resources", "data": resources}
    return document


def test_compiled() -> None:
    catalog = analyzer.load_catalog(CATALOG)
    assert order_of(catalog) == ORDER
    assert (catalog.name, catalog.environment, catalog.classes) == (
        "web1.example.com",
        "production",
        ["settings", "k"],
    )
    assert catalog.warnings == []


@pytest.mark.parametrize("form", [stored_form, query_form])
def test_puppetdb(form: Any) -> None:
    catalog = analyzer.load_catalog(form())
    assert catalog.name == "web1.example.com"
    assert relationships_of(catalog) == relationships_of(analyzer.load_catalog(CATALOG))
    assert order_of(catalog) == ORDER
    assert any("order of declaration" in warning for warning in catalog.warnings)


def test_puppetdb_edges_count_without_parameters() -> None:
    document = stored_form()
    for row in document["resources"]:
        for name in ("require", "before", "notify", "subscribe"):
            row["parameters"].pop(name, None)
    catalog = analyzer.load_catalog(document)
    assert relationships_of(catalog) == relationships_of(analyzer.load_catalog(CATALOG))


def test_puppetdb_answer_with_several(tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text(json.dumps([query_form(), {**query_form(), "certname": "web2.example.com"}]))
    assert [c.name for c in load_catalogs(str(file))] == ["web1.example.com", "web2.example.com"]
    with pytest.raises(InputError, match="holds 2 catalogs"):
        analyzer.load_catalog(file)


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda d: {"document_type": "Catalog", "data": d}, id="puppet 3 and 4"),
        pytest.param(lambda d: {"api_version": 1, "catalog": d}, id="compile endpoint"),
        pytest.param(lambda d: d, id="agent cache"),
    ],
)
def test_envelopes(wrap: Any) -> None:
    assert order_of(analyzer.load_catalog(wrap(CATALOG))) == ORDER


def test_before_format_2_containers_are_told_by_name_and_content() -> None:
    document = copy.deepcopy(CATALOG)
    del document["catalog_format"]
    for row in document["resources"]:
        del row["kind"]
    assert order_of(analyzer.load_catalog(document)) == ORDER


@pytest.mark.parametrize(
    "encode",
    [
        pytest.param(lambda text: text.encode(), id="plain"),
        pytest.param(lambda text: gzip.compress(text.encode()), id="gzip"),
        pytest.param(lambda text: b"\xef\xbb\xbf" + text.encode(), id="byte order mark"),
        pytest.param(
            lambda text: b"Notice: Compiled catalog for web1 in 0.1 seconds\n" + text.encode(),
            id="log line before",
        ),
        pytest.param(
            lambda text: b"\x1b[1;33mWarning: [x] {y}\x1b[0m\n\n" + text.encode() + b"\n\n",
            id="colours before, blank lines after",
        ),
    ],
)
def test_encodings(tmp_path: Path, encode: Any) -> None:
    file = tmp_path / "catalog.json"
    file.write_bytes(encode(json.dumps(CATALOG, indent=1)))
    assert order_of(analyzer.load_catalog(file)) == ORDER


def test_unicode_titles(tmp_path: Path) -> None:
    document = copy.deepcopy(CATALOG)
    document["resources"][4]["title"] = "grüße 🐶 [x]"
    document["edges"][3]["target"] = "Notify[grüße 🐶 [x]]"
    document["resources"][6]["parameters"]["subscribe"] = "Notify[grüße 🐶 [x]]"
    file = tmp_path / "catalog.json"
    file.write_text(json.dumps(document))
    assert order_of(analyzer.load_catalog(file))[0] == "Notify[grüße 🐶 [x]]"


def test_sensitive_values_are_not_shown() -> None:
    document = copy.deepcopy(CATALOG)
    document["resources"][4]["parameters"] = {
        "message": {"__ptype": "Sensitive", "__pvalue": "secret"},
        "withpath": False,
    }
    by_ref = {str(r): r for r in analyzer.load_catalog(document).resources}
    for ref in ("Notify[s]", "Notify[x]"):
        assert by_ref[ref].shown_parameters()["message"] == "Sensitive [value redacted]"
    assert by_ref["Notify[x]"].shown_parameters()["withpath"] is False


@pytest.mark.parametrize(
    "edges", [{}, {"edges": None}, {"edges": []}, {"edges": CATALOG["edges"][:3]}]
)
def test_a_catalog_without_containment_is_incomplete(edges: dict[str, Any]) -> None:
    """`include_catalog_edges = false` of PuppetDB leaves all out."""
    document = {key: value for key, value in CATALOG.items() if key != "edges"} | edges
    catalog = analyzer.load_catalog(document)
    assert [(gap.kind, gap.hides) for gap in catalog.gaps] == [("containment", True)]
    assert "include_catalog_edges = true" in str(catalog.gaps[0])
    assert analyzer.relate(catalog).verdict == "incomplete; no cycle in the known part"
    assert "Notify[a]" in order_of(catalog)


def test_the_smallest_catalogs_of_puppet_are_complete() -> None:
    """Of an empty manifest, Puppet 7 writes two edges; a list of resources has no container."""
    classes = [{"type": "Class", "title": title} for title in ("Settings", "main")]
    rows = [{"type": "Stage", "title": "main"}, *classes]
    edges = [{"source": "Stage[main]", "target": f"Class[{t}]"} for t in ("Settings", "main")]
    assert not analyzer.load_catalog({"resources": rows, "edges": edges}).gaps
    assert not analyzer.load_catalog({"resources": [ROW], "edges": []}).gaps
    assert not analyzer.load_catalog(CATALOG).gaps


@pytest.mark.parametrize(
    ("edge", "words"),
    [
        # The words of Puppet::Resource::Catalog.from_data_hash.
        (("Class[K]", "Notify[no]"), 'relationship target "Notify[no]" for Class[K]'),
        (("Class[No]", "Notify[x]"), 'relationship source "Class[No]" for Notify[x]'),
    ],
)
def test_an_edge_to_nowhere_is_refused_as_by_the_agent(edge: tuple[str, str], words: str) -> None:
    edges = [*CATALOG["edges"], dict(zip(("source", "target"), edge, strict=True))]
    with pytest.raises(InputError) as caught:
        analyzer.load_catalog({**CATALOG, "edges": edges})
    assert f"Could not find {words}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "", "the file is empty"),
        ('{\n  "resources": [\n    {]\n', ":3:6", "this is not JSON"),
        ('{"resources": [', ":1:16", "this is not JSON"),
        ('{"a": [1e999 x]}', ":1:14", "this is not JSON"),
        ('{"a": [NaN, ' + "[" * 5000, "", "nested too deeply"),
        ('{"resources": {}}', "", "no list 'resources'"),
        ("[]", "", "the list of catalogs is empty"),
        ("3", "", "it is a number, not an object"),
        ('{"resources": [{"title": "x"}]}', "", r"resources\[0\]: it has no 'type'"),
        (
            '{"resources": [{"type": 3, "title": "x"}]}',
            "",
            r"resources\[0\].type: expected a string, got a number",
        ),
        ('{"resources": []} trailing', ":1:19", "text follows"),
        ("hello", ":1:1", "this is not JSON"),
    ],
)
def test_errors_name_the_place(tmp_path: Path, text: str, place: str, message: str) -> None:
    file = tmp_path / "catalog.json"
    file.write_text(text)
    with pytest.raises(InputError, match=message.replace("'", ".")) as caught:
        analyzer.load_catalog(file)
    assert str(caught.value).startswith(f"{file}{place}: error: ")


def test_an_edge_of_puppetdb_that_no_parameter_says_is_nobodys() -> None:
    document = stored_form()
    ends = {"source": typed("Notify[x]"), "target": typed("Notify[s]")}
    document["edges"].append({**ends, "relationship": "before"})
    edges = analyzer.relate(analyzer.load_catalog(document)).relationships()
    origins = {str(edge): edge.origin for edge in edges}
    assert origins["Notify[x] -> Notify[s]"].declarer is None
    assert str(origins["Notify[x] -> Notify[s]"]) == "before, an edge of PuppetDB"
    assert origins["Notify[a] -> File[conf]"].declarer == "Notify[a]"


ROW = {"type": "Notify", "title": "a", "tags": ["notify"], "file": "/a.pp", "exported": False}


@pytest.mark.parametrize(
    "value", [ROW, [ROW], {"deep": [ROW]}, [["x"], {"title": "t", "type": "T", "tags": []}]]
)
def test_a_value_that_looks_like_a_resource_stays_a_value(value: Any, tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "title": "b", "parameters": {"message": value}}]
    path = tmp_path / "catalog.json"
    path.write_text(json.dumps({"resources": rows, "edges": []}))
    (catalog,) = load_catalogs(str(path))
    assert [str(one) for one in catalog.resources] == ["Notify[a]", "Notify[b]"]
    assert catalog.resources[1].parameters == {"message": value}


@pytest.mark.parametrize("tags", [None, [], ["a"], ["a", "b"]])
def test_tags_as_they_stand(tags: Any, tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    rows = [{**ROW, "title": title, "tags": tags} for title in "abc"]
    path.write_text(json.dumps([{"resources": rows, "edges": []}] * 2))
    found = [one for catalog in load_catalogs(str(path)) for one in catalog.resources]
    assert [(one.title, one.tags, one.file) for one in found] == [
        (title, tags, "/a.pp") for title in "abcabc"
    ]


def test_a_reference_in_many_lists_is_kept_once() -> None:
    rows = [
        {"type": "Notify", "title": title, "parameters": {"require": json.loads('["Notify[x]"]')}}
        for title in "ab"
    ]
    first, second = analyzer.load_catalog({"resources": rows, "edges": []}).resources
    assert first.parameters == second.parameters == {"require": ["Notify[x]"]}
    assert first.parameters["require"][0] is second.parameters["require"][0]


def test_a_value_that_looks_like_an_edge_stays_a_value() -> None:
    value = {"source": "Class[Main]", "target": "Notify[a]"}
    row = {**ROW, "parameters": {"links": value, "listed": [value]}}
    main = {"type": "Class", "title": "main"}
    edges = [{"source": "Class[main]", "target": "Notify[a]"}]
    (found,) = load_catalogs(
        "-", data=json.dumps({"resources": [row, main], "edges": edges}).encode()
    )
    assert found.resources[0].parameters == {"links": value, "listed": [value]}
    assert found.containment == [("Class[main]", "Notify[a]")]


def test_edges_of_several_forms_are_read_in_their_order() -> None:
    ends = [f"Notify[{title}]" for title in "abc"]
    edges = [
        {"source": "Class[main]", "target": ends[0]},
        {"source": "Class[main]", "target": ends[1], "relationship": "contains"},
        {"source": "Class[main]", "target": ends[2]},
    ]
    rows = [{"type": "Class", "title": "main"}, *({**ROW, "title": title} for title in "abc")]
    (found,) = load_catalogs("-", data=json.dumps({"resources": rows, "edges": edges}).encode())
    assert found.containment == [("Class[main]", end) for end in ends]


@pytest.mark.parametrize(
    ("value", "exported"), [("old", True), ("false", True), (1, True), ([], True), (None, False)]
)
def test_exported_is_what_ruby_takes_for_true(value: object, exported: bool) -> None:
    catalog = analyzer.load_catalog({"name": "n", "resources": [{**ROW, "exported": value}]})
    (resource,) = catalog.resources
    assert resource.exported is exported
    said = [text for text in catalog.warnings if "exported" in text]
    assert len(said) == exported
    assert all(text.startswith("resources[0].exported: expected a boolean, got ") for text in said)
