"""Catalogs compiled by real Puppet: command line output, agent cache, PuppetDB (both forms)."""

from __future__ import annotations

from analyzer.model.catalog import Catalog
from analyzer.model.names import canonical_ref, split_ref
from analyzer.model.resource import Resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from analyzer.model.completeness import Gap

# PuppetDB's words for relationships; source comes before target (synthesize_edges).
PUPPETDB_LABELS = {
    "before": "before",
    "notifies": "notify",
    "required-by": "require",
    "subscription-of": "subscribe",
}


def load(data: bytes, path: str) -> list[Catalog]:
    """Read one JSON document: a catalog, or a list of them as PuppetDB's query answers.

    Raises:
        InputError: the data is no JSON, or not a catalog.
    """
    document = parse_json(data, path)
    documents = document if isinstance(document, list) else [document]
    if not documents:
        reject("the list of catalogs is empty", path)
    return [from_document(one, path) for one in documents]


def parse_json(data: bytes, path: str) -> Any:
    """Parse JSON text, tolerating the log lines that `puppet catalog compile` prints before it.

    The C scanner is called directly: `import json` costs as much as the interpreter's start.
    """
    text = decode(data, path)
    start = document_start(text)
    if start is None:
        reject("the file holds no JSON document", path)
    try:
        value, end = scan(text, start)
    except StopIteration as stop:
        offset = stop.value if isinstance(stop.value, int) else start
        ended = not text[offset:].strip()
        message = "this is not JSON: it ends too early" if ended else "this is not JSON"
        reject(message, path, text, offset)
    except ValueError as error:
        reject(f"this is not JSON: {error.args[0].split(':')[0]}", path, text, error_offset(error))
    except RecursionError:
        reject("the document is nested too deeply", path)
    if text[end:].strip(" \t\r\n"):
        rest = end + len(text[end:]) - len(text[end:].lstrip(" \t\r\n"))
        reject("text follows the JSON document", path, text, rest)
    return value


def scan(text: str, start: int) -> Any:
    """Return the value at an offset, and where it ends.

    Before Python 3.12 the C scanner cannot raise its own error while `json.decoder` is not loaded.
    """
    try:
        return scanner()(text, start)
    except SystemError:
        __import__("json.decoder")
        return scanner()(text, start)


def scanner() -> Any:
    """Return a function (text, index) -> (value, end) that reads one JSON value."""
    try:
        from _json import make_scanner
    except ImportError:
        from json import JSONDecoder

        return JSONDecoder(strict=False).raw_decode
    return make_scanner(ScannerSettings())  # type: ignore[arg-type]


