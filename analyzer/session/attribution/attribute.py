"""Finds the changed lines behind the differences of nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.compiles.explaining import explain_path
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.origins.explanation import Explanation
from analyzer.graph.diff.values import CatalogDiff
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.session.attribution.alterations import NODE, Alteration, Compared, States, states_of
from analyzer.session.attribution.candidates import Ranks, Side, ranks_of
from analyzer.session.attribution.edits import Edits, Piece, edits_of
from analyzer.session.attribution.modules import modules_changed
from analyzer.session.attribution.trees import Tree, changed_files
from analyzer.session.attribution.trials import MOST, Maker, Trials, Undone

# Candidates of one difference that are tried each by itself.
NEAREST = 8
# Differences of a node whose origins are asked for.
MOST_ASKED = 400


@dataclass(frozen=True, slots=True)
class Cause:
    """Pieces that together are behind differences; none if no changed line is known to be.

    `effects` are the differences by the name of their node.
    """

    pieces: tuple[Piece, ...]
    effects: Mapping[str, Sequence[Alteration]]


@dataclass(slots=True)
class Changed:
    """A node whose catalogs differ, None on a side without it."""

    name: str
    first: RelationshipGraph | None
    second: RelationshipGraph | None
    diff: CatalogDiff | None
    states: States = field(default_factory=dict)
    ranks: dict[Alteration, Ranks] = field(default_factory=dict)

    def __post_init__(self) -> None:
        node = Alteration(NODE, (self.name,), gained=self.second is not None)
        self.states = {node: ""} if self.diff is None else states_of(self.diff)

    @property
    def label(self) -> str:
        """Return the name that compiles of the new side have for it."""
        return self.name if self.second is None else self.second.catalog.name

    @property
    def key(self) -> object:
        """Return a key of nodes whose differences have the same causes."""
        rows = tuple((one, repr(state)) for one, state in self.states.items())
        return rows, tuple(self.ranks.items()), self.diff is None and self.name


def causes_of(changed: Sequence[Changed], old: Tree, new: Tree, maker: Maker) -> list[Cause]:
    """Return the causes of the differences of nodes, in the order of the changed lines."""
    files = changed_files(old, new)
    edits = edits_of(files, modules_changed(files))
    if len(edits.pieces) > 1:
        explain(changed, (old, new), edits, maker)
    groups: dict[object, list[Changed]] = {}
    for one in changed:
        groups.setdefault(one.key, []).append(one)
    found: dict[tuple[int, ...], dict[str, list[Alteration]]] = {}
    with Trials(new, edits, maker) as trials:
        searches = [Search(group[0], edits) for group in groups.values()]
        board = Board(trials, searches)
        for search, group in zip(searches, groups.values(), strict=True):
            for row, numbers in search.attribute(board):
                for one in group:
                    found.setdefault(numbers, {}).setdefault(one.name, []).append(row)
    order = sorted(found, key=lambda numbers: (not numbers, numbers))
    by_number = {piece.number: piece for piece in edits.pieces}
    return [Cause(tuple(by_number[n] for n in numbers), found[numbers]) for numbers in order]


def explain(
    changed: Sequence[Changed], trees: tuple[Tree, Tree], edits: Edits, maker: Maker
) -> None:
    """Rank the pieces that differences may come from, by the origins on both sides."""
    sides = Side(trees[0], edits, new=False), Side(trees[1], edits, new=True)
    by_name: list[dict[str, Explanation]] = []
    for tree, second in zip(trees, (False, True), strict=True):
        names = {
            graph.catalog.name
            for one in changed
            if one.diff is not None and (graph := one.second if second else one.first) is not None
        }
        by_name.append(explanations(tree, names, maker))
    for one in changed:
        if one.first is not None and one.second is not None:
            rows = list(one.states)[:MOST_ASKED]
            old, new = by_name[0].get(one.first.catalog.name), by_name[1].get(one.label)
            one.ranks = ranks_of(rows, old, new, sides)


def explanations(tree: Tree, names: set[str], maker: Maker) -> dict[str, Explanation]:
    """Return the explanations of some nodes of a tree, as far as they compile."""
    found: dict[str, Explanation] = {}
    with tree.entered():
        try:
            for node in explain_path(tree.path, maker.settings(tree.path), names):
                if node.explanation is not None:
                    found[node.name] = node.explanation
        except (CompileError, InputError):
            pass
    return found


class Board:
    """The results of trials, shared by the searches of all groups of nodes."""

    def __init__(self, trials: Trials, searches: Sequence[Search]) -> None:
        self.trials = trials
        self.searches = searches
        self.results: dict[tuple[Undone, str], Compared | bool | None] = {}

    def result(self, undone: Undone, asking: Search) -> Compared | bool | None:
        """Return a node's comparison after pieces were undone; None if it does not compile.

        Of a node that one side lacks: whether it is still so.
        """
        key = undone, asking.node.label
        if key not in self.results:
            if self.trials.is_over:
                return None
            nodes = [asking.node]
            nodes += [
                one.node
                for one in self.searches
                if undone and one is not asking and one.is_open and undone <= one.candidates
            ]
            graphs = self.trials.graphs(undone, {one.label for one in nodes})
            for one in nodes:
                self.results[undone, one.label] = compared(one, graphs.get(one.label))
        return self.results[key]


def compared(node: Changed, graph: RelationshipGraph | None) -> Compared | bool | None:
    """Return the comparison of a node's first catalog with another."""
    if node.diff is None:
        return (graph is not None) == (node.second is not None)
    return None if graph is None or node.first is None else Compared(node.first, graph)


