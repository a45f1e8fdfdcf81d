"""The causes of a fleet as rows; an open cause shows its nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from analyzer.fleet.formats.text import place_of
from analyzer.fleet.report import TITLES
from analyzer.model.nouns import counted
from tui.present.computed import ComputedSequence
from tui.present.glyphs import FOLDED, OPEN
from tui.present.pieces import FILL, Line, Piece, line, printable

if TYPE_CHECKING:
    from analyzer.fleet.causes import ClusteredCause
    from analyzer.fleet.report import FleetReport

STYLES = {"error": "failed", "warning": "warning", "note": "dim"}

# The row of the nodes without a cause.
OTHERS = -1


class FleetTable(ComputedSequence[Line]):
    """Rows are a cause and, below an open one, each of its nodes; the other nodes come last.

    `keys` are the keys of nodes in the source, by their names.
    """

    def __init__(self, report: FleetReport, keys: Mapping[str, str]) -> None:
        self.report = report
        self.keys = keys
        affected = {node for cause in report.causes for node in cause.nodes}
        self.others = tuple(sorted(set(report.nodes) - affected))
        self.failed = {node: one.reason for one in report.failed for node in one.nodes}
        self.open: set[int] = set()
        self.cursor = 0
        self.rows: list[tuple[int, str | None]] = []
        self.arrange()

    def __len__(self) -> int:
        return len(self.rows)

    def toggle(self, number: int) -> None:
        """Show or hide the nodes of a cause."""
        self.open ^= {number}
        self.arrange()

    def arrange(self) -> None:
        """List the rows."""
        groups: list[tuple[int, Sequence[str]]] = [
            (n, cause.nodes) for n, cause in enumerate(self.report.causes)
        ]
        groups += [(OTHERS, self.others)] if self.others else []
        self.rows = []
        for number, nodes in groups:
            self.rows.append((number, None))
            self.rows += [(number, node) for node in nodes if number in self.open]

    def item(self, index: int) -> Line:
        """Return the line at an index."""
        number, node = self.rows[index]
        if node is not None:
            reason = self.failed.get(node, "")
            return line("      ", printable(node), (f"  {printable(reason)}", "warning"))
        mark = Piece(f" {OPEN if number in self.open else FOLDED} ", "dim")
        if number == OTHERS:
            return (mark, Piece("no cause", "good"), FILL, count(self.others))
        return (mark, *heading(self.report.causes[number]))


def count(nodes: Sequence[str]) -> Piece:
    """Return the number of nodes."""
    return Piece(f" {counted(len(nodes), 'node')} ", "dim")


def heading(cause: ClusteredCause) -> Line:
    """Return the row of a cause."""
    from analyzer.fleet.causes import text_of

    first = cause.statements[0]
    title = f"{TITLES[cause.code]}: " if cause.code in TITLES else ""
    return (
        Piece(f"{cause.severity} {cause.code} ", STYLES[cause.severity]),
        Piece(printable(title), "strong"),
        Piece(printable(place_of(first)), "place"),
        Piece(printable(text_of(first))),
        FILL,
        count(cause.nodes),
    )
