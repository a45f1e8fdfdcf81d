"""Templates in the language Mustache, as CFEngine fills them in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from analyzer.frontends.cfengine.policy.json_output import compact, written
from analyzer.frontends.cfengine.policy.unknown import NoResult, Unknown, UnknownResult
from analyzer.frontends.cfengine.policy.variables import text_of

TAG = r"%s(?:\{\s*(?P<raw>.*?)\s*\}|\s*(?P<kind>[#^/!&=%%$]?)\s*(?P<name>.*?)\s*(?P<end>=?))%s"
REST_OF_LINE = re.compile(r"[ \t]*(\r?\n|\Z)")
ESCAPES = {"&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;"}
DEEPEST, LONGEST = 50, 1_000_000
Part = tuple[str, str, list[Any]]
# A container with its key in the one around it.
Item = tuple[str, Any]


def rendered(template: str, data: Any) -> str:
    """Return a template filled in with a container.

    Raises:
        NoResult: it is not a template.
        UnknownResult: it is too long.
    """
    parts, rest = parsed(list(pieces(template)), 0, "", 0)
    if rest:
        raise NoResult("a section that is not begun")
    text = "".join(filled(parts, [("", data)], 0))
    if len(text) > LONGEST:
        raise UnknownResult("the text of a template is too long")
    return text


def pieces(template: str) -> Iterator[tuple[str, str]]:
    """Yield the texts and tags of a template; a line with only a section tag is left out."""
    position, delimiters = 0, ("{{", "}}")
    while True:
        pattern = TAG % (re.escape(delimiters[0]), re.escape(delimiters[1]))
        tag = re.compile(pattern, re.DOTALL).search(template, position)
        if tag is None:
            yield "text", template[position:]
            return
        start, end = tag.span()
        kind = "&" if tag["raw"] is not None else tag["kind"]
        name = tag["raw"] if tag["raw"] is not None else tag["name"]
        before = template[position:start]
        line = template[template.rfind("\n", 0, start) + 1 : start]
        after = REST_OF_LINE.match(template, end)
        if kind and kind in "#^/!=" and not line.strip(" \t") and after:
            before = before[: len(before) - len(line)] if line else before
            end = after.end()
        yield "text", before
        if kind == "=":
            words = name.split()
            if len(words) != 2:
                raise NoResult(name)
            delimiters = words[0], words[1]
        else:
            yield kind, name
        position = end


def parsed(
    rows: list[tuple[str, str]], place: int, section: str, depth: int
) -> tuple[list[Part], int]:
    """Return the parts of a section, and where the next one begins; 0 at the end."""
    parts: list[Part] = []
    if depth > DEEPEST:
        raise UnknownResult("a template is nested too deep")
    while place < len(rows):
        kind, name = rows[place]
        place += 1
        if kind in ("#", "^"):
            inner, place = parsed(rows, place, name, depth + 1)
            if not place:
                raise NoResult(name)
            parts.append((kind, name, inner))
        elif kind == "/":
            # Measured: it ends the current section, whatever its name is.
            if not section:
                raise NoResult(name)
            return parts, place
        elif kind != "!":
            parts.append((kind, name, []))
    if section:
        raise NoResult(section)
    return parts, 0


def filled(parts: list[Part], stack: list[Item], depth: int) -> list[str]:
    """Return the texts of parts; the innermost container is the last of the stack."""
    texts: list[str] = []
    for kind, name, inner in parts:
        if kind == "text":
            texts.append(name)
            continue
        found = look_up(name, stack)
        if kind == "#":
            for item in items_of(found, inner):
                texts += filled(inner, [*stack, item], depth + 1)
        elif kind == "^":
            if not isinstance(found, dict) and not items_of(found, inner):
                texts += filled(inner, stack, depth + 1)
        else:
            texts.append(shown(found, kind))
    return texts


def items_of(value: Any, inner: list[Part]) -> list[Item]:
    """Return the items for which a section is repeated, with their keys.

    A section of an object is repeated for its members if the key of one stands directly in it.

    Raises:
        NoResult: the value is a text or a number.
    """
    if isinstance(value, list):
        return [(str(place), item) for place, item in enumerate(value)]
    if isinstance(value, dict):
        before = [part for part in inner if part[0] in ("#", "^")][:1]
        own = inner[: inner.index(before[0])] if before else inner
        keyed = any(kind in ("", "&") and name == "@" for kind, name, _ in own)
        return list(value.items()) if keyed and value else [("", value)]
    if value is None or isinstance(value, bool):
        return [("", value)] if value else []
    raise NoResult(f"a section for the text {value!r}")


def shown(value: Any, kind: str) -> str:
    """Return a value as a tag shows it."""
    if kind == "%":
        return written(value)
    if kind == "$":
        return compact(value)
    if isinstance(value, list | dict):
        raise NoResult("a container in a text")
    text = "" if value is None else f"{value:.2f}" if isinstance(value, float) else text_of(value)
    return text if kind == "&" else "".join(ESCAPES.get(char, char) for char in text)


def look_up(name: str, stack: list[Item]) -> Any:
    """Return the value of a name with dots, from the innermost container on.

    Raises:
        NoResult: it is the key of an item where no item is.
    """
    if name == "@" or not name:
        if not stack[-1][0]:
            raise NoResult("@")
        return stack[-1][0]
    if name in (".", "-top-"):
        return stack[-1][1] if name == "." else stack[0][1]
    first, *rest = name.split(".")
    for _, data in reversed(stack):
        if isinstance(data, dict) and first in data:
            value = data[first]
            for part in rest:
                value = value.get(part) if isinstance(value, dict) else None
            if isinstance(value, Unknown):
                raise UnknownResult(value)
            return value
    return None
