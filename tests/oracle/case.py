"""A recorded truth: one catalog and what real Puppet made of it, as one readable text file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.session.verify.graphs import Dropped, PuppetGraph, VerifyEdge, graph_in

Catalog = dict[str, Any]

_HEADER = re.compile(r"^-- ([a-z.]+) --$", re.MULTILINE)
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_UNESCAPE = re.compile(r"\\(.)")
_UNESCAPES = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}
_EDGES_PER_LINE = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A catalog with the relationship graph that Puppet makes of it."""

    manifest: str
    catalog: Catalog
    graph: PuppetGraph


def from_answer(answer: Mapping[str, Any], manifest: str, catalog: Catalog) -> Case:
    """The case for one answer of `puppet.rb`; `catalog` is its catalog as it is to be kept."""
    return Case(manifest, catalog, graph_in(answer))


# ---------------------------------------------------------------------------- records


def escape(text: str) -> str:
    """A field of a record: backslash, tab and line breaks are written as escapes."""
    return re.sub(r"[\\\t\n\r]", lambda m: _ESCAPES[m.group()], text)


def unescape(text: str) -> str:
    """The opposite of `escape`."""
    return _UNESCAPE.sub(lambda m: _UNESCAPES[m.group(1)], text)


def write_records(records: Iterable[Sequence[str]]) -> str:
    """One record per line, fields separated by tabs."""
    return "".join("\t".join(map(escape, record)) + "\n" for record in records)


def read_records(text: str) -> list[tuple[str, ...]]:
    """The opposite of `write_records`."""
    lines = text.split("\n")[:-1]
    return [tuple(unescape(field) for field in line.split("\t")) for line in lines]


def edge_records(edges: Iterable[VerifyEdge]) -> list[tuple[str, ...]]:
    """Records of edges: source, arrow, target, automatic kind or nothing."""
    return [(e.source, e.arrow, e.target, e.auto) for e in edges]


def read_dropped(text: str) -> tuple[Dropped, ...]:
    """Dropped edges from records: source, target, automatic kind, reason."""
    return tuple(Dropped(*fields) for fields in read_records(text))


def dropped_records(dropped: Iterable[Dropped]) -> list[tuple[str, ...]]:
    """The opposite of `read_dropped`."""
    return [(d.source, d.target, d.auto, d.reason) for d in dropped]


def read_edges(text: str) -> tuple[VerifyEdge, ...]:
    """The opposite of `edge_records` on text."""
    return tuple(VerifyEdge(*fields) for fields in read_records(text))


# ---------------------------------------------------------------------------- catalogs


def write_catalog(catalog: Catalog) -> str:
    """Catalog JSON with one resource per line and a few containment edges per line."""
    parts = [f" {_json(key)}: {_value(key, value)}" for key, value in catalog.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(key: str, value: Any) -> str:
    if key == "resources":
        return _lines(_json(item) for item in value)
    if key == "edges":
        rows = [_json(item) for item in value]
        chunks = range(0, len(rows), _EDGES_PER_LINE)
        return _lines(", ".join(rows[i : i + _EDGES_PER_LINE]) for i in chunks)
    return _json(value)


def _lines(items: Iterable[str]) -> str:
    text = ",\n".join("  " + item for item in items)
    return f"[\n{text}\n ]" if text else "[]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def keep_catalog(
    catalog: Catalog, name_file: Callable[[str], str], *, header: Mapping[str, Any]
) -> Catalog:
    """A copy fit to be recorded: what differs from run to run is gone or fixed by `header`."""
    kept = {key: value for key, value in catalog.items() if key not in _VOLATILE}
    for key in _VOLATILE & header.keys():
        kept[key] = header[key]
    kept["resources"] = [_rename(item, name_file) for item in catalog["resources"]]
    return {key: kept[key] for key in catalog if key in kept}


_VOLATILE = {"version", "catalog_uuid", "code_id"}


def _rename(resource: Mapping[str, Any], name_file: Callable[[str], str]) -> dict[str, Any]:
    copy = dict(resource)
    if "file" in copy:
        copy["file"] = name_file(copy["file"])
    return copy


# ------------------------------------------------------------------------------- files


def write_case(case: Case) -> str:
    """The text of a case file; sections that would be empty are left out."""
    return "".join(f"-- {name} --\n{body}" for name, body in _sections(case) if body)


def _sections(case: Case) -> Iterator[tuple[str, str]]:
    yield "manifest.pp", case.manifest.rstrip("\n") + "\n"
    yield "catalog.json", write_catalog(case.catalog)
    graph = case.graph
    yield "relationships", write_records(edge_records(graph.relationships))
    yield "dropped", write_records(dropped_records(graph.dropped))
    yield "expanded", write_records(edge_records(graph.expanded))
    yield "order", write_records((ref,) for ref in graph.order)
    yield "cycles", write_records(graph.cycles)
    yield "report", graph.report + "\n" if graph.report else ""


def read_case(text: str) -> Case:
    """The opposite of `write_case`."""
    parts = _HEADER.split(text)
    found = dict(zip(parts[1::2], (body.removeprefix("\n") for body in parts[2::2]), strict=True))
    graph = read_graph(lambda name: found.get(name, ""))
    return Case(found["manifest.pp"], json.loads(found["catalog.json"]), graph)


def read_graph(section: Callable[[str], str]) -> PuppetGraph:
    """Read a graph from the texts of its sections."""
    return PuppetGraph(
        relationships=read_edges(section("relationships")),
        dropped=read_dropped(section("dropped")),
        expanded=read_edges(section("expanded")),
        order=tuple(fields[0] for fields in read_records(section("order"))),
        cycles=tuple(read_records(section("cycles"))),
        report=section("report").removesuffix("\n"),
    )
