"""Catalogs compiled by real Puppet: command line output, agent cache, PuppetDB (both forms)."""

from __future__ import annotations

from analyzer.frontends.catalog_rows import (
    NEAR,
    all_texts,
    list_at,
    pairs_at,
    resources_at,
    resources_in,
)
from analyzer.frontends.json_document import SPACE, json_name, parse_text, reject, scan, text_of
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.frontends.catalog_rows import Known
    from analyzer.model.documents import JsonObject

# PuppetDB's words for relationships; source comes before target (synthesize_edges).
PUPPETDB_LABELS = {
    "before": "before",
    "notifies": "notify",
    "required-by": "require",
    "subscription-of": "subscribe",
}

# The keys that name a catalog: texts or numbers.
HEAD = ("name", "certname", "environment", "version")


def load(text: str, path: str) -> list[Catalog]:
    """Read one JSON document: a catalog, or a list of them as PuppetDB's query answers.

    Raises:
        InputError: the text is no JSON, or not a catalog.
    """
    return usual_catalogs(text, path) or catalogs_of(parse_text(text, path), path)


def usual_catalogs(text: str, path: str) -> list[Catalog] | None:
    """Return the catalogs of a document with nothing odd in it, else None."""
    try:
        if text[:1] == "[":
            known: Known = {}
            return [from_document(one, path, known) for one in one_by_one(text)]
        return [from_document(sliced(text, path), path)]
    except Exception:  # What is wrong is said of the document as it stands.
        return None


def one_by_one(text: str) -> Iterator[object]:
    """Yield the values of a list, each parsed after the one before is done with.

    Raises:
        Exception: something in it is odd.
    """
    at = 1
    while True:
        at += len(text[at : at + NEAR]) - len(text[at : at + NEAR].lstrip(SPACE))
        value, at = scan(text, at)
        yield value
        rest = text[at : at + NEAR].lstrip(SPACE)
        at = text.index(rest[0], at) + 1
        if rest[0] == "]" and not text[at:].strip(SPACE):
            return
        if rest[0] != ",":
            raise ValueError


def sliced(text: str, path: str) -> object:
    """Return a document with its long lists read already.

    The rest is parsed with NaN, which JSON does not have, in place of these lists.

    Raises:
        Exception: something in it is odd.
    """
    known: Known = {}
    begin = list_at("resources", text, 0, len(text))
    rest = [text[:begin]]
    rows, at = resources_at(text, begin, known)
    lists: list[object] = [rows]
    if '"edges":' in text[at : at + NEAR]:
        begin = list_at("edges", text, at, at + NEAR)
        found = pairs_at(text, begin, known)
        if found:
            rest.append(text[at:begin])
            lists.append(found[0])
            at = found[1]
    following = iter(lists)
    document = parse_text("NaN".join([*rest, text[at:]]), path, lambda _: next(following))
    body = unwrap(document, path)
    placed = [members(body.get(name)) for name in ("resources", "edges")]
    # Otherwise a parameter's value looks like a list of resources.
    if any(found is not wanted for found, wanted in zip(placed, lists, strict=False)):
        raise ValueError
    return document


def listed(document: Any) -> list[Any]:
    """Return the catalogs of a document, one or many."""
    return document if isinstance(document, list) else [document]


def catalogs_of(document: Any, path: str) -> list[Catalog]:
    """Return the catalogs of a document.

    Raises:
        InputError: it is none.
    """
    documents = listed(document)
    if not documents:
        reject("the list of catalogs is empty", path)
    return [from_document(one, path) for one in documents]


def from_document(document: object, path: str, known: Known | None = None) -> Catalog:
    """Turn one parsed document into a catalog; `known` are texts of other catalogs.

    Raises:
        InputError: something in it is not what it is in a catalog of Puppet or PuppetDB; the
            message says where it stands.
    """
    body = unwrap(document, path)
    rows = members(body.get("resources"))
    if rows is None:
        reject("this JSON is not a catalog: it has no list 'resources'", path)
    warnings: list[str] = []
    catalog = Catalog(resources_of(rows, path, {} if known is None else known), [])
    catalog.warnings = warnings
    catalog.path = path
    check_head(body, path)
    catalog.name = text_of(body.get("name") or body.get("certname"))
    catalog.environment = text_of(body.get("environment"))
    catalog.version = body.get("version")
    form = body.get("catalog_format")
    catalog.format = form if type(form) is int else 0
    catalog.classes = body.get("classes") or []
    read_edges(catalog, body.get("edges"))
    if "incomplete" in body or "automatic" in body:
        from analyzer.frontends.catalog_gaps import read_compile

        read_compile(catalog, body)
    if "certname" in body or "producer_timestamp" in body:
        catalog.ordered = False
        warnings.append("PuppetDB does not keep the order of declaration: 'order' may differ")
        if catalog.containment and any(one.exported for one in catalog.resources):
            from analyzer.frontends.puppetdb_exports import leave_out_exports

            leave_out_exports(catalog)
    return catalog


