"""The scenes of the HTML page: everything, classes only, each class, each cycle."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import cached_property

from analyzer.export.graph.transform import class_map, implied_edges
from analyzer.export.graph.view import GraphView, ViewEdge, ViewNode
from analyzer.export.page.layout import Layout, layout
from analyzer.export.page.ranks import ContainerGraph, PageEdge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.graph.relationship_graph import RelationshipGraph

    Pair = tuple[int, int]

# The most characters of a title in a node, and their width in the page's font.
TITLE_LENGTH = 26
TITLE_CHARACTER = 7.25
TYPE_CHARACTER = 6.2
PADDING = 26

# A component with more members than this is drawn by its shortest cycle only.
LARGEST = 60

# Refresh edges with an implied order are drawn between folded classes up to this number for each
# node.
LOUD = 2


@dataclass(slots=True)
class Scene:
    """One picture: nodes by their numbers in the page, their places, and the pairs to draw.

    `kept` are the pairs whose order is not implied. `edges` limits the picture to these edges of
    the page (None: all between its nodes; those of absent resources start at their class).
    """

    kind: str
    subject: int
    nodes: list[int]
    drawing: Layout
    kept: list[Pair]
    edges: list[int] | None = None


def label_width(node: ViewNode) -> float:
    """Return the width of a node, from its two lines of text."""
    title = min(cells(node.title), TITLE_LENGTH) * TITLE_CHARACTER
    words = node.type if node.role in ("resource", "container") else f"{node.type} {node.role}"
    return round(max(72.0, title + PADDING, len(words) * TYPE_CHARACTER + PADDING))


def cells(text: str) -> int:
    """Return the width of a text in columns; East Asian characters and emoji take two."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@dataclass(slots=True)
class Numbered:
    """A view with numbers for refs, the source of all scenes."""

    view: GraphView
    ids: dict[str, int]
    widths: list[float]
    pairs: list[Pair]
    implied: list[bool]
    holder: list[int]
    opened: ContainerGraph
    home: list[int] = field(default_factory=list)


def numbered(graph: RelationshipGraph, view: GraphView) -> Numbered:
    """Number the nodes of a view; `home` is the class that each folds into, if that exists."""
    ids = {node.ref: i for i, node in enumerate(view.nodes)}
    holder = [ids.get(node.container or "", -1) for node in view.nodes]
    pairs = [(ids[e.source], ids[e.target]) for e in view.edges]
    widths = [label_width(node) for node in view.nodes]
    opened = ContainerGraph(len(ids), [PageEdge(s, t) for s, t in pairs], holder)
    made = Numbered(view, ids, widths, pairs, implied_edges(view), holder, opened)
    if view.kind == "relationships":
        needed = opened.needed()
        made.implied = [
            edge.kind != "notify" and PageEdge(s, t) not in needed
            for edge, (s, t) in zip(view.edges, pairs, strict=True)
        ]
        into = class_map(graph)
        made.home = [ids.get(into.get(node.ref, ""), i) for i, node in enumerate(view.nodes)]
    return made


