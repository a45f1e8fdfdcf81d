"""Completion in `catgraph.toml`: keys and tables, values of those that take few, rules' codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from analyzer.config.keys import KEYS, SWITCH, Key
from analyzer.lsp.state.snapshot import Asked, Snapshot

TABLE = re.compile(r"^\s*\[\[?\s*([^\]\n]*)", re.MULTILINE)
WRITTEN = re.compile(r"[\w-]*$")
VALUE = re.compile(r"^\s*[\"']?([\w-]+)[\"']?\s*=\s*(.*)$")
WORDS = re.compile(r'"[\w-]+"')

Kind = types.CompletionItemKind


def answer(snapshot: Snapshot, asked: Asked) -> types.CompletionList:
    """Return the keys of the table, or the values of the key, that fit at a position."""
    before = asked.text[: asked.start]
    line = before[before.rfind("\n") + 1 :]
    match = WRITTEN.search(line)
    word = match[0] if match else ""
    heads = TABLE.findall(before[: len(before) - len(line)])
    there = snapshot.range(asked.path, asked.start - len(word), asked.start)
    rows = (rows_of(line, heads[-1].strip() if heads else "")) if "#" not in line else ()
    items = [
        types.CompletionItem(
            label=name, kind=kind, detail=detail or None, text_edit=types.TextEdit(there, name)
        )
        for name, kind, detail in rows
        if name.startswith(word)
    ]
    return types.CompletionList(False, items)


def rows_of(line: str, table: str) -> Iterator[tuple[str, types.CompletionItemKind, str]]:
    """Yield what fits in a line below the head of a table."""
    keys = keys_of(table)
    value = VALUE.match(line)
    if line.lstrip().startswith("["):
        for name, key in KEYS.items():
            if key.keys is not None or key.values is not None:
                yield name, Kind.Module, key.wanted
    elif value is None:
        for name, key in keys.items():
            yield name, Kind.Property, key.wanted
    elif value[1] in keys:
        yield from values_of(value[1], keys[value[1]], '"' in value[2])


def values_of(
    name: str, key: Key, quoted: bool
) -> Iterator[tuple[str, types.CompletionItemKind, str]]:
    """Yield the values of a key that takes one of a few, or the codes of rules."""
    if key is SWITCH:
        yield from ((word, Kind.Value, "") for word in ("true", "false"))
    elif name in ("select", "ignore"):
        from analyzer.linter.registry import all_rules

        for code, rule in all_rules().items():
            yield (code if quoted else f'"{code}"'), Kind.EnumMember, rule.name
    else:
        for word in WORDS.findall(key.wanted):
            yield (word.strip('"') if quoted else word), Kind.Value, ""


def keys_of(table: str) -> dict[str, Key]:
    """Return the keys of a table by its head; an unknown one has none."""
    keys: dict[str, Key] = KEYS
    each: Key | None = None
    for part in filter(None, re.split(r"[.\s]+", table)):
        key = each or keys.get(part.strip("\"'"))
        if key is None:
            return {}
        keys, each = key.keys or {}, key.values
    return keys
