"""Describes classes, defines, types, functions and attributes as Markdown, from their files."""

from __future__ import annotations

import os

from analyzer.lsp.describe.catalogs import code
from analyzer.lsp.describe.values import at_line, values_in_data
from analyzer.lsp.index.facts import IndexedUse
from analyzer.lsp.index.manifest import DATA_TYPES
from analyzer.lsp.reference import attributes, functions, metaparameters, puppet_types
from analyzer.lsp.reference.definitions import DocumentedParameter, definition_of
from analyzer.lsp.reference.documentation import fenced
from analyzer.lsp.state.snapshot import FoundSymbol, Snapshot

# The most parameters with a row in one hover.
MOST_PARAMETERS = 25


def definition(snapshot: Snapshot, found: FoundSymbol, path: str) -> list[str]:
    """Describe a class, define, function, plan or alias: its head, text and parameters."""
    if found.symbol.kind in ("function", "ruby function"):
        return function(snapshot, found.symbol.name, path)
    if found.symbol.kind == "ruby type":
        return resource_type(snapshot, found.symbol.name, path)
    one = definition_of(snapshot, found)
    if one.kind == "type":
        text = snapshot.text(found.path)[found.symbol.first : found.symbol.last]
        return [fenced(" ".join(text.split())), one.comment.markdown()]
    rows = [fenced(f"{one.kind} {one.name}"), one.comment.markdown()]
    parameters = [parameter(snapshot, one.kind, one.name, p, path) for p in one.parameters]
    more = len(parameters) - MOST_PARAMETERS
    rows.append("\n".join(parameters[:MOST_PARAMETERS]))
    return [*rows, f"and {more} more parameters"] if more > 0 else rows


def parameter(
    snapshot: Snapshot, kind: str, owner: str, one: DocumentedParameter, path: str
) -> str:
    """Return a row for a parameter: its type, default, meaning, and the data that set it."""
    default = "" if one.default else " (required)"
    text = f": {one.text}" if one.text else ""
    rows = [f"- {code(one.label)}{default}{text}"]
    if kind == "class":
        rows += [f"  - {row}" for row in values_in_data(snapshot, owner, one, path)]
    return "\n".join(rows)


def function(snapshot: Snapshot, name: str, path: str) -> list[str]:
    """Describe a function: the ways to call it, and its meaning."""
    found = functions.function_of(snapshot, name, path)
    return [] if found is None else [fenced("\n".join(found.heads)), found.text]


def resource_type(snapshot: Snapshot, name: str, path: str) -> list[str]:
    """Describe a type of resources: its meaning and the names of its attributes."""
    meaning = attributes.meaning_of(snapshot, name, path)
    names = [code(one.name) for one in attributes.attributes_of(snapshot, name, path)]
    if not meaning and not names:
        return [f"{code(name.capitalize())}: a data type of Puppet"] if name in DATA_TYPES else []
    return [fenced(name), f"{meaning}." if name in puppet_types.MEANINGS else meaning,
            f"Attributes: {', '.join(names)}" if names else ""]  # fmt: skip


def of_missing_module(snapshot: Snapshot, use: IndexedUse, path: str) -> list[str]:
    """Describe a name of a module that is not in the checkout, and where the module is listed."""
    name, qualified, _ = use.name.partition("::")
    if not qualified and use.kind not in ("class", "inherits"):
        return []
    if snapshot.places.module(name, path) is not None:
        return []
    found = snapshot.places.declared(name, path)
    rows = [f"{code(use.name)}: module {code(name)} is not in the checkout"]
    if found is not None:
        listed = " ".join(filter(None, (found.full, found.version)))
        place = at_line(snapshot, os.path.abspath(found.span.file), found.span.line)
        rows.append(f"It is listed at {place}: {code(listed)}")
    return rows


def attribute(snapshot: Snapshot, owner: str, name: str, path: str) -> list[str]:
    """Describe an attribute: its type, values, default and meaning."""
    one = attributes.attribute_of(snapshot, owner, name, path)
    if one is None:
        return []
    if one.type == "metaparameter":
        rows = [f"{code(name)}: metaparameter", f"{one.text}."]
    elif any(p.type == "namevar" for p in attributes.attributes_of(snapshot, owner, path)):
        rows = [f"{code(name)} of {code(owner)}", one.text]
    else:
        rows = [fenced(one.label), one.text]
    if one.values and name not in metaparameters.RELATIONSHIPS:
        rows.append(f"Values: {', '.join(map(code, one.values))}")
    kind, _, title = owner.rpartition(" ")
    if kind:
        rows.append("\n".join(f"- {row}" for row in values_in_data(snapshot, title, one, path)))
    return rows