class Search:
    """The search for the causes of the differences of one node."""

    def __init__(self, node: Changed, edits: Edits) -> None:
        self.node = node
        self.edits = edits
        self.candidates = {n for ranks in node.ranks.values() for n in ranks[:NEAREST]}
        self.is_open = True

    def attribute(self, board: Board) -> Iterator[tuple[Alteration, tuple[int, ...]]]:
        """Yield the differences with the pieces behind them, none if they are not known."""
        self.board = board
        for one, state in self.node.states.items():
            yield one, tuple(sorted(self.cause(one, state)))
        self.is_open = False

    def cause(self, one: Alteration, state: object) -> Undone:
        """Return the pieces behind a difference."""
        ranks = self.node.ranks.get(one, ())
        for undone in self.singles(ranks):
            if self.is_gone(one, undone):
                return undone
            if len(ranks) == 1 and self.board.result(undone, self) is None and self.compiles():
                # It cannot be tried, but what is in no set of origins changes nothing.
                return undone
        parts = [n for n in self.tried(ranks) if self.is_other(one, state, frozenset([n]))]
        for several in (parts, ranks, self.edits.every):
            if len(several) > 1 and self.is_gone(one, frozenset(several)):
                found = self.smallest(one, list(several))
                # Else some may have no part in it.
                return frozenset() if self.board.trials.is_over else found
        return frozenset()

    def compiles(self) -> bool:
        """Return whether the node compiles with all changes, and has all origins so."""
        return self.board.result(frozenset(), self) is not None

    def singles(self, ranks: Ranks) -> Iterator[Undone]:
        """Yield pieces and hunks, the nearest first; then all others, unless they are many."""
        nearest = ranks[:NEAREST]
        yield from (frozenset([n]) for n in nearest)
        yield from dict.fromkeys(self.edits.hunks[n] for n in nearest)
        for number in self.edits.every if len(self.edits.every) <= MOST else ():
            if number not in nearest:
                yield frozenset([number])

    def tried(self, ranks: Ranks) -> Iterator[int]:
        """Yield the pieces that were undone each by itself, the nearest first."""
        every = dict.fromkeys(
            [*ranks, *(self.edits.every if len(self.edits.every) <= MOST else ())]
        )
        label = self.node.label
        yield from (n for n in every if (frozenset([n]), label) in self.board.results)

    def is_gone(self, one: Alteration, undone: Undone) -> bool:
        """Return whether a difference is gone after pieces were undone."""
        result = self.board.result(undone, self)
        return not result if isinstance(result, bool) else bool(result and result.is_gone(one))

    def is_other(self, one: Alteration, state: object, undone: Undone) -> bool:
        """Return whether a difference is another one after pieces were undone."""
        result = self.board.result(undone, self)
        return isinstance(result, Compared) and not result.is_same(one, state)

    def smallest(self, one: Alteration, several: list[int]) -> Undone:
        """Return pieces of some that suffice, none of which can be left out."""
        size = max(len(several) // 2, 1)
        while size:
            start = 0
            while start < len(several) > 1:
                rest = several[:start] + several[start + size :]
                if rest and self.is_gone(one, frozenset(rest)):
                    several = rest
                else:
                    start += size
            size //= 2
        return frozenset(several)
