"""Makes the changes of texts, and the moves of files, for a declaration and its new name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzer.lsp.features.occurrences import NamePlace, owner_of, places_of, together, uses
from analyzer.lsp.features.renaming_foreign import in_data, in_scopes, of_value
from analyzer.lsp.state.edits import TextChange
from analyzer.lsp.state.snapshot import FoundSymbol, RequestRefused, Snapshot


class RenamePlan(NamedTuple):
    """The changes of a rename: texts, and the old and new paths of files."""

    changes: list[TextChange]
    moves: list[tuple[str, str]]


def plan_of(snapshot: Snapshot, found: FoundSymbol, new: str) -> RenamePlan:
    """Return the changes of texts and the moves of files for a rename.

    Raises:
        Refused: the name is taken, or the file's new place is unknown.
    """
    if found.symbol.kind in ("variable", "parameter"):
        changes = [*changes_of_value(snapshot, found, new)]
        moves = []
    else:
        changes = [*changes_of_definition(snapshot, found, new)]
        moves = [*moves_of(snapshot, found, new)]
    for path in {one.path for one in changes}:
        if not snapshot.places.module_folder(path) and not is_own(snapshot, path):
            raise RequestRefused(f"{path} uses it and is in no folder of the workspace")
    return RenamePlan(sorted(set(changes)), moves)


def is_own(snapshot: Snapshot, path: str) -> bool:
    """Return whether a file is below a folder of the workspace."""
    return any(path.startswith(os.path.join(root, "")) for root in snapshot.roots)


def changes_of_value(snapshot: Snapshot, found: FoundSymbol, new: str) -> Iterator[TextChange]:
    """Yield the changes for a variable or parameter: the last part of each name."""
    old = found.symbol.name
    owner = owner_of(snapshot, found)
    siblings = [s for s in snapshot.facts(found.path).symbols if s.within == found.symbol.within]
    if any(s.name == new and s.kind in ("parameter", "variable") for s in siblings):
        raise RequestRefused(f"there is already a ${new} in the same scope")
    for one in together(snapshot, found):
        yield TextChange(one.path, one.symbol.start, one.symbol.end, new)
        for place in places_of(snapshot, one):
            yield TextChange(place.path, place.end - len(old), place.end, new)
    if owner is not None and found.symbol.kind == "parameter":
        yield from in_comments(snapshot, owner, old, new)
    yield from of_value(snapshot, found, new)


def in_comments(snapshot: Snapshot, owner: FoundSymbol, old: str, new: str) -> Iterator[TextChange]:
    """Yield the changes of `@param` in the comments above a definition."""
    lines = snapshot.text(owner.path)[: owner.symbol.first].split("\n")
    end = owner.symbol.first - len(lines[-1])
    for line in reversed(lines[:-1]):
        start = end - len(line) - 1
        if not line.lstrip().startswith("#"):
            return
        match = re.match(rf"\s*#\s*@param\s+(?:\[[^\]]*\]\s+)?({re.escape(old)})\b", line)
        if match:
            yield TextChange(owner.path, start + match.start(1), start + match.end(1), new)
        end = start


def changes_of_definition(snapshot: Snapshot, found: FoundSymbol, new: str) -> Iterator[TextChange]:
    """Yield the changes for a class or define: its uses, its variables, its keys of data."""
    symbol = found.symbol
    text = snapshot.text(found.path)[symbol.start : symbol.end]
    if text.removeprefix("::").lower() != symbol.name:
        raise RequestRefused(f"{symbol.name} is declared inside of a class: move it out first")
    if any(snapshot.find(kind, new, found.path) for kind in ("class", "type")):
        raise RequestRefused(f"there is already something called {new}")
    yield TextChange(found.path, symbol.start, symbol.end, like(text, new))
    for place in places_of(snapshot, found):
        yield TextChange(place.path, place.start, place.end, like(text_at(snapshot, place), new))
    if symbol.kind == "class":
        yield from changes_of_members(snapshot, found, new)


def text_at(snapshot: Snapshot, place: NamePlace) -> str:
    """Return the name at a place as written."""
    return snapshot.text(place.path)[place.start : place.end]


def changes_of_members(snapshot: Snapshot, found: FoundSymbol, new: str) -> Iterator[TextChange]:
    """Yield the changes of `$class::variable` and of the keys of its parameters."""
    old = found.symbol.name
    for kind, name in snapshot.index.used:
        if kind == "variable" and name.rpartition("::")[0].lower() == old:
            for path, use in uses(snapshot, kind, name, found.path):
                last = snapshot.text(path)[use.start : use.end].rpartition("::")[2]
                yield head_of(NamePlace(path, use.start, use.end, False, kind), last, old, new)
    number = snapshot.facts(found.path).symbols.index(found.symbol)
    for symbol in snapshot.facts(found.path).symbols:
        if symbol.within == number and symbol.kind in ("parameter", "variable"):
            ends = f"{old}::{symbol.name}", f"{new}::{symbol.name}"
            yield from in_scopes(snapshot, FoundSymbol(found.path, symbol), *ends)
        if symbol.within == number and symbol.kind == "parameter":
            yield from changes_of_keys(snapshot, FoundSymbol(found.path, symbol), old, new)


def changes_of_keys(
    snapshot: Snapshot, parameter: FoundSymbol, old: str, new: str
) -> Iterator[TextChange]:
    """Yield the changes of the keys of a parameter whose class is renamed."""
    name = parameter.symbol.name
    for place in places_of(snapshot, parameter):
        if place.kind == "key" and text_at(snapshot, place).removeprefix("::") == f"{old}::{name}":
            yield head_of(place, name, old, new)
    yield from in_data(snapshot, f"{old}::{name}", f"{new}::{name}")


def head_of(place: NamePlace, last: str, old: str, new: str) -> TextChange:
    """Return the change of the text before `::last`; a leading `::` is kept."""
    stop = place.end - len(last) - 2
    return TextChange(place.path, max(place.start, stop - len(old)), stop, new)


def moves_of(snapshot: Snapshot, found: FoundSymbol, new: str) -> Iterator[tuple[str, str]]:
    """Yield the file of a definition, and its path for the new name.

    Raises:
        Refused: the file declares others too, or there is no such module.
    """
    name = found.symbol.name
    folder = snapshot.places.module(name.partition("::")[0], found.path)
    if folder is None or found.path != file_of(folder, name):
        return
    outermost = [
        s
        for s in snapshot.facts(found.path).symbols
        if s.within < 0 and s.kind in ("class", "define") and s != found.symbol
    ]
    if outermost:
        raise RequestRefused(f"{found.path} declares {outermost[0].name}, too: move that out first")
    target = snapshot.places.module(new.partition("::")[0], found.path)
    if target is None:
        raise RequestRefused(f"there is no module {new.partition('::')[0]}")
    path = file_of(target, new)
    if path in snapshot.index.files or os.path.lexists(path):
        raise RequestRefused(f"there is already a file {path}")
    yield found.path, path


def file_of(module: str, name: str) -> str:
    """Return the file of a class or define in a module's folder (Puppet's autoloader)."""
    parts = name.split("::")[1:] or ["init"]
    return os.path.join(module, "manifests", *parts[:-1], f"{parts[-1]}.pp")


def like(text: str, new: str) -> str:
    """Return a new name in the form of the old one: with `::` before it, in capitals."""
    before = "::" if text.startswith("::") else ""
    return before + (capital(new) if text.removeprefix("::")[:1].isupper() else new)


def capital(name: str) -> str:
    """Return a name as in references: `App::Site`."""
    return "::".join(part[:1].upper() + part[1:] for part in name.split("::"))
