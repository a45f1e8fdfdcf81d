"""Names in texts other than Puppet code: in ERB templates, and in the values of Hiera data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from analyzer.lsp.features.occurrences import owner_of
from analyzer.lsp.state.edits import TextChange
from analyzer.lsp.state.snapshot import FoundSymbol, RequestRefused, Snapshot
from analyzer.lsp.state.texts import on_disk

DATA = (".yaml", ".yml", ".eyaml")

# The most templates of one module that are searched.
MOST = 2_000


def in_templates(snapshot: Snapshot, found: FoundSymbol, new: str) -> Iterator[TextChange]:
    """Yield the changes of `@variable` in the templates of a class or define.

    Raises:
        Refused: others use the template too, or it is inline in the manifest.
    """
    old, number = found.symbol.name, found.symbol.within
    facts = snapshot.facts(found.path)
    pattern = re.compile(rf"(?<![\w@])@({re.escape(old)})\b")
    for use in facts.uses:
        if use.kind != "template" or number not in (*facts.outwards(use.within), -1):
            continue
        for one in snapshot.meaning(found.path, use):
            changes = [TextChange(one.path, *match.span(1), new)
                       for match in pattern.finditer(snapshot.text(one.path))]  # fmt: skip
            users = snapshot.index.used.get(("template", use.name), ())
            if changes and len(users) > 1:
                raise RequestRefused(
                    f"the template {use.name} uses @{old}, and {users[-1]} uses it too"
                )
            yield from changes
    owner = facts.symbols[number] if number >= 0 else None
    text = snapshot.text(found.path)
    if owner and re.search(rf"<%[^%]*@{re.escape(old)}\b", text[owner.first : owner.last]):
        raise RequestRefused(f"a template in the manifest uses @{old}: rename it there first")


def in_scopes(snapshot: Snapshot, found: FoundSymbol, old: str, new: str) -> Iterator[TextChange]:
    """Yield the changes of `scope['class::variable']` in the templates of a module."""
    folder = snapshot.places.module_folder(found.path)
    pattern = re.compile(rf"(['\"](?:::)?)({re.escape(old)})(?=['\"])")
    for path in templates(os.path.join(folder, "templates")) if folder else ():
        text = on_disk(path, snapshot.roots)
        if old in text:
            yield from (TextChange(path, *match.span(2), new) for match in pattern.finditer(text))


def templates(folder: str) -> Iterator[str]:
    """Yield the ERB templates below a folder."""
    count = 0
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            count += 1
            if count > MOST:
                return
            if not name.endswith(".epp"):
                yield os.path.join(place, name)


def in_data(snapshot: Snapshot, old: str, new: str) -> Iterator[TextChange]:
    """Yield the changes of the `lookup_options` of a parameter in data."""
    name = re.escape(old)
    options = re.compile(rf"^[ \t]+(['\"]?)({name})\1[ \t]*:", re.MULTILINE)
    for path in snapshot.index.files:
        text = snapshot.text(path) if path.endswith(DATA) else ""
        if old not in text:
            continue
        for found in snapshot.declared(path, "key", "lookup_options"):
            for match in options.finditer(text, found.symbol.first, found.symbol.last):
                yield TextChange(path, *match.span(2), new)


def of_value(snapshot: Snapshot, found: FoundSymbol, new: str) -> Iterator[TextChange]:
    """Yield the changes outside Puppet code for a variable or a parameter."""
    yield from in_templates(snapshot, found, new)
    owner = owner_of(snapshot, found)
    if owner is not None and owner.symbol.kind == "class":
        old, full = found.symbol.name, owner.symbol.name
        yield from in_scopes(snapshot, found, f"{full}::{old}", f"{full}::{new}")
        if found.symbol.kind == "parameter":
            yield from in_data(snapshot, f"{full}::{old}", f"{full}::{new}")
