"""Semantic tokens: the kind of each name, which the editor's own grammar can only guess.

Strings and comments are left to the editor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lsprotocol import types

from analyzer.frontends.puppet.functions import families as core
from analyzer.frontends.puppet.syntax.lexing.tokens import KEYWORDS, TASK_KEYWORDS
from analyzer.lsp.features.legend import KINDS, MODIFIERS
from analyzer.lsp.index.facts import FileFacts, IndexedUse
from analyzer.lsp.index.manifest import DATA_TYPES
from analyzer.lsp.reference import metaparameters, puppet_types
from analyzer.lsp.state.positions import position_of, units
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

DECLARATION, OWN = 1, 2
assert MODIFIERS == ("declaration", "defaultLibrary")

# Kinds of tokens that do not depend on the place.
PLAIN = {
    **{kind: "keyword" for kind, _ in (*KEYWORDS.values(), *TASK_KEYWORDS.values())},
    "NUMBER": "number",
    "REGEX": "regexp",
}
SYMBOLS = {
    "class": "class",
    "define": "struct",
    "function": "function",
    "parameter": "parameter",
    "plan": "function",
    "type": "type",
    "variable": "variable",
}
EVERYWHERE = frozenset({"facts", "trusted", "title", "name", "module_name", "environment"})

# A token: its offsets, its kind, and its modifiers as bits.
Marked = tuple[int, int, str, int]


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.SemanticTokens:
    """Return the tokens of a range, or of the whole text."""
    if not asked.path.endswith((".pp", ".epp")):
        return types.SemanticTokens([])
    return types.SemanticTokens(encoded(snapshot, asked, marked(snapshot, asked)))


def marked(snapshot: Snapshot, asked: EditorRequest) -> list[Marked]:
    """Return the tokens between two places, in order; no two overlap."""
    found: dict[int, Marked] = {}
    for kind, _, start, length in snapshot.tokens(asked.path):
        if kind in PLAIN and length:
            found[start] = start, start + length, PLAIN[kind], 0
    for row in (*of_uses(snapshot, asked.facts), *of_symbols(asked.facts)):
        found[row[0]] = row
    end = 0
    rows = []
    for start, row in sorted(found.items()):
        if start >= end and asked.start <= start < asked.end and row[1] > start:
            rows.append(row)
            end = row[1]
    return rows


def of_symbols(facts: FileFacts) -> Iterator[Marked]:
    """Yield the names that are declared."""
    for symbol in facts.symbols:
        if symbol.kind in SYMBOLS:
            yield symbol.start, symbol.end, SYMBOLS[symbol.kind], DECLARATION


def of_uses(snapshot: Snapshot, facts: FileFacts) -> Iterator[Marked]:
    """Yield the names that are used."""
    parameters = {(s.within, s.name) for s in facts.symbols if s.kind == "parameter"}
    for use in facts.uses:
        if use.kind == "variable":
            around = facts.outwards(use.within)
            is_parameter = any((number, use.name) in parameters for number in around)
            own = OWN if use.name in EVERYWHERE else 0
            yield use.start, use.end, "parameter" if is_parameter else "variable", own
        elif use.kind in USES:
            yield use.start, use.end, *USES[use.kind](snapshot, use)


def of_type(snapshot: Snapshot, use: IndexedUse) -> tuple[str, int]:
    """Return the kind of a type: a define, or a type of Puppet or a module."""
    if use.name in DATA_TYPES or use.name in puppet_types.MEANINGS:
        return "type", OWN
    return ("struct" if ("define", use.name) in snapshot.index.declared else "type"), 0


def of_function(snapshot: Snapshot, use: IndexedUse) -> tuple[str, int]:
    """Return the kind of a function: one of Puppet, or another."""
    return "function", OWN if use.name in core.FAMILIES else 0


def of_attribute(snapshot: Snapshot, use: IndexedUse) -> tuple[str, int]:
    """Return the kind of an attribute: one of its type, or of all types."""
    return "property", OWN if use.name.rpartition("/")[2] in metaparameters.MEANINGS else 0


USES: dict[str, Callable[[Snapshot, IndexedUse], tuple[str, int]]] = {
    "attribute": of_attribute,
    "class": lambda snapshot, use: ("class", 0),
    "function": of_function,
    "inherits": lambda snapshot, use: ("class", 0),
    "type": of_type,
}


def encoded(snapshot: Snapshot, asked: EditorRequest, rows: list[Marked]) -> list[int]:
    """Return tokens as the protocol encodes them: five numbers each, places as differences."""
    found: list[int] = []
    before = (0, 0)
    for start, end, kind, modifiers in rows:
        text = asked.text[start:end]
        if "\n" in text:
            continue
        line, unit = position_of(asked.text, start, snapshot.encoding)
        same = line == before[0]
        found += [line - before[0], unit - before[1] if same else unit]
        found += [units(text, snapshot.encoding), KINDS.index(kind), modifiers]
        before = line, unit
    return found
