"""Finds the classes and nodes that a file belongs to: they are compiled when it changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from analyzer.lsp.languages.hierarchy import is_data, levels_of
from analyzer.lsp.languages.table import LANGUAGES
from analyzer.lsp.reference.values import chosen_facts
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.lsp.state.traced import TracedNode
from analyzer.source import place_of

# The most classes that are compiled for one file: its own, and those that use it.
MOST_CLASSES = 6
# The most names that are followed to find them.
MOST_NAMES = 500
# The most nodes of one manifest that are compiled while there is nothing else to do.
MOST_OF_MANIFEST = 64

USING = {"class": ("class", "inherits"), "define": ("type",)}

# A file, and a line in it, counted from 1.
Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Job:
    """The compile for a file: classes by the folder of their module, or a site's manifest.

    `overlay` has the texts of open documents by path, `facts` are those that the user has chosen.
    `folder` is the site whose nodes may have the file: those with one of the node `blocks`, or all
    if one of the `declaring` manifests is the site's. `names` are the classes and defines of the
    file. With `worlds`, the job searches other facts and parameters; `traced` jobs compile once
    more, to know where values come from. Of a manifest with many nodes, those nearest to `line` are
    compiled, without those that are `done`.
    """

    path: str
    classes: tuple[tuple[str, tuple[str, ...]], ...]
    site: bool
    overlay: dict[str, str]
    facts: tuple[str, ...] = ()
    folder: str = ""
    blocks: tuple[Line, ...] = ()
    declaring: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    worlds: bool = False
    traced: bool = False
    line: int = 0
    done: tuple[str, ...] = ()

    @property
    def is_idle(self) -> bool:
        """Return whether every other job takes precedence."""
        return self.worlds or self.traced or bool(self.done)


class CompiledPart(NamedTuple):
    """The compiled nodes, and how many the manifest has; empty if it has few.

    `traced` are the results of compiles that were traced.
    """

    nodes: tuple[str, ...] = ()
    of: int = 0
    traced: tuple[TracedNode, ...] = ()


class User(NamedTuple):
    """A class or define that uses another, a node block, or a manifest (`site`)."""

    kind: str
    name: str
    place: Line = ("", 0)


class Above(NamedTuple):
    """The users above definitions: classes that no other class uses, node blocks, manifests."""

    tops: list[str]
    blocks: list[Line]
    declaring: list[str]


def job_for(snapshot: Snapshot, path: str) -> Job | None:
    """Return the compile for a file, None if nothing in it can be part of a catalog."""
    if path.endswith(LANGUAGES["data"]):
        return job_for_data(snapshot, path)
    if path.endswith(".cf"):
        return Job(path, (), False, {p: one.text for p, one in snapshot.documents.items()})
    own = [s for s in snapshot.facts(path).symbols if s.kind in USING]
    site = any(symbol.kind == "node" for symbol in snapshot.facts(path).symbols)
    names = [(symbol.kind, symbol.name) for symbol in own]
    above = reaching(snapshot, names)
    tops = [*dict.fromkeys([n for k, n in names if k == "class"][:2] + above.tops)]
    by_folder: dict[str, list[str]] = {}
    for name in tops[:MOST_CLASSES]:
        for found in snapshot.find("class", name, path)[:1]:
            folder = snapshot.places.module_folder(found.path)
            if folder is not None:
                by_folder.setdefault(folder, []).append(name)
    if not by_folder and not site and not above.blocks and not above.declaring:
        return None
    classes = tuple((folder, tuple(found)) for folder, found in by_folder.items())
    overlay = {one: document.text for one, document in snapshot.documents.items()}
    facts = chosen_facts(snapshot)
    place = "" if site else snapshot.places.environment_folder(path) or ""
    return Job(
        path, classes, site, overlay, (facts,) if facts else (), place,
        tuple(above.blocks), tuple(above.declaring), tuple(name for _, name in names),
    )  # fmt: skip


def job_for_data(snapshot: Snapshot, path: str) -> Job | None:
    """Return the compiles that a file of data may reach: those of its site, or of its module."""
    if not is_data(levels_of(snapshot, path), path):
        return None
    places = snapshot.places
    folder = places.environment_folder(path) or places.module_folder(path)
    facts = chosen_facts(snapshot)
    overlay = {one: document.text for one, document in snapshot.documents.items()}
    given = (facts,) if facts else ()
    return Job(path, (), False, overlay, given, folder, traced=True) if folder else None


def reaching(snapshot: Snapshot, names: list[tuple[str, str]]) -> Above:
    """Return the users above some definitions, the nearest first.

    If classes use each other in a circle, one of them counts, unless it has one of the names.
    """
    seen, pending = set(names), list(names)
    tops, others = list[str](), list[str]()
    of_site: dict[User, None] = {}
    own, closed = {one for one in names if one[0] == "class"}, False
    while pending and len(seen) < MOST_NAMES:
        one = pending.pop(0)
        found = users(snapshot, *one)
        of_site |= dict.fromkeys(user for user in found if user.kind not in USING)
        above = [user[:2] for user in found if user.kind in USING and user[:2] != one]
        closed = closed or (one not in names and not own.isdisjoint(above))
        if one in names:
            above = [user for user in above if user not in names]
        pending += [user for user in above if user not in seen]
        seen.update(above)
        if one[0] == "class":
            (others if above else tops).append(one[1])
    tops = tops or ([] if closed else others[-1:])
    blocks = [one.place for one in of_site if one.kind == "node"]
    return Above(tops, blocks, [one.name for one in of_site if one.kind == "site"])


def users(snapshot: Snapshot, kind: str, name: str) -> list[User]:
    """Return the classes, defines and node blocks in which a class or define is used.

    A use outside all of them is a use by the manifest.
    """
    found: dict[User, None] = {}
    for using in USING[kind]:
        for path in snapshot.index.used.get((using, name), ()):
            facts = snapshot.facts(path)
            for use in facts.uses:
                if use.kind == using and use.name == name:
                    for one in users_at(snapshot, path, use.within):
                        found[one] = None
    return [*found]


def users_at(snapshot: Snapshot, path: str, within: int) -> Iterator[User]:
    """Yield the definitions and the node block around a use."""
    facts = snapshot.facts(path)
    around = [facts.symbols[number] for number in facts.outwards(within)]
    for symbol in around:
        if symbol.kind in USING:
            yield User(symbol.kind, symbol.name)
        elif symbol.kind == "node":
            yield User("node", symbol.name, (path, line_of(snapshot, path, symbol.first)))
    if not any(one.kind in (*USING, "node") for one in around):
        yield User("site", path)


def line_of(snapshot: Snapshot, path: str, offset: int) -> int:
    """Return the line of an offset, from 1."""
    return place_of(snapshot.text(path), offset)[0]
