"""Code lenses above classes, defines and nodes: their size, dependencies and dependents.

The lenses show the results of the last compile; before the first one there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from analyzer.lsp.features.neighbours import around, hops, same
from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

SHOWN = ("class", "define", "node")

# The most dependencies, and the most dependents, that a lens names.
MOST = 2

# The node in the name of a catalog: `manifests/site.pp (web1, debian12)`.
NODE = re.compile(r"\(([^(),]+)[^()]*\)$")

# Commands of the editor's extension, which opens a browser or a terminal. Their arguments are the
# file and a resource.
PAGE, SCREENS = "catgraph.openGraph", "catgraph.openScreens"


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.CodeLens]:
    """Return two lenses for each definition: its place in the order, and a link to the screens."""
    pictures = snapshot.pictures.get(asked.path, ())
    nodes = nodes_in(asked, pictures)
    found: list[types.CodeLens] = []
    for symbol in asked.facts.symbols if pictures else ():
        if symbol.kind not in SHOWN:
            continue
        is_node = symbol.kind == "node"
        words = nodes.get(symbol, "") if is_node else words_of(symbol, pictures)
        if words:
            place = snapshot.range(asked.path, symbol.start, symbol.end)
            given = [asked.path, "" if is_node else next(iter(refs_of(symbol, pictures)), "")]
            found.append(types.CodeLens(place, types.Command(words, PAGE, None, given)))
            found.append(types.CodeLens(place, types.Command("step through", SCREENS, None, given)))
    return found


def refs_of(symbol: IndexedSymbol, pictures: tuple[CatalogPicture, ...]) -> dict[str, None]:
    """Return the resources of a class or define, in all catalogs."""
    refs = [ref for picture in pictures for ref in picture.resources]
    if symbol.kind == "class":
        return dict.fromkeys(ref for ref in refs if same(ref, f"class[{symbol.name}]"))
    return dict.fromkeys(ref for ref in refs if ref.lower().startswith(f"{symbol.name}["))


def words_of(symbol: IndexedSymbol, pictures: tuple[CatalogPicture, ...]) -> str:
    """Return text such as `12 resources · after apt · before nginx · cycle in 2 of 9 catalogs`."""
    refs = refs_of(symbol, pictures)
    own = [one for one in pictures if any(ref in one.resources for ref in refs)]
    if not own:
        return ""
    words = [counted(symbol, refs, own)]
    for word, before in (("after", True), ("before", False)):
        names = dict.fromkeys(short(hop.ref) for hop in hops(own, refs, before=before))
        if names:
            more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
            words.append(f"{word} {', '.join([*names][:MOST])}{more}")
    return " · ".join([*words, *states(refs, own)])


def nodes_in(
    asked: EditorRequest, pictures: tuple[CatalogPicture, ...]
) -> dict[IndexedSymbol, str]:
    """Return the texts of the lenses of node blocks, each from the catalogs of its name.

    The catalog of a site's only node has no such name.
    """
    nodes = [symbol for symbol in asked.facts.symbols if symbol.kind == "node"]
    by_name: dict[str, list[CatalogPicture]] = {}
    for picture in pictures if nodes else ():
        match = NODE.search(picture.name)
        by_name.setdefault(match[1] if match else "", []).append(picture)
    found = {}
    for symbol in nodes:
        own = by_name.get(symbol.name.strip("'\""), by_name.get("", []) if len(nodes) == 1 else [])
        if own:
            counts = sorted({len(one.resources.keys() - one.containers) for one in own})
            bad = sum(1 for one in own if one.cycles)
            found[symbol] = " · ".join([plural(counts, "resource"), *state(bad, own)])
    return found


def counted(symbol: IndexedSymbol, refs: dict[str, None], own: list[CatalogPicture]) -> str:
    """Return how many resources a class or define contains, and how often a define is declared."""
    counts = sorted({sum(1 for ref in one.resources if holds(one, refs, ref)) for one in own})
    words = plural(counts, "resource")
    if symbol.kind == "define":
        many = sorted({sum(1 for ref in refs if ref in one.resources) for one in own})
        words = f"declared {plural(many, 'time')} · {words}"
    return words


def plural(counts: list[int], noun: str) -> str:
    """Return `1 resource`, `2 resources`, or `2 to 5 resources` where catalogs differ."""
    number = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return f"{number} {noun}{'' if counts == [1] else 's'}"


def holds(picture: CatalogPicture, refs: dict[str, None], ref: str) -> bool:
    """Return whether a resource is in one of some containers, and is not a container itself."""
    inside = any(one in refs for one in around(picture, ref)[1:])
    return inside and ref not in picture.containers


def states(refs: dict[str, None], own: list[CatalogPicture]) -> Iterator[str]:
    """Yield texts about the catalogs in which part of a container is on a cycle or unknown."""
    bad = [one for one in own if any(holds(one, refs, r) or r in refs for r in one.cyclic)]
    yield from state(len(bad), own)


def state(bad: int, own: list[CatalogPicture]) -> Iterator[str]:
    """Yield texts with the numbers of catalogs that have a cycle and that are incomplete."""
    partial = sum(not one.complete for one in own)
    for word, count in (("cycle", bad), ("incomplete", partial)):
        if count:
            yield word if len(own) == 1 else f"{word} in {count} of {len(own)} catalogs"


def short(ref: str) -> str:
    """Return the name of a class, or the reference of another resource."""
    return ref[6:-1].lower() if ref.startswith("Class[") else ref
