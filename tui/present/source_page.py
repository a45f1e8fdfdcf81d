"""A manifest with a gutter: the states and relationships of each line, then its text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.graph.phrases import PHRASES
from tui.present.computed import ComputedSequence
from tui.present.fit import clean, cut_path
from tui.present.pieces import Line, Piece, line, ref_pieces
from tui.present.source_index import DeclaringStatement, SourceIndex
from tui.present.syntax import Coloured

# Returns the state of a resource: its rank by severity, and its glyph.
Mark = Callable[[int], tuple[int, Piece]]

# The most resources of a line that are compared for its mark, and that are named.
LOOKED_AT, NAMED = 200, 3

FINDING, CYCLE = "!", "↻"


class Page(ComputedSequence[Line]):
    """The lines of one file, each made when it is needed.

    `mark` returns the state of a resource; `found` are the lines with findings.
    """

    def __init__(
        self,
        file: str,
        text: Coloured,
        places: SourceIndex,
        bodies: list[DeclaringStatement],
        mark: Mark | None = None,
        found: frozenset[int] = frozenset(),
    ) -> None:
        self.file = file
        self.text = text
        self.places = places
        self.bodies = bodies
        self.mark = mark
        self.found = found
        self.digits = len(str(len(text.lines)))

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.text.lines)

    def item(self, index: int) -> Line:
        """Return the text of a line, which counts from 0 here."""
        return self.text.line(index + 1)

    def gutter(self, place: int) -> Line:
        """Return the gutter of a line: its state, its relationship sign, its number."""
        number = place + 1
        here = self.places.declared.get(self.file, {}).get(number, [])
        state = Piece(" ")
        if here and self.mark:
            state = min((self.mark(v) for v in here[:LOOKED_AT]), key=lambda one: one[0])[1]
        sign = self.places.sign(self.file, number) or " "
        flag = Piece(" ")
        if number in self.found:
            flag = Piece(FINDING, "warning")
        elif any(v in self.places.cyclic for v in here[:LOOKED_AT]):
            flag = Piece(CYCLE, "failed")
        style = "strong" if here else "faint"
        shown = f" {number:>{self.digits}} "
        return (
            Piece(" "),
            state,
            Piece(sign, "before"),
            flag,
            Piece(shown, style),
            Piece("│ ", "faint"),
        )

    @property
    def gutter_width(self) -> int:
        """Return the columns of the gutter."""
        return self.digits + 8

    def resources(self, place: int) -> list[int]:
        """Return the resources of a line."""
        return self.places.at(self.file, place + 1, self.bodies)

    def stops(self) -> list[int]:
        """Return the lines with a declaration or a relationship, counted from 0."""
        declared = self.places.declared.get(self.file, {})
        lines = {*declared, *self.places.statements.get(self.file, {}), *self.found}
        return sorted(n - 1 for n in lines if 0 < n <= len(self))

    def about(self, place: int, selected: int | None) -> list[Line]:
        """Return the lines about a line: its resources, and the relationships it makes."""
        here = self.resources(place)
        rows: list[Line] = []
        shown = here[:NAMED]
        if selected in here and selected not in shown:
            shown = [*here[: NAMED - 1], selected]
        for vertex in shown:
            rows.append(self._resource_line(vertex, vertex == selected))
        if len(here) > len(shown):
            rows.append(line((f"   ... and {len(here) - len(shown):,} more", "dim")))
        forms = sorted(self.places.statements.get(self.file, {}).get(place + 1, ()))
        if forms:
            words = ", ".join(PHRASES.get(form, (form,))[0] for form in forms)
            rows.append(line(("   makes a relationship: ", "dim"), (words, "before")))
        return rows or [line(("   no declaration here", "dim"))]

    def _resource_line(self, vertex: int, chosen: bool) -> Line:
        pointer = Piece(" ▸ " if chosen else "   ", "accent")
        state = (self.mark(vertex)[1], Piece(" ")) if self.mark else ()
        name = clean(str(self.places.graph.resources[vertex]))
        cycle = (Piece(f"  {CYCLE} in a cycle", "failed"),) if vertex in self.places.cyclic else ()
        return (pointer, *state, *ref_pieces(name, "strong" if chosen else ""), *cycle)


def file_lines(
    index: SourceIndex, files: Sequence[str], short: Callable[[str], str], room: int
) -> list[Line]:
    """Return the list of files, each with how many resources it declares, in `room` columns."""
    counts = [f"{sum(map(len, index.declared.get(file, {}).values())):,}" for file in files]
    wide = max(map(len, counts), default=0)
    return [
        line((f" {count:>{wide}} ", "dim"), cut_path(short(file), room - wide - 2))
        for file, count in zip(files, counts, strict=True)
    ]


def declared_lines(index: SourceIndex, file: str) -> list[tuple[Line, int]]:
    """Return the resources that a file declares, by line; shown if its text is missing."""
    rows = index.declared.get(file, {})
    return [
        (
            (Piece(f" {number:>6} ", "faint"), *ref_pieces(clean(str(index.graph.resources[v])))),
            v,
        )
        for number in sorted(rows)
        for v in rows[number]
    ]
