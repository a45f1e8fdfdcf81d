"""Which classes and nodes a file is part of: those are compiled when it changes."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.lsp.reference.values import chosen_facts
from analyzer.lsp.state.snapshot import Snapshot

# Classes that are compiled for one file, its own and those that use it.
MOST_CLASSES = 6
# Names that are looked at to find them.
MOST_NAMES = 500

USING = {"class": ("class", "inherits"), "define": ("type",)}


@dataclass(frozen=True, slots=True)
class Job:
    """The compile for a file: classes by the folder of their module, or a site's manifest.

    `overlay` are the texts of open documents by path, `facts` those that the user has chosen.
    """

    path: str
    classes: tuple[tuple[str, tuple[str, ...]], ...]
    site: bool
    overlay: dict[str, str]
    facts: tuple[str, ...] = ()


def job_for(snapshot: Snapshot, path: str) -> Job | None:
    """Return the compile for a file, None if nothing of it is ever part of a catalog."""
    if path.endswith(".cf"):
        return Job(path, (), False, {p: one.text for p, one in snapshot.documents.items()})
    own = [s for s in snapshot.facts(path).symbols if s.kind in USING]
    site = any(symbol.kind == "node" for symbol in snapshot.facts(path).symbols)
    names = [(symbol.kind, symbol.name) for symbol in own]
    tops = [*dict.fromkeys([n for k, n in names if k == "class"][:2] + reaching(snapshot, names))]
    by_folder: dict[str, list[str]] = {}
    for name in tops[:MOST_CLASSES]:
        for found in snapshot.find("class", name, path)[:1]:
            folder = snapshot.places.module_folder(found.path)
            if folder is not None:
                by_folder.setdefault(folder, []).append(name)
    if not by_folder and not site:
        return None
    classes = tuple((folder, tuple(found)) for folder, found in by_folder.items())
    overlay = {one: document.text for one, document in snapshot.documents.items()}
    facts = chosen_facts(snapshot)
    return Job(path, classes, site, overlay, (facts,) if facts else ())


def reaching(snapshot: Snapshot, names: list[tuple[str, str]]) -> list[str]:
    """Return the classes above some definitions that no other class uses, the nearest first."""
    seen, pending, tops = set(names), list(names), []
    while pending and len(seen) < MOST_NAMES:
        kind, name = pending.pop(0)
        above = [one for one in users(snapshot, kind, name) if one not in seen]
        seen.update(above)
        pending += above
        if kind == "class" and not above:
            tops.append(name)
    return tops


def users(snapshot: Snapshot, kind: str, name: str) -> list[tuple[str, str]]:
    """Return the classes and defines in which a class or define is used."""
    found: dict[tuple[str, str], None] = {}
    for using in USING[kind]:
        for path in snapshot.index.used.get((using, name), ()):
            facts = snapshot.facts(path)
            for use in facts.uses:
                if use.kind == using and use.name == name:
                    for number in facts.outwards(use.within):
                        symbol = facts.symbols[number]
                        if symbol.kind in USING:
                            found[symbol.kind, symbol.name] = None
    return [*found]
