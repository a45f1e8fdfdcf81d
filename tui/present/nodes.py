"""The nodes of a repository by their worlds, as rows of a table, and one row in full."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from analyzer.model.completeness import statement
from analyzer.model.nouns import counted
from tui.present.fit import clean, cut, padded, wrapped
from tui.present.glyphs import ARROWS, FOLDED, OPEN, StateLook
from tui.present.pieces import BLANK, Line, Piece, has_words, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.frontends.puppet.worlds.world import World
    from analyzer.worlds.explored import ConditionalFinding, ExploredNode, ExploredWorld
    from tui.project.repository import NodeResult

# The states of a world, in the order of the columns.
STATES: dict[str, StateLook] = {
    "ok": StateLook("\N{CHECK MARK}", "good", "ok"),
    "cycle": StateLook("\N{INFINITY}", "failed", "cycle"),
    "missing": StateLook("\N{EMPTY SET}", "failed", "missing"),
    "refused": StateLook("\N{BALLOT X}", "warning", "refused"),
    "incomplete": StateLook("\N{CIRCLE WITH LEFT HALF BLACK}", "changed", "incomplete"),
}
# Columns between the counts, at the left end, and the most that a name takes.
GAP, LEFT, NAME = 3, 3, 48
# Columns of a world's state, and the most gaps that one world shows.
STATE = max(map(len, STATES)) + 2


class NodeRow(NamedTuple):
    """A row: a node, or one of its worlds by its number."""

    node: str
    world: int | None = None


class NodeTable(Sequence[Line]):
    """The rows in view: the nodes in their order, and below an open node its worlds.

    `results` has the nodes that were explored; `current` is the one that is being explored. A node
    is shown if it or one of its worlds has all words of `wanted`.
    """

    def __init__(
        self,
        names: Sequence[str],
        results: Mapping[str, NodeResult],
        opened: Collection[str],
        wanted: str = "",
        current: str = "",
        width: int = 80,
    ) -> None:
        self.results = results
        self.opened = opened
        self.current = current
        counts = sum(len(state) + GAP for state in STATES)
        longest = max(map(len, names), default=0)
        self.room = max(12, min(NAME, longest, width - counts - LEFT - 1))
        shown = [name for name in names if matches(name, results.get(name), wanted)]
        self.rows = [row for name in shown for row in self.rows_of(name)]

    def rows_of(self, name: str) -> Iterator[NodeRow]:
        """Yield the row of a node, and those of its worlds if it is open."""
        yield NodeRow(name)
        result = self.results.get(name)
        if result is not None and name in self.opened and len(result.worlds) > 1:
            yield from (NodeRow(name, number) for number in range(len(result.worlds)))

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        name, number = self.rows[index]
        result = self.results.get(name)
        if result is None or number is None:
            return self.node_line(name, result)
        return world_line(result, number)

    def head(self) -> Line:
        """Return the titles of the columns."""
        words = "".join(f"{state:>{len(state) + GAP}}" for state in STATES)
        return line((f"{' ' * LEFT}{'node':<{self.room}}{words}", "dim"))

    def node_line(self, name: str, result: NodeResult | None) -> Line:
        """Return the row of a node: how many of its worlds are in each state."""
        shown = padded(cut(name, self.room), self.room)
        if result is None:
            now = "exploring ..." if name == self.current else ""
            return line(" " * LEFT, (shown, "waiting"), (f"{' ' * GAP}{now}", "dim"))
        if result.explored is None:
            text = clean(result.error.split("\n")[0])
            return line(" ✗ ", (shown, "strong"), " " * GAP, (text, "failed"))
        states = [world.state for world in result.worlds]
        sign = (OPEN if name in self.opened else FOLDED) if len(states) > 1 else " "
        pieces = [Piece(f" {sign} ", "dim"), Piece(shown, "strong")]
        for state, look in STATES.items():
            count = states.count(state)
            text = f"{count or '-':>{len(state) + GAP}}"
            pieces.append(Piece(text, look.style if count else "faint"))
        if not result.explored.exhausted:
            pieces.append(Piece("  maybe more", "dim"))
        if len(states) == 1 and states[0] == "cycle":
            pieces.append(Piece(f"  {conditions(result.explored, result.worlds[0])}", "dim"))
        return tuple(pieces)

    def place(self, row: NodeRow) -> int:
        """Return the index of a row; if it is not shown, that of its node, else the first."""
        for wanted in (row, NodeRow(row.node)):
            if wanted in self.rows:
                return self.rows.index(wanted)
        return 0

    def next_cycle(self, at: int, step: int) -> int | None:
        """Return the next row of a node with a cycle, in a direction."""
        ahead = range(at + 1, len(self)) if step > 0 else range(at - 1, -1, -1)
        for index in ahead:
            name, number = self.rows[index]
            result = self.results.get(name)
            if number is None and result and any(w.state == "cycle" for w in result.worlds):
                return index
        return None


def matches(name: str, result: NodeResult | None, wanted: str) -> bool:
    """Return whether a node, or one of its worlds with its state, has all words of a filter."""
    texts = [name]
    if result is not None and wanted:
        texts += [f"{name} {world.state} {world_text(world.world)}" for world in result.worlds]
    return any(has_words(text, wanted) for text in texts)


def world_text(world: World) -> str:
    """Return a world as text: its system, and the inputs that differ from it."""
    from analyzer.frontends.puppet.worlds.conditions import Conjunct

    parts = [str(Conjunct(name, "is", value)) for name, value in world.values.items()]
    return printable(", ".join([world.system, *parts]))


def conditions(node: ExploredNode, world: ExploredWorld) -> str:
    """Return the conditions of the cycles of a world."""
    return "; ".join(dict.fromkeys(condition_text(one) for one in cycles_of(node, world)))


def cycles_of(node: ExploredNode, world: ExploredWorld) -> list[ConditionalFinding]:
    """Return the cycles of a world, each with its condition."""
    members = {cycle.members for cycle in world.cycles}
    found = ((one, one.finding.cycle) for one in node.findings)
    return [one for one, cycle in found if cycle is not None and cycle.members in members]


def condition_text(found: ConditionalFinding) -> str:
    """Return the condition of a cycle as text."""
    words = " and ".join(map(str, found.condition))
    return printable(f"if {words}") if words else "in every world"


def world_line(result: NodeResult, number: int) -> Line:
    """Return the row of a world: its state, its system, and the conditions of its cycles."""
    world = result.worlds[number]
    look = STATES[world.state]
    pieces = [
        Piece(" " * (LEFT + 2)),
        Piece(f"{look.glyph} {look.word:<{STATE}}", look.style),
    ]
    if world.state == "cycle" and result.explored is not None:
        pieces.append(Piece(f"{conditions(result.explored, world)}  ", "strong"))
    return (*pieces, Piece(world_text(world.world), "dim"))


def summary(results: Mapping[str, NodeResult], names: Sequence[str]) -> Line:
    """Return how many nodes were explored, and how many worlds are in each state."""
    known = [result for name in names if (result := results.get(name)) is not None]
    worlds = sum(len(result.worlds) for result in known)
    all_of = counted(len(names), "node") if len(known) == len(names) else ""
    done = all_of or f"{len(known):,} of {counted(len(names), 'node')} explored"
    pieces = [Piece(f" {done}, {counted(worlds, 'world')}{':' if worlds else ''}  ")]
    for state, look in STATES.items():
        count = sum(world.state == state for result in known for world in result.worlds)
        if count:
            pieces.append(Piece(f"{look.glyph} {count:,} {look.word}  ", look.style))
    failed = sum(result.explored is None for result in known)
    if failed:
        pieces.append(Piece(f"✗ {failed:,} failed", "failed"))
    return tuple(pieces)


# ------------------------------------------------------------------ one row in full


def in_full(
    result: NodeResult | None, number: int | None, width: int, folder: str = ""
) -> list[Line]:
    """Return the details of a node, or of one of its worlds; paths are below `folder`."""
    if result is None:
        return [line(("this node is not explored yet", "dim"))]
    if result.explored is None:
        return error_lines(result.error, width, folder)
    if number is None and len(result.worlds) != 1:
        return node_lines(result.explored, width, folder)
    return world_lines(result.explored, result.worlds[number or 0], width, folder)


def node_lines(node: ExploredNode, width: int, folder: str) -> list[Line]:
    """Return how many worlds a node has, how they were found, and its cycles."""
    found = line((counted(len(node.worlds), "world"), "strong"), " that behave differently")
    compiled = f"found in {counted(node.runs, 'compile')}"
    compiled += f"; {node.like} does the same and was searched for both" if node.like else ""
    ended = "" if node.exhausted else "; there may be more: the search reached its limit"
    lines = [found, *dim(compiled + ended, width)]
    for one in node.findings:
        lines += [BLANK, *finding_lines(one, width, folder)]
    errors = dict.fromkeys(str(world.error) for world in node.worlds if world.error is not None)
    for error in errors:
        lines += [BLANK, *error_lines(error, width, folder)]
    return lines


def world_lines(node: ExploredNode, world: ExploredWorld, width: int, folder: str) -> list[Line]:
    """Return a world in full: its system, its size, and its cycles, error or gaps."""
    look = STATES[world.state]
    lines = [line((f"{look.glyph} {look.word}", look.style), "  ", world_text(world.world))]
    if world.resources:
        count = counted(world.resources, "resource")
        edges = counted(world.relationships, "relationship")
        lines += dim(f"{count}, {edges}", width)
    for one in cycles_of(node, world):
        lines += [BLANK, *finding_lines(one, width, folder)]
    if world.error is not None:
        lines += error_lines(str(world.error), width, folder)
    for text in statement(world.gaps) if world.gaps else ():
        lines += dim(below(text, folder), width)
    return lines


def finding_lines(found: ConditionalFinding, width: int, folder: str) -> list[Line]:
    """Return a finding with its condition: a cycle with its path and cut, or a message."""
    finding = found.finding
    if finding.cycle is None:
        head = line((f"{finding.kind} ", "failed"), (condition_text(found), "strong"))
        return [head, *error_lines(finding.message, width, folder)]
    members = counted(len(finding.cycle.members), "member")
    head = line(("cycle ", "failed"), (condition_text(found), "strong"), (f", {members}", "dim"))
    lines = [head]
    for number, ref in enumerate(finding.cycle.path):
        arrow = ARROWS["before"] if number else " "
        lines.append(line(f" {arrow} ", *ref_pieces(printable(str(ref)))))
    spans = [one.example.origin.span for one in finding.cycle.cut.statements]
    if spans:
        lines += dim(f"to break the cycle, remove {counted(len(spans), 'statement')}:", width)
        lines += [line((f"   {clean(below(str(span), folder))}", "place")) for span in spans]
    return lines


def error_lines(text: str, width: int, folder: str) -> list[Line]:
    """Return the lines of an error, the first one wrapped."""
    first, *more = below(text, folder).split("\n")
    lines = [line((row, "failed")) for row in wrapped(clean(first), width)]
    return lines + [line(printable(row)) for row in more]


def dim(text: str, width: int) -> list[Line]:
    """Return a text in muted lines."""
    return [line((row, "dim")) for row in wrapped(clean(text), width)]


def below(text: str, folder: str) -> str:
    """Return a text in which paths below a folder are relative to it."""
    return text.replace(f"{folder.rstrip('/')}/", "") if folder else text
