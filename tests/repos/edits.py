"""Edits of files by chance, of the kinds that people make, which can be undone one by one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from tests.repos.gate import places_in


@dataclass(frozen=True)
class Edit:
    """Lines of a file that are replaced; `first` and `last` are those before, from 0."""

    kind: str
    file: str
    first: int
    last: int
    lines: tuple[str, ...]


def literal(line: str, chance: random.Random) -> str | None:
    """Return a line with another literal."""
    found = list(re.finditer(r"'[\w./-]+'|(?<=\s)\d+(?=[,\s])", line))
    if not found or line.lstrip().startswith(("#", "class", "define", "node", "include")):
        return None
    one = chance.choice(found)
    text = one[0]
    new = f"'{text[1:-1]}x'" if text.startswith("'") else str(int(text) + 1)
    return line[: one.start()] + new + line[one.end() :]


def value(line: str, chance: random.Random) -> str | None:
    """Return a line of data with another value."""
    found = re.match(r"(\s*(?:- |[\w:'\"]+:\s+)['\"]?)([\w./-]+)(['\"]?\s*)\Z", line)
    if found is None:
        return None
    new = {"true": "false", "false": "true"}.get(found[2])
    new = new or (str(int(found[2]) + 1) if found[2].isdigit() else f"{found[2]}x")
    return found[1] + new + found[3]


def swapped(pairs: dict[str, str]) -> Callable[[str, random.Random], str | None]:
    """Return an edit that replaces a word of a line by another one."""

    def edit(line: str, chance: random.Random) -> str | None:
        if line.lstrip().startswith("#"):
            return None
        found = [one for one in pairs if re.search(rf"(?<![\w:$'\"]){re.escape(one)}(?!\w)", line)]
        if not found:
            return None
        one = chance.choice(found)
        return line.replace(one, pairs[one], 1)

    return edit


LINES: dict[str, Callable[[str, random.Random], str | None]] = {
    "literal": literal,
    "parameter": swapped({
        "present": "absent", "file": "directory", "running": "stopped", "installed": "latest",
        "true": "false", "false": "true", "latest": "installed", "root": "daemon",
    }),
    "arrow": swapped({"->": "~>", "~>": "->", "require": "subscribe", "notify": "before"}),
    "condition": swapped({"==": "!=", "!=": "==", "and": "or", "or": "and"}),
}  # fmt: skip


def resources_in(tree: Any) -> Iterator[Any]:
    """Yield the resource statements of a manifest."""
    if type(tree) is a.ResourceExpression:
        yield tree
    for child in tree or () if isinstance(tree, tuple) else ():
        yield from resources_in(child)


def edit_of(root: Path, file: Path, chance: random.Random) -> Edit | None:
    """Return an edit of a file by chance, None if there is nothing to edit in the way chosen."""
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError:
        return None
    lines = text.splitlines(keepends=True)
    if not lines:
        return None
    name = str(file.relative_to(root))
    if file.suffix == ".pp":
        kind = chance.choice((*LINES, *LINES, "add", "remove", "move", "comment"))
        if kind in ("add", "remove", "move"):
            return statement(root, file, text, kind, chance)
    else:
        kind = "data" if file.suffix in (".yaml", ".eyaml") else "text"
    if kind == "comment":
        at = chance.randrange(len(lines))
        return Edit(kind, name, at, at, ("# a comment\n",))
    if kind == "text":
        plain = [n for n, line in enumerate(lines) if "<%" not in line and line.strip()]
        at = chance.choice(plain) if plain else 0
        return Edit(kind, name, at, at + 1, (f"{lines[at].rstrip()} more\n",)) if plain else None
    change = value if kind == "data" else LINES[kind]
    some = [(n, new) for n, line in enumerate(lines) if (new := change(line, chance))]
    if not some:
        return None
    at, new = chance.choice(some)
    return Edit(kind, name, at, at + 1, (new,))


def statement(root: Path, file: Path, text: str, kind: str, chance: random.Random) -> Edit | None:
    """Return an edit of a whole statement."""
    name = str(file.relative_to(root))
    lines = text.splitlines(keepends=True)
    try:
        tree: Any = parse(text, str(file))
    except ParseError:
        return None
    if kind == "add":
        places = places_in(str(file))
        place = chance.choice(places).offset if places else 0
        at = text.count("\n", 0, place)
        return Edit(kind, name, at, at, (f"  notify {{ 'added {chance.randrange(9999)}': }}\n",))
    found = []
    for one in resources_in(tree):
        first = text.count("\n", 0, one.offset)
        last = text.count("\n", 0, one.offset + one.length) + 1
        block = "".join(lines[first:last])
        is_whole = block.strip().endswith("}") and block.count("{") == block.count("}")
        if is_whole and block.lstrip()[:1].isalpha():
            found.append((first, last))
    if not found:
        return None
    first, last = chance.choice(found)
    if kind == "remove":
        return Edit(kind, name, first, last, ())
    # It moves behind the next statement, with another line in it.
    after = [pair for pair in found if pair[0] >= last]
    if not after:
        return None
    moved = [literal(line, chance) or line for line in lines[first:last]]
    _, end = after[0]
    return Edit(kind, name, first, end, (*lines[last:end], *moved))


def render(text: str, edits: Collection[Edit]) -> tuple[str, dict[Edit, tuple[int, int]]]:
    """Return a text with edits, and the lines that each has then, from 1."""
    lines = text.splitlines(keepends=True)
    moved, places = 0, {}
    for one in sorted(edits, key=lambda edit: edit.first):
        at = one.first + moved
        lines[at : at + one.last - one.first] = one.lines
        moved += len(one.lines) - (one.last - one.first)
        places[one] = at + 1, at + len(one.lines)
    return "".join(lines), places
