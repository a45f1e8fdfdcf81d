"""The attributes of a type, a define or a class, in Ruby or in Puppet code."""

from __future__ import annotations

import re
from functools import cache

from analyzer.frontends.puppet.compiler.definitions.native import ATTRIBUTES
from analyzer.lsp.reference import metaparameters, puppet_types, ruby, vendored_types
from analyzer.lsp.reference.definitions import DocumentedParameter, definition_of
from analyzer.lsp.reference.documentation import plain
from analyzer.lsp.state.snapshot import FoundSymbol, Snapshot

# An attribute in the tables: `ensure [present absent] Whether it is to exist`.
ROW = re.compile(r"(?P<name>\w+)(?P<key>\*?)(?: \[(?P<values>[^\]]*)\])? (?P<text>.*)")


@cache
def own_attributes(type: str) -> tuple[DocumentedParameter, ...]:
    """Return the attributes of a type in the tables, none for other types."""
    table = puppet_types.TABLES.get(type) or vendored_types.TABLES.get(type, "")
    rows = map(ROW.match, table.strip().split("\n"))
    found = [
        DocumentedParameter(row["name"], "namevar" if row["key"] else "", "", row["text"],
                  tuple((row["values"] or "").split()))
        for row in rows if row is not None
    ]  # fmt: skip
    return tuple(found)


def attributes_of(snapshot: Snapshot, owner: str, path: str) -> tuple[DocumentedParameter, ...]:
    """Return the attributes of a type, a define, or a class (`class NAME`), none if unknown.

    Metaparameters are not included.
    """
    if owner in ATTRIBUTES and owner in puppet_types.TABLES:
        return own_attributes(owner)
    for found in owners(snapshot, owner, path):
        if found.symbol.kind == "ruby type":
            return ruby.attributes_of(snapshot.text(found.path))
        return definition_of(snapshot, found).parameters
    return own_attributes(owner)


def owners(snapshot: Snapshot, owner: str, path: str) -> list[FoundSymbol]:
    """Return the declarations of an owner of attributes."""
    kind, _, title = owner.rpartition(" ")
    return snapshot.find("class" if kind else "type", title, path)


def attribute_of(
    snapshot: Snapshot, owner: str, name: str, path: str
) -> DocumentedParameter | None:
    """Return one attribute or metaparameter, None if there is none."""
    found = attributes_of(snapshot, owner, path)
    meaning = metaparameters.MEANINGS.get(name)
    meta = DocumentedParameter(
        name, "metaparameter", "", meaning or "", metaparameters.VALUES.get(name, ())
    )
    return next((one for one in found if one.name == name), meta if meaning else None)


def meaning_of(snapshot: Snapshot, type: str, path: str) -> str:
    """Return the meaning of a type of resources, empty if unknown."""
    if type in puppet_types.MEANINGS:
        return puppet_types.MEANINGS[type]
    for found in owners(snapshot, type, path):
        if found.symbol.kind == "ruby type":
            return plain(ruby.meaning_of(snapshot.text(found.path)))
        return definition_of(snapshot, found).comment.summary()
    return ""
