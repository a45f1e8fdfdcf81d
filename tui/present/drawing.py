"""A neighbourhood as lines of text: cells, and the connections between columns as box characters.

The line of an edge shows its kind, as its colour does:
`──` before, `══` with refresh events, `╌╌` automatic, `··` for containment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tui.present.columns import Cell, ColumnCells
from tui.present.fit import clean, length, shorten, width
from tui.present.pieces import Line, Piece, ref_pieces
from tui.project.neighbours import AUTO, BEFORE, CONTAINS, NOTIFY, Surroundings, kind_of

# The lines of the kinds of edges.
STROKES = {BEFORE: "─", NOTIFY: "═", AUTO: "╌", CONTAINS: "·"}

# Box characters by the directions that meet: left, right, up, down.
CORNERS = {
    "lr": "─",
    "ld": "╮",
    "lu": "╯",
    "lud": "┤",
    "lrd": "┬",
    "lru": "┴",
    "lrud": "┼",
    "ud": "│",
    "rd": "╭",
    "ru": "╰",
    "rud": "├",
    "": " ",
}

GUTTER = 6

# The most edges of a group that are compared to find its kind.
LOOKED_AT = 50
CONTAINER, FOLD, PLAIN, MORE, TIMES = "▣ ", "▤ ", "  ", "…", "\N{MULTIPLICATION SIGN}"
LEADS = {"holder": "╷ ", "content": "╰ "}

# Returns the glyph of a resource's state.
State = Callable[[int], Piece]


def text_of(cell: Cell, around: Surroundings) -> str:
    """Return the text of a cell: a reference, or a type and a count."""
    resource = around.graph.resources[cell.vertex]
    if cell.is_fold:
        return f"{clean(resource.type)} {TIMES} {len(cell.members):,}"
    return clean(str(resource))


def sign_of(cell: Cell, around: Surroundings) -> str:
    """Return the sign of a container, a collapsed group, or a resource."""
    if cell.is_fold:
        return FOLD
    return CONTAINER if around.is_container(cell.vertex) else PLAIN


class Drawing:
    """Draws the rows of one picture, each when it is needed.

    `room` is the width to draw in. `state` marks resources. `spans` has the first column and the
    width of each column of cells.
    """

    def __init__(
        self, picture: ColumnCells, around: Surroundings, room: int, state: State | None = None
    ) -> None:
        self.picture = picture
        self.around = around
        self.state = state
        self.marks = 2 if state else 0
        self.numbers = list(range(min(picture.columns), max(picture.columns) + 1))
        self.further = {cell.column for cell in picture.cells() if cell.more}
        self.widths = self._widths(room)
        used = sum(self.widths.values()) + GUTTER * (len(self.numbers) - 1)
        self.left = max(0, (room - used) // 2)
        self.at = {n: {c.row: c for c in picture.columns[n]} for n in self.numbers}
        self._kinds: dict[int, str] = {}
        self.buses = self._find_buses()

    def _widths(self, room: int) -> dict[int, int]:
        """Return the width of each column; if the sum is too large, the widest are cut."""
        needs = {n: max(map(self._need, self.picture.columns[n])) for n in self.numbers}
        left = room - GUTTER * (len(needs) - 1)
        fair = dict.fromkeys(needs, 0)
        for place, n in enumerate(sorted(needs, key=needs.__getitem__)):
            fair[n] = min(needs[n], max(6, left // (len(needs) - place)))
            left -= fair[n]
        return fair

    def _need(self, cell: Cell) -> int:
        indent = 2 if cell.role in LEADS else 0
        more = 2 if cell.column in self.further else 0
        text = text_of(cell, self.around)
        return indent + self.marks + more + len(PLAIN) + width(text) + 1

    def room_of(self, cell: Cell) -> int:
        """Return how many columns a cell takes, without the line that continues from it."""
        return min(self.widths[cell.column], self._need(cell))

    def _find_buses(self) -> dict[int, dict[int, tuple[Cell, int, int]]]:
        """Return by gutter and row the parent whose connections pass there, from row to row.

        A gutter has the number of the column that is further out.
        """
        found: dict[int, dict[int, tuple[Cell, int, int]]] = {}
        for parent in self.picture.cells():
            for sign in (-1, 1):
                children = [c for c in parent.children if c.column * sign > 0]
                if not children:
                    continue
                rows = [c.row for c in children] + [parent.row]
                first, last = min(rows), max(rows)
                gutter = found.setdefault(children[0].column, {})
                for row in range(first, last + 1):
                    gutter[row] = (parent, first, last)
        return found

    def kind(self, cell: Cell) -> str:
        """Return the kind of the edge between a cell and the one nearer to the centre."""
        known = self._kinds.get(id(cell))
        if known is None:
            made = (one for x in cell.links[:LOOKED_AT] for one in self.around.relationships(x))
            known = kind_of(made) if cell.links else BEFORE
            self._kinds[id(cell)] = known
        return known

    def spans(self) -> dict[int, tuple[int, int]]:
        """Return the first column and the width of each column of cells."""
        found = {}
        at = self.left
        for n in self.numbers:
            found[n] = at, self.widths[n]
            at += self.widths[n] + GUTTER
        return found

    def line(self, row: int) -> Line:
        """Return one row."""
        pieces = [Piece(" " * self.left)]
        for n in self.numbers:
            if n > self.numbers[0]:
                pieces += self._gutter(n if n > 0 else n - 1, row)
            cell = self.at[n].get(row)
            pieces += self._cell(cell) if cell else [Piece(" " * self.widths[n])]
        return tuple(piece for piece in pieces if piece.text)

    def _cell(self, cell: Cell) -> list[Piece]:
        tail = 2 if cell.more and cell.column > 0 else 0
        pieces = [*self._marks(cell)]
        left = self.widths[cell.column] - sum(width(piece.text) for piece in pieces) - 1 - tail
        pieces += self._text(cell, max(1, left))
        if tail:
            pieces.append(Piece(" " + MORE, "dim"))
        return [*pieces, *self._fill(cell, self.widths[cell.column] - length(pieces))]

    def _marks(self, cell: Cell) -> Iterator[Piece]:
        """Yield the signs before the text of a cell."""
        if cell.column < 0 and cell.column in self.further:
            yield Piece(MORE + " " if cell.more else "  ", "dim")
        if cell.role in LEADS:
            yield Piece(LEADS[cell.role], "contains")
        if self.state:
            glyph, style = self.state(cell.vertex) if not cell.is_fold else (" ", "")
            yield Piece(glyph + " ", style)
        yield Piece(sign_of(cell, self.around), "dim")

    def _text(self, cell: Cell, room: int) -> Line:
        text = shorten(text_of(cell, self.around), room)
        if cell.is_fold:
            return (Piece(text, "dim"),)
        return ref_pieces(text, "strong" if cell.role == "focus" else "")

    def _fill(self, cell: Cell, room: int) -> list[Piece]:
        """Lead from the text to a connection on the right, if there is one."""
        if cell.column < 0:
            kind = self.kind(cell)
            return [Piece(" " + STROKES[kind] * (room - 1), kind)]
        behind = [child for child in cell.children if child.column > max(0, cell.column)]
        if behind:
            kind = self.kind(behind[0]) if len(behind) == 1 else BEFORE
            return [Piece(" " + STROKES[kind] * (room - 1), kind)]
        return [Piece(" " * room)]

    def _gutter(self, outer: int, row: int) -> list[Piece]:
        """Return the connections between two columns in a row; `outer` is the one further out."""
        found = self.buses.get(outer, {}).get(row)
        if found is None:
            return [Piece(" " * GUTTER)]
        parent, first, last = found
        child = self.at[outer].get(row)
        if child is not None and child.parent is not parent:
            child = None
        is_parent = parent.row == row
        before = outer < 0
        to_left = child is not None if before else is_parent
        to_right = is_parent if before else child is not None
        directions = ("l" * to_left) + ("r" * to_right)
        directions += ("u" * (row > first)) + ("d" * (row < last))
        kind = self.kind(child) if child else BEFORE
        if directions == "lr":
            return self._alone(kind)
        corner, stroke = CORNERS[directions], STROKES[kind]
        if before:
            return [
                Piece(stroke * 2 if child else "  ", kind),
                Piece(corner, BEFORE),
                Piece("─▶ " if is_parent else "   ", BEFORE),
            ]
        return [
            Piece("──" if is_parent else "  ", BEFORE),
            Piece(corner, BEFORE),
            Piece(stroke + "▶ " if child else "   ", kind),
        ]

    def _alone(self, kind: str) -> list[Piece]:
        """Return a connection that shares its gutter with no other in a row."""
        return [Piece(STROKES[kind] * (GUTTER - 2) + "▶ ", kind)]