class SceneMaker:
    """Makes the pictures of one view."""

    def __init__(self, numbers: Numbered) -> None:
        self.numbers = numbers

    def everything(self) -> Scene:
        """Return the picture of all nodes; later nodes are lower, also through containers."""
        numbers = self.numbers
        kept = [p for p, implied in zip(numbers.pairs, numbers.implied, strict=True) if not implied]
        ties = [(x, v) for v, x in enumerate(numbers.holder) if x >= 0]
        ranks = None
        if numbers.view.kind == "relationships":
            ranks = numbers.opened.ranks()
        else:
            ties = []
        drawing = layout(numbers.widths, kept, ties, ranks)
        return Scene("all", -1, list(range(len(numbers.widths))), drawing, kept)

    def classes(self) -> Scene:
        """Return the picture of classes, with everything else folded into them."""
        home = self.numbers.home
        nodes = sorted(set(home))
        return self._folded("classes", -1, nodes, home)

    @cached_property
    def _touching(self) -> dict[int, list[Pair]]:
        home = self.numbers.home
        found: dict[int, list[Pair]] = {}
        for s, t in dict.fromkeys(self.numbers.pairs):
            found.setdefault(home[s], []).append((s, t))
            if home[t] != home[s]:
                found.setdefault(home[t], []).append((s, t))
        return found

    @cached_property
    def _notifying(self) -> set[Pair]:
        edges = zip(self.numbers.pairs, self.numbers.view.edges, strict=True)
        return {pair for pair, edge in edges if edge.kind == "notify"}

    @cached_property
    def _inside(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for v, x in enumerate(self.numbers.home):
            found.setdefault(x, []).append(v)
        return found

    @cached_property
    def _cyclic(self) -> dict[int, list[int]]:
        """Return the edges of cycles by their source."""
        found: dict[int, list[int]] = {}
        for e, edge in enumerate(self.numbers.view.edges):
            if edge.in_cycle:
                found.setdefault(self.numbers.pairs[e][0], []).append(e)
        return found

    def inner(self) -> list[Scene]:
        """Return a picture for each class with contents: the contents and the adjacent classes."""
        return [self._inner(x) for x, nodes in sorted(self._inside.items()) if len(nodes) > 1]

    def _inner(self, x: int) -> Scene:
        home = self.numbers.home
        inside = set(self._inside[x])
        pairs = self._touching.get(x, [])
        around = {home[v] for pair in pairs for v in pair if v not in inside}
        nodes = [*self._inside[x], *sorted(around - inside)]
        shown = set(nodes)
        into = {v: v if v in shown else home[v] for pair in pairs for v in pair}
        return self._folded("class", x, nodes, into, pairs)

    def _folded(
        self,
        kind: str,
        subject: int,
        nodes: list[int],
        into: Sequence[int] | dict[int, int],
        pairs: list[Pair] | None = None,
    ) -> Scene:
        numbers = self.numbers
        taken = numbers.pairs if pairs is None else pairs
        local = {v: i for i, v in enumerate(nodes)}
        loud: set[Pair] = set()
        links = {}
        for s, t in taken:
            a, b = local[into[s]], local[into[t]]
            if a != b:
                links[PageEdge(a, b, into[s] != s, into[t] != t)] = (a, b)
                if (s, t) in self._notifying:
                    loud.add((a, b))
        if len(loud) > LOUD * len(nodes):
            loud.clear()
        holder = [local.get(numbers.holder[v], -1) for v in nodes]
        opened = ContainerGraph(len(nodes), list(links), holder)
        needed = {links[link] for link in opened.needed()} | loud
        kept = [pair for pair in dict.fromkeys(links.values()) if pair in needed]
        ties = [(x, i) for i, x in enumerate(holder) if x >= 0]
        ranks = opened.ranks()
        drawing = layout([numbers.widths[v] for v in nodes], kept, ties, ranks)
        return Scene(kind, subject, nodes, drawing, [(nodes[s], nodes[t]) for s, t in kept])

    def cycle(self, number: int, path: list[int], members: list[int], hops: list[int]) -> Scene:
        """Return the picture of one cycle; `hops` are the numbers of its edges."""
        numbers = self.numbers
        on_path = set(path)
        rest = [v for v in members if v not in on_path]
        nodes = [*dict.fromkeys(path), *(rest if len(members) <= LARGEST else [])]
        local = {v: i for i, v in enumerate(nodes)}
        edges = list(dict.fromkeys(hops))
        shown = {numbers.pairs[e] for e in edges}
        for e in sorted(e for v in nodes for e in self._cyclic.get(v, ())):
            if numbers.pairs[e][1] in local and numbers.pairs[e] not in shown:
                edges.append(e)
        pairs = list(dict.fromkeys(numbers.pairs[e] for e in edges))
        drawing = layout(
            [numbers.widths[v] for v in nodes], [(local[s], local[t]) for s, t in pairs]
        )
        return Scene("cycle", number, nodes, drawing, pairs, edges)


def edge_numbers(view: GraphView) -> dict[tuple[str, str, str, str, int], int]:
    """Return the number of each edge by its ends and origin."""
    return {edge_key(edge): i for i, edge in enumerate(view.edges)}


def edge_key(edge: ViewEdge) -> tuple[str, str, str, str, int]:
    """Return the identity of an edge."""
    origin = edge.origin
    declared = str(origin.declared_by)
    return edge.source, edge.target, origin.form, declared, origin.position