def check_head(body: dict[str, object], path: str) -> None:
    """Refuse a catalog that is not called what Puppet calls one, or whose classes have no names."""
    classes = body.get("classes")
    odd = classes is not None and (
        type(classes) is not list or any(type(name) is not str for name in classes)
    )
    if odd or any(isinstance(body.get(name), (dict, list)) for name in HEAD):
        from analyzer.frontends.catalog_checks import refuse_head

        refuse_head(body, HEAD, path)


def unwrap(document: object, path: str) -> JsonObject:
    """Return the mapping that holds the resources, taking off Puppet 3's and 4's envelope."""
    if not isinstance(document, dict):
        reject(f"this JSON is not a catalog: it is {json_name(document)}, not an object", path)
    inner = document.get("data")
    if isinstance(inner, dict) and "resources" in inner and "resources" not in document:
        return inner
    inner = document.get("catalog")
    if isinstance(inner, dict) and "resources" in inner and "resources" not in document:
        return inner
    return document


def members(value: object) -> list[Any] | None:
    """Return a list as stored, or from the query form `{"data": [...], "href": ...}`."""
    if isinstance(value, dict):
        value = value.get("data")
    return value if isinstance(value, list) else None


def resources_of(rows: list[Any], path: str, known: Known) -> list[Resource]:
    """Read the resources."""
    if {*map(type, rows)} == {Resource}:
        return rows
    try:
        return [*resources_in(rows, known)]
    except (KeyError, TypeError, AttributeError):
        from analyzer.frontends.catalog_checks import checked_row

        checked = [checked_row(row, index, path) for index, row in enumerate(rows)]
        return [*resources_in(checked, known)]


def read_edges(catalog: Catalog, value: object) -> None:
    """Fill in containment, and relationships that only the edges tell of."""
    edges = members(value)
    if edges is None:
        if value is not None:
            reject(f"edges: expected a list, got {json_name(value)}", catalog.path)
        catalog.warnings.append("the catalog has no edges: containment is unknown")
    elif {*map(type, edges)} == {tuple}:
        catalog.containment = edges
    else:
        read_other_edges(catalog, edges)


def read_other_edges(catalog: Catalog, edges: list[Any]) -> None:
    """Fill in containment and relationships from edges that are not all of the usual form."""
    containment = catalog.containment
    unknown = 0
    once: dict[str, str] = {}
    for index, edge in enumerate(edges):
        try:
            source, target = edge["source"], edge["target"]
            if type(source) is dict:
                source, target = ref_of(source), ref_of(target)
            label = edge.get("relationship", "contains")
            if type(source) is not str or type(target) is not str or type(label) is not str:
                raise TypeError
        except (KeyError, TypeError, AttributeError):
            source, target, label = other_edge(edge, index, catalog.path)
        if label == "contains":
            containment.append((once.setdefault(source, source), target))
        elif label in PUPPETDB_LABELS:
            catalog.extra_edges.append((source, target, PUPPETDB_LABELS[label]))
            catalog.edges_from = "PuppetDB"
        else:
            unknown += 1
    if unknown:
        catalog.warnings.append(f"{unknown} edges have an unknown form and were left out")


def other_edge(edge: Any, index: int, path: str) -> tuple[str, str, str]:
    """Return source, target and relationship of a pair, or of a flat row of PuppetDB's query.

    Raises:
        InputError: it is none of them.
    """
    if type(edge) is tuple:
        return (*edge, "contains")
    try:
        source = edge["source_type"], edge["source_title"]
        target = edge["target_type"], edge["target_title"]
        label = edge["relationship"]
        if all_texts([*source, *target, label]):
            return f"{source[0]}[{source[1]}]", f"{target[0]}[{target[1]}]", label
    except (KeyError, TypeError, AttributeError):
        pass
    from analyzer.frontends.catalog_checks import checked_edge

    return checked_edge(edge, index, path)


def ref_of(value: dict[str, object]) -> str:
    """Return the reference text of `{"type", "title"}`.

    Raises:
        KeyError, TypeError: it is not that.
    """
    kind, title = value["type"], value["title"]
    if type(kind) is not str or type(title) is not str:
        raise TypeError
    return f"{kind}[{title}]"
