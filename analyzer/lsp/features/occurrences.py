"""Finds the uses of a declaration, for references, highlights and rename."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lsprotocol import types

from analyzer.lsp.features.definition import declarations
from analyzer.lsp.index.facts import IndexedUse
from analyzer.lsp.state.positions import position_of
from analyzer.lsp.state.snapshot import MEANS, EditorRequest, FoundSymbol, Snapshot

# Kinds of uses by the kind of symbol that they refer to.
USED_AS: dict[str, tuple[str, ...]] = {
    symbol: tuple(use for use, symbols in MEANS.items() if symbol in symbols)
    for symbols in MEANS.values()
    for symbol in symbols
}

VALUES = ("parameter", "variable")
POLICY_VALUES = ("policy parameter", "policy variable")

# Kinds of symbols that have members: `$app::port`, `app::site { port => 80 }`.
OWNERS = ("class", "define")


class NamePlace(NamedTuple):
    """A name in a file, by offsets; `declares` if it is the name of a declaration."""

    path: str
    start: int
    end: int
    declares: bool
    kind: str


def occurrences(
    snapshot: Snapshot, asked: EditorRequest, only: str | None = None
) -> list[NamePlace]:
    """Return the declarations and uses of the name at a position, in order, each place once.

    If `only` is given, only that file is searched. Without a declaration, the name is searched.
    """
    found: dict[NamePlace, None] = {}
    meant = [one for found in declarations(snapshot, asked) for one in together(snapshot, found)]
    for one in dict.fromkeys(meant):
        if one.symbol.kind != "file":
            symbol = one.symbol
            found[NamePlace(one.path, symbol.start, symbol.end, True, symbol.kind)] = None
            found.update(dict.fromkeys(places_of(snapshot, one, only)))
    if not meant:
        use = asked.facts.use_at(asked.start)
        found.update(dict.fromkeys(same_name(snapshot, asked.path, use, only) if use else ()))
    return sorted(one for one in found if only is None or one.path == only)


def together(snapshot: Snapshot, found: FoundSymbol) -> list[FoundSymbol]:
    """Return a declaration with the variable's others: each branch of an `if` may have one."""
    if found.symbol.kind not in VALUES:
        return [found]
    own = found.symbol.name, found.symbol.within
    return [
        FoundSymbol(found.path, one)
        for one in snapshot.facts(found.path).symbols
        if one.kind in VALUES and (one.name, one.within) == own
    ]


def same_name(
    snapshot: Snapshot, path: str, use: IndexedUse, only: str | None
) -> Iterator[NamePlace]:
    """Yield the uses of a name that is declared nowhere."""
    for file, one in uses(snapshot, use.kind, use.name, path, only):
        yield NamePlace(file, one.start, one.end, False, one.kind)


def places_of(
    snapshot: Snapshot, found: FoundSymbol, only: str | None = None
) -> Iterator[NamePlace]:
    """Yield the uses of a declaration, and the keys of data that set it."""
    if found.symbol.kind in VALUES:
        candidates = uses_of_value(snapshot, found, only)
    elif found.symbol.kind in POLICY_VALUES:
        candidates = uses_in_policies(snapshot, found, only)
    else:
        kinds = USED_AS.get(found.symbol.kind, ())
        name, path = found.symbol.name, found.path
        candidates = (one for kind in kinds for one in uses(snapshot, kind, name, path, only))
    for path, use in candidates:
        if use.kind == "key" or found in snapshot.meaning(path, use):
            yield NamePlace(path, use.start, use.end, False, use.kind)
    if only is None:
        yield from keys_of(snapshot, found)


def uses(
    snapshot: Snapshot, kind: str, name: str, path: str, only: str | None = None
) -> Iterator[tuple[str, IndexedUse]]:
    """Yield the uses of a name: in one file, and in those that the index has for it."""
    files = (path, *snapshot.index.used.get((kind, name), ())) if only is None else (only,)
    for file in dict.fromkeys(files):
        for use in snapshot.uses(file, kind, name):
            yield file, use


