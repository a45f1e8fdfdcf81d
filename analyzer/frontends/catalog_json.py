"""Catalogs compiled by real Puppet: command line output, agent cache, PuppetDB (both forms)."""

from __future__ import annotations

from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

# PuppetDB's words for relationships; source comes before target (synthesize_edges).
PUPPETDB_LABELS = {
    "before": "before",
    "notifies": "notify",
    "required-by": "require",
    "subscription-of": "subscribe",
}

# Lists and objects that a value may be nested in: Puppet neither writes nor reads more (`json`'s
# max_nesting).
MOST_NESTED = 100

# What a catalog is called, a text or a number.
HEAD = ("name", "certname", "environment", "version")


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
        message = "this is not JSON" + ": it ends too early" * (not text[offset:].strip())
        reject(message, path, text, offset)
    except NumberError:
        refuse_number(text, start, path)
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

        return JSONDecoder(strict=False, parse_float=finite, parse_constant=finite).raw_decode
    return make_scanner(ScannerSettings())  # type: ignore[arg-type]


class NumberError(ValueError):
    """A number that JSON does not have: NaN, or one that no float is large enough for."""


def finite(text: str) -> float:
    """Return a number.

    Raises:
        NumberError: it is none, or infinite.
    """
    value = float(text)
    if value - value != 0.0:
        raise NumberError
    return value


class ScannerSettings:
    """What the C scanner wants to know."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = staticmethod(finite)
    parse_int = int
    parse_constant = staticmethod(finite)


def refuse_number(text: str, start: int, path: str) -> NoReturn:
    """Reject a document for a number that JSON does not have, and say where it stands."""
    from json import JSONDecoder

    from analyzer.frontends.catalog_checks import way_to_number

    document, _ = JSONDecoder(strict=False).raw_decode(text, start)
    reject(f"{way_to_number(document)}: NaN and infinite numbers are not JSON", path)


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
        reject(
            f"byte {error.start} on line {1 + data.count(10, 0, error.start)} is not UTF-8", path
        )


def gunzip(data: bytes, path: str) -> bytes:
    """Unpack gzip data."""
    import zlib

    from analyzer import reading

    try:
        return reading.gunzip(data, path)
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, OSError) and error.filename:
            reject(str(error.strerror), path)
        reject(f"the gzip data is damaged: {error}", path)


def document_start(text: str) -> int | None:
    """Return where the JSON begins: the first line that starts with a brace or a bracket.

    A bracket counts on the first line only: log lines may begin with one, catalogs do not.
    """
    first = len(text) - len(text.lstrip(" \t\r\n"))
    if text[first : first + 1] in ("{", "["):
        return first
    return text.find("\n{") + 1 or (first if text.strip() else None)


def reject(message: str, path: str, text: str = "", offset: int | None = None) -> NoReturn:
    """Raise the one error for input that cannot be read, with place and caret where known."""
    from analyzer.diagnostics import InputError
    from analyzer.source import Span, caret_snippet, place_of

    if offset is None:
        raise InputError(message, Span(path), "bad-catalog")
    line, column = place_of(text, offset)
    snippet = caret_snippet(text, line, column)
    raise InputError(message, Span(path, line, column), "bad-json", snippet)


def from_document(document: Any, path: str) -> Catalog:
    """Turn one parsed document into a catalog.

    Raises:
        InputError: something in it is not what it is in a catalog of Puppet or PuppetDB; the
            message says where it stands.
    """
    body = unwrap(document, path)
    rows = members(body.get("resources"))
    if rows is None:
        reject("this JSON is no catalog: it has no list 'resources'", path)
    warnings: list[str] = []
    catalog = Catalog(resources_of(rows, path), [])
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
    return catalog


def check_head(body: dict[str, Any], path: str) -> None:
    """Refuse a catalog that is not called what Puppet calls one, or whose classes have no names."""
    classes = body.get("classes")
    odd = classes is not None and (
        type(classes) is not list or any(type(name) is not str for name in classes)
    )
    if odd or any(isinstance(body.get(name), (dict, list)) for name in HEAD):
        from analyzer.frontends.catalog_checks import refuse_head

        refuse_head(body, path)


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


def resources_of(rows: list[Any], path: str) -> list[Resource]:
    """Read the resources."""
    found = []
    for index, row in enumerate(rows):
        try:
            found.append(resource_of(row))
        except (KeyError, TypeError, AttributeError):
            from analyzer.frontends.catalog_checks import checked_row

            found.append(resource_of(checked_row(row, index, path)))
    return found


def resource_of(row: dict[str, Any]) -> Resource:
    """Read one resource; parameters that are null or rich data are kept as they are.

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
    if (tags and not all_texts(tags)) or (sensitive and not all_texts(sensitive)):
        raise TypeError
    if parameters is None:
        parameters = {}
    for value in parameters.values():
        if type(value) is list:
            if not all_texts(value) and nesting(value) > MOST_NESTED:
                raise TypeError
        elif type(value) is dict and nesting(value) > MOST_NESTED:
            raise TypeError
    if kind == "Class" and title == "main":
        title = "Main"
    return Resource(
        kind, title, parameters, file or None, line, form, tags, exported is True, sensitive
    )


def all_texts(values: list[Any]) -> bool:
    """Tell whether a list holds texts only; joining them is the quickest way to see."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def nesting(value: Any) -> int:
    """Return how deeply lists and objects are nested; counting ends soon after MOST_NESTED."""
    depth = 0
    level = [value]
    while level and depth <= MOST_NESTED:
        depth += 1
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is list or type(inner) is dict
        ]
    return depth


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


def read_edges(catalog: Catalog, value: Any) -> None:
    """Fill in containment, and relationships that only the edges tell of."""
    edges = members(value)
    if edges is None:
        if value is not None:
            reject(f"edges: expected a list, got {json_name(value)}", catalog.path)
        catalog.warnings.append("the catalog has no edges: what contains what is not known")
        return
    containment = catalog.containment
    unknown = 0
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
            containment.append((source, target))
        elif label in PUPPETDB_LABELS:
            catalog.extra_edges.append((source, target, PUPPETDB_LABELS[label]))
            catalog.edges_from = "PuppetDB"
        else:
            unknown += 1
    if unknown:
        catalog.warnings.append(f"{unknown} edges are not of a known form and were left out")


def other_edge(edge: Any, index: int, path: str) -> tuple[str, str, str]:
    """Return source, target and relationship of an edge of PuppetDB's query, whose rows are flat.

    Raises:
        InputError: it is none either.
    """
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


def ref_of(value: dict[str, Any]) -> str:
    """Return the reference text of `{"type", "title"}`.

    Raises:
        KeyError, TypeError: it is not that.
    """
    kind, title = value["type"], value["title"]
    if type(kind) is not str or type(title) is not str:
        raise TypeError
    return f"{kind}[{title}]"
