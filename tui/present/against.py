"""Two catalogs side by side: the lists of their differences, and the steps of their runs."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from analyzer.export.reports.diff_parts import ComparedNode, parts
from analyzer.model.nouns import counted
from tui.present.computed import ComputedSequence
from tui.present.fit import padded, shorten, width
from tui.present.glyphs import LOOKS
from tui.present.pieces import BLANK, Line, Piece, line, printable, ref_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tui.project.project import Project
    from tui.run.paired_runs import RunTurn, TurnPair

# The most rows of one kind of difference that are shown.
MOST_ROWS = 2_000

SIGNS = {
    "": Piece("   ", "faint"),
    "<": Piece(" < ", "removed"),
    ">": Piece(" > ", "added"),
    "~": Piece(" ~ ", "changed"),
}
# The heads of parts begin with one of these; colour is not the only sign.
STYLES = {"added": "added", "removed": "removed", "new": "failed", "former": "good"}


class Differences(NamedTuple):
    """Lines, the place of each head, and the resource of a line, by its place."""

    lines: list[Line]
    heads: list[int]
    refs: dict[int, str]


def differences(other: Project, project: Project) -> Differences:
    """Return how a catalog differs from the one that it is compared with."""
    node = ComparedNode(project.title, other.graph, project.graph)
    found = Differences([], [], {})
    if node.diff is None or not any(True for _ in parts(node, node.diff)):
        found.lines.append(line(("no difference", "good")))
        return found
    for part in parts(node, node.diff):
        if found.lines:
            found.lines.append(BLANK)
        found.heads.append(len(found.lines))
        style = STYLES.get(part.head.split(":")[0].split(" ")[0], "title")
        found.lines.append(line((part.head, style)))
        for row in islice(part.rows, MOST_ROWS):
            found.refs[len(found.lines)] = row.what
            note = "  ".join(printable(text) for text in (row.place, row.note) if text != "-")
            found.lines.append(
                (Piece("  "), *ref_pieces(printable(row.what)), Piece(f"  {note}", "dim"))
            )
            found.lines.extend(line("    ", (printable(text), "dim")) for text in row.details)
            for name, patch in row.patches:
                found.lines.append(line(f"    {printable(name)}:"))
                found.lines.extend(map(patched, patch))
        if part.count > MOST_ROWS:
            more = f"  ... and {part.count - MOST_ROWS:,} more: 'catgraph diff --all' lists them"
            found.lines.append(line((more, "dim")))
    return found


def patched(text: str) -> Line:
    """Return a line of a patch."""
    style = {"+": "added", "-": "removed", "@": "faint"}.get(text[:1], "dim")
    return line("      ", (printable(text), style))


class PairLines(ComputedSequence[Line]):
    """The lines of two runs in pairs, in two columns."""

    def __init__(self, pairs: Sequence[TurnPair], room: int) -> None:
        self.pairs = pairs
        self.room = max(12, (room - 4) // 2)

    def __len__(self) -> int:
        return len(self.pairs)

    def item(self, index: int) -> Line:
        """Return the line at an index."""
        pair = self.pairs[index]
        left, right = (half(turn, self.room) for turn in (pair.first, pair.second))
        return (*left, SIGNS[pair.sign], *right)


def half(turn: RunTurn | None, room: int) -> Line:
    """Return one run's half of a line: step, outcome's sign, resource, and outcome if it fits."""
    if turn is None:
        return (Piece(" " * room),)
    look = LOOKS[turn.outcome]
    left = room - 8
    name = shorten(printable(turn.name), left)
    left -= width(name)
    word = f" {look.word}" if left > width(look.word) else ""
    return (
        Piece(f"{turn.step:>5} ", "faint"),
        Piece(f"{look.glyph} ", look.style),
        *ref_pieces(name),
        Piece(padded(word, left), look.style),
    )


def summary(pairs: Sequence[TurnPair], cursor: int) -> Line:
    """Return the number of differences of two runs, and the place among them."""
    differing = [place for place, pair in enumerate(pairs) if pair.sign]
    if not differing:
        return line(("the runs are the same", "good"), (f", {counted(len(pairs), 'step')}", "dim"))
    before = sum(place <= cursor for place in differing)
    return line(
        (
            counted(len(differing), "step") + (" differs" if len(differing) == 1 else " differ"),
            "strong",
        ),
        (f", {before} up to here", "dim"),
    )


def explained(pair: TurnPair, pairs: Sequence[TurnPair], names: tuple[str, str]) -> list[Line]:
    """Return the effect of each of two runs on the resource of a pair."""
    if not pair.sign:
        return [line(("both runs do the same here", "dim"))]
    same = [one for one in pairs if one.name == pair.name]
    found = []
    for name, turns in zip(
        names, zip(*((p.first, p.second) for p in same), strict=True), strict=True
    ):
        turn = next((turn for turn in turns if turn is not None), None)
        found.append(line((f"{printable(name)}: ", "strong"), printable(turn_text(turn))))
    return found


def turn_text(turn: RunTurn | None) -> str:
    """Return the step and the messages of a turn in one line."""
    if turn is None:
        return "never applies it"
    messages = "; ".join(
        text if text.startswith(part) else f"{part} {text}" for part, text in turn.messages
    )
    return f"step {turn.step}, {LOOKS[turn.outcome].word}" + (f": {messages}" if messages else "")