def uses_of_value(
    snapshot: Snapshot, found: FoundSymbol, only: str | None = None
) -> Iterator[tuple[str, IndexedUse]]:
    """Yield the possible uses of a parameter or variable: `$x`, `$app::x`, `x => 1`."""
    name, path = found.symbol.name, found.path
    files = [path]
    owner = owner_of(snapshot, found)
    if owner is not None:
        full, kind = owner.symbol.name, owner.symbol.kind
        attribute = f"{full}/{name}" if kind == "define" else f"class {full}/{name}"
        yield from uses(snapshot, "attribute", attribute, path, only)
        yield from uses(snapshot, "variable", f"{full}::{name}", path, only)
        if found.symbol.kind == "parameter" and kind == "class":
            yield from uses(snapshot, "key", f"{full}::{name}", path, only)
        if kind == "class" and only is None:
            files += [one.path for one in heirs(snapshot, owner)]
    elif found.symbol.within < 0:
        files += snapshot.index.used.get(("variable", name), ())
    for file in dict.fromkeys(files) if only is None else (only,):
        for use in snapshot.facts(file).uses:
            if use.kind == "variable" and use.name == name:
                yield file, use


def uses_in_policies(
    snapshot: Snapshot, found: FoundSymbol, only: str | None = None
) -> Iterator[tuple[str, IndexedUse]]:
    """Yield the possible uses of a variable of a bundle: `$(dir)`, `$(web.dir)`."""
    facts, name = snapshot.facts(found.path), found.symbol.name
    owner = facts.symbols[found.symbol.within].name if found.symbol.within >= 0 else ""
    yield from ((found.path, use) for use in facts.uses if named(use, name))
    for scope in (owner, "this", f"default:{owner}"):
        yield from uses(snapshot, "policy variable", f"{scope}.{name}", found.path, only)


def named(use: IndexedUse, name: str) -> bool:
    """Return whether a use names a variable of a policy without its bundle."""
    return use.kind == "policy variable" and use.name == name


def owner_of(snapshot: Snapshot, found: FoundSymbol) -> FoundSymbol | None:
    """Return the class or define that a parameter or variable is a member of."""
    if found.symbol.within < 0 or found.symbol.kind not in VALUES:
        return None
    owner = snapshot.facts(found.path).symbols[found.symbol.within]
    return FoundSymbol(found.path, owner) if owner.kind in OWNERS else None


def keys_of(snapshot: Snapshot, found: FoundSymbol) -> Iterator[NamePlace]:
    """Yield the keys of data that set a parameter of a class."""
    owner = owner_of(snapshot, found)
    if owner is None or owner.symbol.kind != "class" or found.symbol.kind != "parameter":
        return
    name = f"{owner.symbol.name}::{found.symbol.name}"
    for path in snapshot.index.declared.get(("key", name), ()):
        for one in snapshot.declared(path, "key", name):
            yield NamePlace(path, one.symbol.start, one.symbol.end, False, "key")


def heirs(snapshot: Snapshot, parent: FoundSymbol) -> Iterator[FoundSymbol]:
    """Yield the classes that inherit from a class, directly or indirectly."""
    seen, pending = {parent}, [parent]
    while pending:
        for heir in children(snapshot, pending.pop()):
            if heir not in seen:
                seen.add(heir)
                pending.append(heir)
                yield heir


def children(snapshot: Snapshot, parent: FoundSymbol) -> Iterator[FoundSymbol]:
    """Yield the classes that inherit from a class directly."""
    for path in snapshot.index.used.get(("inherits", parent.symbol.name), ()):
        facts = snapshot.facts(path)
        for use in facts.uses:
            inherits = (use.kind, use.name) == ("inherits", parent.symbol.name)
            if inherits and use.within >= 0 and parent in snapshot.meaning(path, use):
                yield FoundSymbol(path, facts.symbols[use.within])


def ranges(
    snapshot: Snapshot, places: Iterable[NamePlace]
) -> Iterator[tuple[NamePlace, types.Range]]:
    """Yield places with their ranges; the text of a file is read once for a run of its places."""
    path, text = "", ""
    for one in places:
        if one.path != path:
            path, text = one.path, snapshot.text(one.path)
        ends = (position_of(text, offset, snapshot.encoding) for offset in (one.start, one.end))
        yield one, types.Range(*(types.Position(*end) for end in ends))
