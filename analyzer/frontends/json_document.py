"""Reads a JSON document, and refuses one with the place in the text or in the document."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from analyzer.model.documents import JsonObject

    Scanner = Callable[[str, int], tuple[object, int]]

# Lists and objects that a value may be nested in: Puppet neither writes nor reads more (`json`'s
# max_nesting).
MOST_NESTED = 100


def parse_json(data: bytes, path: str) -> object:
    """Parse a JSON file, as `parse_text`."""
    return parse_text(decode(data, path), path)


def parse_text(text: str, path: str, hook: Callable[[JsonObject], object] | None = None) -> object:
    """Parse JSON text, tolerating the log lines that `puppet catalog compile` prints before it.

    `hook` returns what stands for an object in the result. The C scanner is called directly:
    `import json` costs as much as the interpreter's start.
    """
    start = document_start(text)
    if start is None:
        reject("the file has no JSON document", path)
    try:
        value, end = scan(text, start, hook)
    except StopIteration as stop:
        offset = stop.value if isinstance(stop.value, int) else start
        message = "this is not JSON" + ": it ends too early" * (not text[offset:].strip())
        reject(message, path, text, offset)
    except NumberError:
        refuse_number(text, start, path)
    except (ValueError, RecursionError) as error:
        refuse_text(error, text, path)
    if text[end:].strip(" \t\r\n"):
        rest = end + len(text[end:]) - len(text[end:].lstrip(" \t\r\n"))
        reject("text follows the JSON document", path, text, rest)
    return value


def scan(
    text: str, start: int, hook: Callable[[JsonObject], object] | None = None
) -> tuple[object, int]:
    """Return the value at an offset, and where it ends.

    Before Python 3.12 the C scanner cannot raise its own error while `json.decoder` is not loaded.
    """
    try:
        return scanner(hook)(text, start)
    except SystemError:
        __import__("json.decoder")
        return scanner(hook)(text, start)


def scanner(hook: Callable[[JsonObject], object] | None) -> Scanner:
    """Return a function (text, index) -> (value, end) that reads one JSON value."""
    try:
        from _json import make_scanner
    except ImportError:
        from json import JSONDecoder

        return JSONDecoder(
            strict=False, object_hook=hook, parse_float=finite, parse_constant=finite
        ).raw_decode
    return make_scanner(ScannerSettings(hook))  # type: ignore[arg-type]


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
    """The settings of the C scanner."""

    strict = False
    object_pairs_hook = None
    parse_float = staticmethod(finite)
    parse_int = int
    parse_constant = staticmethod(finite)

    def __init__(self, hook: Callable[[JsonObject], object] | None) -> None:
        self.object_hook = hook


def refuse_number(text: str, start: int, path: str) -> NoReturn:
    """Reject a document for a number that JSON does not have, and say where it stands."""
    from json import JSONDecoder

    try:
        document, _ = JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        refuse_text(error, text, path)
    reject(f"{way_to_number(document)}: NaN and infinite numbers are not JSON", path)


def refuse_text(error: ValueError | RecursionError, text: str, path: str) -> NoReturn:
    """Reject a document for an error of the parser."""
    if isinstance(error, RecursionError):
        reject("the document is nested too deeply", path)
    reject(f"this is not JSON: {error.args[0].split(':')[0]}", path, text, error_offset(error))


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


def nesting(value: object) -> int:
    """Return how deeply lists and objects are nested; counting ends soon after MOST_NESTED."""
    depth = 0
    level = [value] if isinstance(value, list | dict) else []
    while level and depth <= MOST_NESTED:
        depth += 1
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, list | dict)
        ]
    return depth


def text_of(value: object) -> str:
    """Return a scalar as text; None is empty."""
    if value is True or value is False:
        return "true" if value else "false"
    return "" if value is None else str(value)


def json_name(value: object) -> str:
    """Return JSON's name for the kind of a value."""
    if value is None:
        return "null"
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean"}
    return names.get(type(value), "a number")


def key_of(name: str) -> str:
    """Return a step of a JSON path to a key of an object."""
    return f".{name}" if name.isidentifier() else f"[{name!r}]"


def way_to_number(document: object) -> str:
    """Return the JSON path of the first number that is not finite."""
    ahead = [("", document)]
    while ahead:
        place, value = ahead.pop()
        if type(value) is float and value - value != 0.0:
            return place.removeprefix(".") or "the document"
        if type(value) is dict:
            ahead += [(place + key_of(name), inner) for name, inner in value.items()][::-1]
        elif type(value) is list:
            ahead += [(f"{place}[{i}]", inner) for i, inner in enumerate(value)][::-1]
    return "somewhere"
