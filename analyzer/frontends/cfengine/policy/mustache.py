"""Templates in the language Mustache, as CFEngine fills them in."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.cfengine.policy.json_output import compact, written
from analyzer.frontends.cfengine.policy.unknown import NoResult, UnknownResult
from analyzer.frontends.cfengine.policy.variables import text_of

TAG = re.compile(
    r"\{\{(?:\{\s*(?P<raw>[^}]*?)\s*\}|\s*(?P<kind>[#^/!&=%$@]?)\s*(?P<name>[^}]*?)\s*)\}\}",
    re.DOTALL,
)
ESCAPES = {"&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;"}
DEEPEST, LONGEST = 50, 1_000_000
Part = tuple[str, str, list[Any]]
# A container with its key in the one around it.
Item = tuple[str, Any]


def rendered(template: str, data: Any) -> str:
    """Return a template filled in with a container.

    Raises:
        NoResult: it is not a template.
        UnknownResult: it is too long, or has other delimiters.
    """
    parts, rest = parsed(list(pieces(template)), 0, "", 0)
    if rest:
        raise NoResult("a section that is not begun")
    text = "".join(filled(parts, [("", data)], 0))
    if len(text) > LONGEST:
        raise UnknownResult("the text of a template is too long")
    return text


def pieces(template: str) -> list[tuple[str, str]]:
    """Return the texts and tags of a template; a line with only a section tag is left out."""
    found: list[tuple[str, str]] = []
    position = 0
    for tag in TAG.finditer(template):
        start, end = tag.span()
        kind = "&" if tag["raw"] is not None else tag["kind"]
        name = tag["raw"] if tag["raw"] is not None else tag["name"]
        if kind == "=":
            raise UnknownResult("other delimiters of templates are not read here")
        before = template[position:start]
        line = template[template.rfind("\n", 0, start) + 1 : start]
        after = re.compile(r"[ \t]*(\r?\n|\Z)").match(template, end)
        if kind in "#^/!" and kind and not line.strip(" \t") and after and start >= position:
            before = before[: len(before) - len(line)] if line else before
            end = after.end()
        found.append(("text", before))
        found.append((kind, name))
        position = end
    return [*found, ("text", template[position:])]


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
            if name != section:
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
            for item in items_of(found, name):
                texts += filled(inner, [*stack, item], depth + 1)
        elif kind == "^":
            if not items_of(found, name):
                texts += filled(inner, stack, depth + 1)
        else:
            texts.append(shown(found, kind))
    return texts


def items_of(value: Any, name: str) -> list[Item]:
    """Return the items for which a section is repeated, with their keys."""
    if isinstance(value, list):
        return [(str(place), item) for place, item in enumerate(value)]
    if isinstance(value, dict) and name in ("-top-", "."):
        return list(value.items())
    if value is None or isinstance(value, bool | dict):
        return [("", value)] if value else []
    raise NoResult(f"a section for the text {value!r}")


def shown(value: Any, kind: str) -> str:
    """Return a value as a tag shows it."""
    if kind == "%":
        return written(value)
    if kind == "$":
        return compact(value)
    if value is None or isinstance(value, list | dict):
        return ""
    text = text_of(value)
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
            return value
    return None