class ScannerSettings:
    """What the C scanner wants to know; JSON's extra constants are taken as Python has them."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def error_offset(error: ValueError) -> int:
    """Return where in the text a JSON error was noticed."""
    position = getattr(error, "pos", 0)
    return position if isinstance(position, int) else 0


def decode(data: bytes, path: str) -> str:
    """Return the text of a file: gzip is unpacked, a byte order mark dropped; UTF-8 only."""
    if data[:2] == b"\x1f\x8b":
        data = gunzip(data, path)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        reject("this is UTF-16; catalogs are UTF-8", path)
    try:
        return str(data, "utf-8-sig" if data[:3] == b"\xef\xbb\xbf" else "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reject(f"byte {error.start} on line {line} is not UTF-8", path)


def gunzip(data: bytes, path: str) -> bytes:
    """Unpack gzip data."""
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        reject(f"the gzip data is damaged: {error}", path)


def document_start(text: str) -> int | None:
    """Return where the JSON begins: the first line that starts with a brace or a bracket.

    A bracket counts on the first line only: log lines may begin with one, catalogs do not.
    """
    index = len(text) - len(text.lstrip(" \t\r\n"))
    if text[index : index + 1] in ("{", "["):
        return index
    index = text.find("\n{")
    if index >= 0:
        return index + 1
    return len(text) - len(text.lstrip(" \t\r\n")) if text.strip() else None


def reject(message: str, path: str, text: str = "", offset: int | None = None) -> NoReturn:
    """Raise the one error for input that cannot be read, with place and caret where known."""
    from analyzer.diagnostics import InputError
    from analyzer.source import Span, caret_snippet

    if offset is None:
        raise InputError(message, Span(path), "bad-catalog")
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    raise InputError(
        message, Span(path, line, column), "bad-json", caret_snippet(text, line, column)
    )


def from_document(document: Any, path: str) -> Catalog:
    """Turn one parsed document into a catalog.

    Raises:
        InputError: it has no list of resources, or a resource without type or title.
    """
    body = unwrap(document, path)
    resources = members(body.get("resources"))
    if resources is None:
        reject("this JSON is no catalog: it has no list 'resources'", path)
    warnings: list[str] = []
    catalog = Catalog([resource_of(row, i, path) for i, row in enumerate(resources)], [])
    catalog.warnings = warnings
    catalog.path = path
    catalog.name = text_of(body.get("name") or body.get("certname"))
    catalog.environment = text_of(body.get("environment"))
    catalog.version = body.get("version")
    form = body.get("catalog_format")
    catalog.format = form if isinstance(form, int) else 0
    classes = body.get("classes")
    catalog.classes = [text_of(c) for c in classes] if isinstance(classes, list) else []
    read_edges(catalog, body.get("edges"))
    if "incomplete" in body:
        catalog.gaps = [gap_of(row) for row in members(body["incomplete"]) or ()]
    if "certname" in body or "producer_timestamp" in body:
        catalog.ordered = False
        warnings.append("PuppetDB does not keep the order of declaration: 'order' may differ")
    return catalog


def unwrap(document: Any, path: str) -> dict[str, Any]:
    """Return the mapping that holds the resources, taking off Puppet 3's and 4's envelope."""
    if not isinstance(document, dict):
        reject(f"this JSON is no catalog: it is {json_name(document)}, not an object", path)
    inner = document.get("data")
    if isinstance(inner, dict) and "resources" in inner and "resources" not in document:
        return inner
    inner = document.get("catalog")
    if isinstance(inner, dict) and "resources" in inner and "resources" not in document:
        return inner
    return document


def members(value: Any) -> list[Any] | None:
    """Return a list as stored, or from the query form `{"data": [...], "href": ...}`."""
    if isinstance(value, dict):
        value = value.get("data")
    return value if isinstance(value, list) else None


def resource_of(row: Any, index: int, path: str) -> Resource:
    """Read one resource; parameters that are null or rich data are kept as they are."""
    try:
        kind, title = row["type"], row["title"]
    except (KeyError, TypeError):
        reject(f"resource number {index + 1} has no 'type' or no 'title'", path)
    if type(kind) is not str or not kind:
        reject(f"resource number {index + 1}: 'type' is {json_name(kind)}, not a string", path)
    if type(title) is not str:
        if isinstance(title, (dict, list)) or title is None:
            reject(
                f"resource number {index + 1}: 'title' is {json_name(title)}, not a string", path
            )
        title = text_of(title)
    get = row.get
    parameters = get("parameters")
    if type(parameters) is not dict:
        if parameters:
            reject(f"{kind}[{title}]: 'parameters' is {json_name(parameters)}, not an object", path)
        parameters = {}
    if kind == "Class" and title == "main":
        title = "Main"
    line = get("line")
    file = get("file")
    return Resource(
        kind,
        title,
        parameters,
        file if type(file) is str and file else None,
        line if type(line) is int else None,
        get("kind"),
        get("tags"),
        get("exported") is True,
        get("sensitive_parameters"),
    )


def text_of(value: Any) -> str:
    """Return a scalar as text; None is empty."""
    if value is True or value is False:
        return "true" if value else "false"
    return "" if value is None else str(value)


def json_name(value: Any) -> str:
    """Return JSON's name for the kind of a value."""
    if value is None:
        return "null"
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    return names.get(type(value), "a number")


def gap_of(row: Any) -> Gap:
    """Return what `catgraph compile` wrote of something that it did not know.

    What is odd about it takes nothing away: something is not known.
    """
    from analyzer.model.completeness import Gap
    from analyzer.source import Span

    given = row if isinstance(row, dict) else {}
    kind, name, reason, hint, file = (
        given[key] if isinstance(given.get(key), str) else ""
        for key in ("kind", "name", "reason", "hint", "file")
    )
    line, column = (given[key] if type(given.get(key)) is int else 0 for key in ("line", "column"))
    span = Span(file, line, column) if file else None
    hides = given.get("hides") is not False
    made: Any = kind or "undecided"
    return Gap(made, name or "something", reason or "it is not said why", span, hint, hides)


def read_edges(catalog: Catalog, value: Any) -> None:
    """Fill in containment, and relationships that only the edges tell of."""
    edges = members(value)
    if edges is None:
        catalog.warnings.append("the catalog has no edges: what contains what is not known")
        return
    containment = catalog.containment
    bad = 0
    for edge in edges:
        try:
            source, target = edge["source"], edge["target"]
        except (KeyError, TypeError):
            source, target = query_form(edge)
        if type(source) is dict:
            source = ref_of(source)
        if type(target) is dict:
            target = ref_of(target)
        if type(source) is not str or type(target) is not str:
            bad += 1
            continue
        label = edge.get("relationship", "contains")
        if label == "contains":
            containment.append((source, target))
        elif label in PUPPETDB_LABELS:
            catalog.extra_edges.append((source, target, PUPPETDB_LABELS[label]))
        else:
            bad += 1
    if bad:
        catalog.warnings.append(f"{bad} edges are not of a known form and were left out")


def query_form(edge: Any) -> tuple[Any, Any]:
    """Return source and target of PuppetDB's flat edge rows."""
    if not isinstance(edge, dict):
        return None, None
    return tuple(
        ref_of({"type": edge.get(f"{end}_type"), "title": edge.get(f"{end}_title")})
        for end in ("source", "target")
    )  # type: ignore[return-value]


def ref_of(value: dict[str, Any]) -> str | None:
    """Return the reference text of `{"type", "title"}`."""
    kind, title = value.get("type"), value.get("title")
    return f"{kind}[{title}]" if isinstance(kind, str) and title is not None else None


def normalized(ref: str) -> str:
    """Return a reference with Puppet's capitals."""
    parts = split_ref(ref)
    return canonical_ref(*parts) if parts else ref
