"""Catalogs compiled by real Puppet: command line output, agent cache, PuppetDB (both forms)."""

from __future__ import annotations

from sys import intern

from analyzer.frontends.containment import check_containment
from analyzer.frontends.json_document import (
    MOST_NESTED,
    json_name,
    nesting,
    parse_text,
    reject,
    text_of,
)
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
    rows = Rows()
    try:
        document = parse_text(text, path, rows.take)
        # Otherwise a parameter's value looks like a resource or an edge.
        if rows.made == sum(map(made_in, listed(document))):
            return catalogs_of(document, path)
    except Exception:  # What is wrong is said of the document as it stands.
        return None
    return None


class Rows:
    """Makes resources and pairs of references while the JSON of rows and edges is parsed.

    So a row takes up the memory of the one before: all rows of a large catalog at once are a third
    more memory, and a sixth more time. `known` are files, tags and references that occur again.
    """

    def __init__(self) -> None:
        self.made = 0
        self.known: dict[object, Any] = {}

    def take(self, row: JsonObject) -> object:
        """Return the resource or the pair that a row is, or what else it is."""
        found: object
        if "target" in row and len(row) == 2:
            source, target = row.get("source"), row["target"]
            if type(source) is not str or type(target) is not str:
                return row
            found = self.known.setdefault(source, source), self.known.get(target, target)
        elif "tags" in row and "title" in row:
            try:
                found = resource_of(row, self.known)
            except (KeyError, TypeError, AttributeError):
                return row
        else:
            return row
        self.made += 1
        return found


def made_in(document: Any) -> int:
    """Return how many of a catalog's rows and edges are resources and pairs already."""
    body = unwrap(document, "")
    rows, edges = (members(body.get(name)) or [] for name in ("resources", "edges"))
    return [*map(type, rows)].count(Resource) + [*map(type, edges)].count(tuple)


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


def from_document(document: object, path: str) -> Catalog:
    """Turn one parsed document into a catalog.

    Raises:
        InputError: something in it is not what it is in a catalog of Puppet or PuppetDB; the
            message says where it stands.
    """
    body = unwrap(document, path)
    rows = members(body.get("resources"))
    if rows is None:
        reject("this JSON is not a catalog: it has no list 'resources'", path)
    warnings: list[str] = []
    catalog = Catalog(resources_of(rows, path, warnings), [])
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
    check_containment(catalog)
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


def resources_of(rows: list[Any], path: str, warnings: list[str]) -> list[Resource]:
    """Read the resources; add the warnings about them."""
    if {*map(type, rows)} == {Resource}:
        return rows
    found = []
    known: dict[object, Any] = {}
    for index, row in enumerate(rows):
        try:
            found.append(row if type(row) is Resource else resource_of(row, known))
        except (KeyError, TypeError, AttributeError):
            from analyzer.frontends.catalog_checks import checked_row

            found.append(resource_of(checked_row(row, index, path, warnings), known))
    return found


def resource_of(row: JsonObject, known: dict[object, Any]) -> Resource:
    """Read one resource; parameters that are null or rich data are kept as they are.

    `known` are the files, tags and references of the others: equal texts are kept once.

    Raises:
        KeyError, TypeError, AttributeError: it is not what Puppet writes, or nested too deeply.
    """
    kind, title = row["type"], row["title"]
    get = row.get
    parameters, tags, sensitive = get("parameters"), get("tags"), get("sensitive_parameters")
    file, line, form, exported = get("file"), get("line"), get("kind"), get("exported")
    if (
        type(kind) is not str
        or type(title) is not str
        or not kind
        or (type(line) is not int and line is not None)
        or (type(file) is not str and file is not None)
        or (type(form) is not str and form is not None)
        or (exported is not False and exported is not True and exported is not None)
        or (type(tags) is not list and tags is not None)
        or (type(sensitive) is not list and sensitive is not None)
    ):
        raise TypeError
    if tags:
        tags = known.get(tuple(tags)) or new_tags(tags, known)
    # Joining refuses what is no text.
    if sensitive:
        "".join(sensitive)
    if parameters is None:
        parameters = {}
    for value in parameters.values():
        if type(value) is str:
            continue
        if type(value) is list and all_texts(value):
            value[:] = map(known.setdefault, value, value)
        elif isinstance(value, (dict, list)) and nesting(value) > MOST_NESTED:
            raise TypeError
    return Resource(
        intern(kind),
        "Main" if kind == "Class" and title == "main" else title,
        parameters,
        (file and known.setdefault(file, file)) or None,
        line,
        form and intern(form),
        tags,
        exported is True,
        sensitive,
    )


def new_tags(tags: list[str], known: dict[object, Any]) -> list[str]:
    """Return tags that no resource had before.

    Raises:
        TypeError: they are no texts.
    """
    "".join(tags)
    known[tuple(tags)] = tags
    return tags


def all_texts(values: list[Any]) -> bool:
    """Return whether a list holds texts only; joining them is the quickest way to see."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def read_edges(catalog: Catalog, value: object) -> None:
    """Fill in containment, and relationships that only the edges tell of."""
    edges = members(value)
    if edges is None:
        if value is not None:
            reject(f"edges: expected a list, got {json_name(value)}", catalog.path)
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
