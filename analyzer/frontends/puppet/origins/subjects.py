"""Subjects of a question about effects: a line of code or data, a key of Hiera, a fact."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from analyzer.formats import yaml_lines
from analyzer.formats.yaml_lines import Path
from analyzer.frontends.puppet.origins.contributors import Contributor
from analyzer.frontends.puppet.origins.data import DataPlace
from analyzer.frontends.puppet.origins.effects import Matches
from analyzer.source import Span

DATA = (".yaml", ".yml", ".eyaml", ".json", ".conf", ".hocon")
# A key at the left margin of YAML; in JSON at the smallest indentation.
YAML_KEY = re.compile(r"""(["']?)([^\s#-].*?)\1\s*:(?:\s|\Z)""")
JSON_KEY = re.compile(r"""(\s*)"((?:[^"\\]|\\.)*)"\s*:""")
INPUTS = ("facts", "trusted", "server_facts")


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject: its name in messages, and the contributors that it is.

    `source` is the end of the path by which resources have a file of a module.
    """

    text: str
    matches: Matches
    source: str = ""


def of_input(name: str) -> Subject:
    """Return a fact, or a part of the trusted data, with all that is in it."""

    def matches(one: Contributor) -> bool:
        known = f"{one.name}."
        return one.kind == "fact" and (known.startswith(f"{name}.") or f"{name}.".startswith(known))

    return Subject(name, matches)


def of_key(name: str) -> Subject:
    """Return a key of Hiera, which may be a parameter of a class."""

    def matches(one: Contributor) -> bool:
        place = one.value
        if isinstance(place, DataPlace):
            return place.key == name
        return (one.kind, one.name) in (("lookup", name), ("parameter", f"${name}"))

    return Subject(name, matches)


def of_file(path: str, text: str, line: int | None) -> Subject | None:
    """Return a file, or a line of it; None if the line of a file of data has no key."""
    name = os.path.realpath(path)
    place = str(Span(path, line or 0))
    if not path.endswith(DATA):
        return Subject(place, in_code(name, text, line), source_of(name))
    inside = None if line is None else yaml_lines.path_at(text, line)
    key = None if line is None else key_at(text, line, json=path.endswith(".json"))
    if line is not None and key is None:
        return None
    asked = inside[1:] if inside and inside[0] == key else ()

    def matches(one: Contributor) -> bool:
        found = one.value
        return (
            isinstance(found, DataPlace)
            and found.file is not None
            and key in (None, found.key)
            and os.path.realpath(found.file) == name
            and is_related(found, asked)
        )

    shown = ".".join((key or "", *map(str, asked)))
    return Subject(place if key is None else f"{place}, key {shown}", matches)


def is_related(place: DataPlace, asked: Path) -> bool:
    """Return whether a place of data is an element, or is in it or around it.

    A hash without its elements depends on their keys, which are on their lines.
    """
    path = place.path
    if path[: len(asked)] == asked:
        return True
    has_key = len(path) == len(asked) - 1 and isinstance(asked[-1], str)
    return asked[: len(path)] == path and (not place.is_shape or has_key)


def in_code(name: str, text: str, line: int | None) -> Matches:
    """Return whether contributors are on a line of a file of code, or a file of a module."""
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: (line or 1) - 1]))
    end = start + len(lines[line - 1]) if line is not None else len(text)
    same = {"": False}

    def matches(one: Contributor) -> bool:
        if one.kind == "file":
            return os.path.realpath(one.name) == name
        if one.unit is None:
            return False
        file = one.unit.file
        if file not in same:
            same[file] = os.path.realpath(file) == name
        if not same[file]:
            return False
        blanks = len(text[one.offset : end]) - len(text[one.offset : end].lstrip())
        return start <= one.offset + blanks < end

    return matches


def source_of(name: str) -> str:
    """Return the path that a `source` has for a file of a module, empty if it is none."""
    head, mark, rest = name.rpartition("/files/")
    return f"/modules/{os.path.basename(head)}/{rest}" if mark else ""


def key_at(text: str, line: int, *, json: bool) -> str | None:
    """Return the key that a line of data belongs to."""
    lines = text.splitlines()[:line]
    if not json:
        found = (YAML_KEY.match(one) for one in reversed(lines) if one[:1].strip())
        one = next(found, None)
        return None if one is None else one[2]
    rows = [match for one in lines if (match := JSON_KEY.match(one))]
    least = min((len(one[1]) for one in rows), default=0)
    return next((one[2] for one in reversed(rows) if len(one[1]) == least), None)
