"""Reads JSON as CFEngine does in policies: names without quotes, and stray commas, are allowed.

Facts: JsonParse of libntech's json.c. What follows the value is not looked at.
"""

from __future__ import annotations

import re

from analyzer.frontends.cfengine.syntax.ast import Call, Data, Scalar, Value

SPACE = " \t\n\r\v\f"
ESCAPES = {"\\": "\\", '"': '"', "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?(?=[\s,\]}]|\Z)")
WORD = re.compile(r"(true|false|null)(?=[\s,\]}]|\Z)")
BARE_KEY = re.compile(r"([A-Za-z0-9_][-A-Za-z0-9_]*)\s*:", re.ASCII)
WORDS = {"true": True, "false": False, "null": None}
DEEPEST = 200


class NoJson(ValueError):
    """The text is no JSON, even for CFEngine."""


def read_json(text: str) -> object:
    """Return the value with which a text begins.

    Raises:
        NoJson: it begins with none.
    """
    start = after_space(text, 0)
    if text.startswith(("{", "["), start):
        return read_container(text, start, 0)[0]
    return read_plain(text, start)[0]


def after_space(text: str, position: int) -> int:
    """Return the next place that is no blank."""
    while position < len(text) and text[position] in SPACE:
        position += 1
    return position


def read_container(text: str, start: int, depth: int) -> tuple[object, int]:
    """Read an object or an array."""
    if depth > DEEPEST:
        raise NoJson
    reader = read_object if text[start] == "{" else read_array
    return reader(text, start, depth + 1)


def read_plain(text: str, start: int) -> tuple[object, int]:
    """Read a string, a number or a word."""
    if text.startswith('"', start):
        raw, end = read_string(text, start)
        return decoded(raw), end
    number = NUMBER.match(text, start)
    if number:
        whole = not number[1]
        try:
            return (int(number[0]) if whole else float(number[0])), number.end()
        except ValueError:
            return float(number[0]), number.end()
    word = WORD.match(text, start)
    if word:
        return WORDS[word[1]], word.end()
    raise NoJson


def read_string(text: str, start: int) -> tuple[str, int]:
    """Read a string; an escape that CFEngine does not know is kept."""
    parts: list[str] = []
    position = start + 1
    while position < len(text):
        char = text[position]
        if char == '"':
            return "".join(parts), position + 1
        if char == "\\":
            position += 1
            following = text[position : position + 1]
            char = ESCAPES.get(following, "\\" + following)
        parts.append(char)
        position += 1
    raise NoJson


def decoded(text: str) -> str:
    """Undo the escapes that remain after reading, as CFEngine does."""
    if "\\" not in text:
        return text
    return re.sub(r'\\([\\"bfnrt])', lambda found: ESCAPES[found[1]], text)


def read_array(text: str, start: int, depth: int) -> tuple[list[object], int]:
    """Read an array; between plain values the comma may be absent."""
    items: list[object] = []
    before = "["
    position = after_space(text, start + 1)
    while position < len(text):
        char = text[position]
        if char == "]":
            return items, position + 1
        if char == ",":
            if before in ",[":
                raise NoJson
            position += 1
        elif char in "[{":
            if before not in "[,":
                raise NoJson
            value, position = read_container(text, position, depth)
            items.append(value)
        else:
            value, position = read_plain(text, position)
            items.append(value)
        before = text[position - 1]
        position = after_space(text, position)
    raise NoJson


def read_object(text: str, start: int, depth: int) -> tuple[dict[str, object], int]:
    """Read an object; the colon may be absent, and a key without quotes needs no comma before."""
    items: dict[str, object] = {}
    key: str | None = None
    before = "{"
    position = after_space(text, start + 1)
    while position < len(text):
        char = text[position]
        if char == "}" and key is None:
            return items, position + 1
        if char in ":,":
            if before in ":," or (key is None) is (char == ":"):
                raise NoJson
            position += 1
        elif key is not None:
            plain = char not in "[{"
            value, position = (
                read_plain(text, position) if plain else read_container(text, position, depth)
            )
            items.pop(key, None)
            items[key] = value
            key = None
        elif char == '"':
            if before not in "{,":
                raise NoJson
            key, position = read_string(text, position)
        else:
            bare = BARE_KEY.match(text, position)
            if not bare:
                raise NoJson
            key, position = bare[1], bare.end()
        before = text[position - 1]
        position = after_space(text, position)
    raise NoJson


def container(text: str) -> Value:
    """Return data written as JSON or YAML; where that must wait, the call that will read it."""
    if len(text) > 3 and text[0] == "@" and text[1] in "({":
        return Call("mergedata", (Scalar(text[2:-1]),))
    yaml = len(text) > 3 and text.startswith("---")
    if "$(" not in text and "${" not in text:
        found = yaml_or_none(text) if yaml else json_or_none(text)
        if isinstance(found, dict | list):
            return Data(found)
    return Call("parseyaml" if yaml else "parsejson", (Scalar(text),))


def json_or_none(text: str) -> object:
    """Read JSON, None where it is none."""
    try:
        return read_json(text)
    except NoJson:
        return None


def yaml_or_none(text: str) -> object:
    """Read YAML, None where it is none."""
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None
