"""Completion in `catgraph.toml`: keys, tables, the values of enumerations, codes of rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from analyzer.config.keys import KEYS, SWITCH, Key
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

TABLE = re.compile(r"^[^\S\n]*\[\[?\s*([^\]\n]*)", re.MULTILINE)
WRITTEN = re.compile(r"[\w-]*$")
VALUE = re.compile(r"^\s*[\"']?([^\"'=]+?)[\"']?\s*=\s*(.*)$")
WORDS = re.compile(r'"[\w-]+"')

# The code of a rule or contract of the file.
OWN = re.compile(r"^[^\S\n]*code\s*=\s*[\"']([A-Z]+\d+)[\"']", re.MULTILINE)

# Tables whose keys the user chooses: their values are completed as those of this key.
CHOICES = {"severity": "severity", "per_path": "ignore"}

Kind = types.CompletionItemKind
# A name, its kind, and a detail.
Row = tuple[str, types.CompletionItemKind, str]


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.CompletionList:
    """Return the keys of the table, or the values of the key, that fit at a position."""
    before = asked.text[: asked.start]
    line = before[before.rfind("\n") + 1 :]
    match = WRITTEN.search(line)
    word = match[0] if match else ""
    heads = TABLE.findall(before[: len(before) - len(line)])
    there = snapshot.range(asked.path, asked.start - len(word), asked.start)
    own = OWN.findall(asked.text)
    rows = (rows_of(line, heads[-1].strip() if heads else "", own)) if "#" not in line else ()
    items = [
        types.CompletionItem(
            label=name, kind=kind, detail=detail or None, text_edit=types.TextEdit(there, name)
        )
        for name, kind, detail in rows
        if name.startswith(word)
    ]
    return types.CompletionList(False, items)


def rows_of(line: str, table: str, own: Sequence[str]) -> Iterator[Row]:
    """Yield completions of a line below the head of a table; `own` are the file's own codes."""
    keys = keys_of(table)
    value = VALUE.match(line)
    if line.lstrip().startswith("["):
        for name, key in KEYS.items():
            if key.keys is not None or key.values is not None:
                yield name, Kind.Module, key.wanted
    elif value is None and table == "severity":
        yield from codes(own)
    elif value is None:
        for name, key in keys.items():
            yield name, Kind.Property, key.wanted
    elif value[1] in keys:
        yield from values_of(value[1], keys[value[1]], '"' in value[2], own)
    elif table in CHOICES:
        entry = KEYS[table].values
        if entry is not None:
            yield from values_of(CHOICES[table], entry, '"' in value[2], own)


def values_of(name: str, key: Key, quoted: bool, own: Sequence[str]) -> Iterator[Row]:
    """Yield the values of a key with an enumeration, or the codes of rules."""
    if key is SWITCH:
        yield from ((word, Kind.Value, "") for word in ("true", "false"))
    elif name in ("select", "ignore"):
        for code, kind, detail in codes(own):
            yield (code if quoted else f'"{code}"'), kind, detail
    else:
        for word in WORDS.findall(key.wanted):
            yield (word.strip('"') if quoted else word), Kind.Value, ""


def codes(own: Sequence[str]) -> Iterator[Row]:
    """Yield the codes of rules of catgraph and of the file."""
    from analyzer.linter.registry import all_rules

    for code, rule in all_rules().items():
        yield code, Kind.EnumMember, rule.name
    for code in dict.fromkeys(own):
        yield code, Kind.EnumMember, "a rule of this file"


def keys_of(table: str) -> dict[str, Key]:
    """Return the keys of a table by its head; an unknown table has none."""
    keys: dict[str, Key] = KEYS
    each: Key | None = None
    for part in filter(None, re.split(r"[.\s]+", table)):
        key = each or keys.get(part.strip("\"'"))
        if key is None:
            return {}
        keys, each = key.keys or {}, key.values
    return keys
