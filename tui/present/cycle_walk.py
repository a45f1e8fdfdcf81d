"""A dependency cycle edge by edge, each with its statement, and the cut that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analyzer.graph.cycles.search import Cycle
from analyzer.graph.cycles.statements import Statement
from analyzer.graph.labels import METAPARAMETERS
from analyzer.graph.phrases import remark, sentence, statement_line, word
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.nouns import counted
from analyzer.model.relationship import Relationship
from analyzer.source import Span
from tui.present.fit import clean, cut_path
from tui.present.pieces import Line, Piece, line, ref_pieces
from tui.project.neighbours import AUTO, BEFORE, CONTAINS, NOTIFY, kind_of

# The most pairs of lost ordering that are named.
NAMED = 8

SCISSORS = "✂"


@dataclass(frozen=True, slots=True)
class WalkEdge:
    """One edge of a closed walk.

    `kind` is before, notify, auto or contains; `word` its spelling, `sentence` its explanation.
    `others` counts further relationships that make the same edge. `cut` is true if the suggested
    cut removes the edge. `declared` is true if the place is that of a declaration, because that of
    the statement is unknown.
    """

    source: str
    target: str
    kind: str
    word: str
    sentence: str
    remark: str
    place: Span | None
    others: int = 0
    cut: bool = False
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    """A cycle of a graph: number `number` of `total`, closed: the last edge leads to the first.

    `cuts` are the statements to remove, with their places; `lost` is the ordering lost by that.
    """

    cycle: Cycle
    number: int
    total: int
    edges: tuple[WalkEdge, ...]
    cuts: tuple[tuple[str, Span | None], ...]
    lost: tuple[str, ...]

    @property
    def title(self) -> str:
        """Return the title of the cycle: its number and its size."""
        which = f"Cycle {self.number} of {self.total}" if self.total > 1 else "Cycle"
        return f"{which}: {counted(len(self.cycle.members), 'resource')}"

    def next_cut(self, at: int) -> int | None:
        """Return the next edge that the cut removes, None if it removes none."""
        ahead = [(at + n) % len(self.edges) for n in range(1, len(self.edges) + 1)]
        return next((n for n in ahead if self.edges[n].cut), None)

    def of_ref(self, ref: str) -> int | None:
        """Return the first edge that begins at a resource."""
        return next((n for n, edge in enumerate(self.edges) if edge.source == ref), None)


# Precedes the place of a declaration if that of the statement is unknown.
DECLARED = "declared at "


def walks(graph: RelationshipGraph) -> tuple[Walk, ...]:
    """Return every cycle of a graph as a walk."""
    cycles = graph.cycles()
    return tuple(
        walk_of(graph, cycle, number, len(cycles)) for number, cycle in enumerate(cycles, 1)
    )


def walk_of(graph: RelationshipGraph, cycle: Cycle, number: int = 1, total: int = 1) -> Walk:
    """Return a cycle as a walk."""
    removes = [Removal(graph, statement) for statement in cycle.cut.statements]
    edges = []
    for hop in cycle.hops:
        if not hop.relationships:
            continue
        first = hop.relationships[0]
        gone = all(any(one.covers(made) for one in removes) for made in hop.relationships)
        edges.append(
            WalkEdge(
                str(hop.source_ref),
                str(hop.target_ref),
                kind_of((first,)),
                word(first),
                sentence(first),
                remark(first),
                first.origin.span,
                len(hop.relationships) - 1,
                gone,
                first.origin.at_declaration,
            )
        )
    cuts = tuple((statement_line(s), s.example.origin.span) for s in cycle.cut.statements)
    return Walk(cycle, number, total, tuple(edges), cuts, tuple(lost_lines(cycle)))


class Removal:
    """The relationships that go away with a statement."""

    def __init__(self, graph: RelationshipGraph, statement: Statement) -> None:
        self.statement = statement
        self.members: set[str] = set()
        self.made: set[Relationship] = set()
        origin = statement.example.origin
        if origin.many is None:
            self.made.update(statement.relationships)
            return
        label = dict(METAPARAMETERS)[origin.form]
        for known, members, _ in graph.junctions:
            refs = {str(graph.resources[i]) for i in members}
            if known == label and str(origin.declared_by) in refs:
                self.members |= refs

    def covers(self, made: Relationship) -> bool:
        """Return whether a relationship goes away with the statement.

        For a list that many resources share, the members of the list are compared.
        """
        if made in self.made:
            return True
        same = made.origin.form == self.statement.example.origin.form
        return (
            same and made.origin.many is not None and str(made.origin.declared_by) in self.members
        )


def lost_lines(cycle: Cycle) -> Iterator[str]:
    """Yield the ordering that a cut loses."""
    cut = cycle.cut
    for first, second in cut.lost[:NAMED]:
        yield f"{first} before {second}"
    if cut.lost_count > NAMED:
        yield f"... and {cut.lost_count - NAMED:,} more"


# Returns the name under which a file is shown.
Short = Callable[[str], str]

# The lines between two resources, by the kind of the edge.
STEMS = {BEFORE: "│", NOTIFY: "║", AUTO: "╎", CONTAINS: "┊"}


def walk_rows(walk: Walk, at: int, short: Short = str, room: int = 200) -> list[tuple[Line, int]]:
    """Return the walk from top to bottom, each row with the number of its edge; `at` is marked.

    `short` returns the name of a file. A resource is shown above the edge that begins at it; the
    last row leads back to the first.
    """
    rows: list[tuple[Line, int]] = []
    wide = max((len(edge.word) for edge in walk.edges), default=0)
    for number, edge in enumerate(walk.edges):
        rail = "╭▶" if number == 0 else "│ "
        here = number == at
        style = "strong" if here or number == (at + 1) % len(walk.edges) else ""
        rows.append(((Piece(f" {rail} ", "dim"), *ref_pieces(clean(edge.source), style)), number))
        said = DECLARED * edge.declared
        place = cut_path(place_text(edge.place, short), max(8, room - wide - 10 - len(said)))
        place = said + place
        rows.append((edge_row(edge, wide, place, here=here), number))
    if walk.edges:
        last = len(walk.edges) - 1
        style = "strong" if at == last else ""
        back = (Piece(" ╰─ ", "dim"), *ref_pieces(clean(walk.edges[0].source), style))
        rows.append(((*back, Piece("  closes the cycle", "dim")), last))
    return rows


def edge_row(edge: WalkEdge, wide: int, place: str, *, here: bool) -> Line:
    """Return the row of one edge."""
    mark = (
        Piece(f"{SCISSORS} ", "removed") if edge.cut else Piece(f"{STEMS[edge.kind]} ", edge.kind)
    )
    pieces = [
        Piece(" │   ", "dim"),
        mark,
        Piece(f"{edge.word:<{wide}}", edge.kind),
        Piece(f"  {place}", "place"),
    ]
    if edge.others:
        pieces.append(Piece(f"  and {edge.others} more", "dim"))
    if here:
        pieces[0] = Piece(" │ ▸ ", "accent")
    return tuple(pieces)


def said_lines(walk: Walk, at: int) -> list[Line]:
    """Return the sentence of the edge under the cursor."""
    edge = walk.edges[at]
    head = line((f"edge {at + 1} of {len(walk.edges)}: ", "dim"), clean(edge.sentence))
    more = f"; {counted(edge.others, 'more relationship')} between the same two" * bool(edge.others)
    return [(*head, Piece(more, "dim")) if more else head]


def place_text(place: Span | None, short: Short) -> str:
    """Return `FILE:LINE`."""
    return f"{clean(short(place.file))}:{place.line}" if place else "position unknown"


def cut_lines(walk: Walk, short: Short = str) -> list[Line]:
    """Return the statements to remove, and the ordering lost by that."""
    cut = walk.cycle.cut
    fewest = "" if cut.exact else " (approximate)"
    count = counted(len(cut.statements), "statement")
    head = f"{SCISSORS} to break the cycle, remove {count}{fewest}:"
    lines: list[Line] = [(Piece(head, "removed"),)]
    for text, place in walk.cuts:
        said = DECLARED if text.startswith(DECLARED) else ""
        where = f"{said}{place_text(place, short)}: " if place else ""
        lines.append(line(("  " + where, "place"), clean(text.removeprefix(f"{said}{place}: "))))
    if cut.lost_count:
        lines.append((Piece(f"{counted(cut.lost_count, 'ordering')} lost:", "dim"),))
        lines += [(Piece(f"  {clean(text)}", "dim"),) for text in walk.lost]
    else:
        lines.append((Piece("no ordering lost", "good"),))
    others = len(walk.cycle.members) - len(set(walk.cycle.path))
    if others:
        lines.append(
            line(
                (f"{counted(others, 'more resource')} in this strongly connected component", "dim")
            )
        )
    if not walk.cycle.shortest:
        lines.append((Piece("the component is large: there may be a shorter cycle", "dim"),))
    return lines
