"""A resource's neighbourhood in columns: before it on the left, after it on the right.

Each neighbour appears once, next to the first one nearer to the centre that leads to it, so that
lines never cross. Many of one type are collapsed into one cell.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from tui.project.neighbours import Neighbour, Surroundings

# Beyond MANY neighbours on one side, types with at least FOLDED of them are collapsed.
MANY, FOLDED = 10, 3

# The most contents of a container that are shown below it.
CONTENTS = 6

# The identity of a collapsed group: the adjacent resource, the side, the type.
Key = tuple[int, int, str]


@dataclass(slots=True, eq=False)
class Cell:
    """A place in the picture.

    `column` is 0 in the middle, negative before, positive after; `row` counts down. `members` are
    the ids of the cell: of a collapsed group, all of its resources. `key` identifies a group.
    `parent` is the cell nearer to the middle, `links` are the edges between the two. `role` is
    `focus`, `near`, `holder` (a container of the focus) or `content`. `more` is true if there are
    others further out.
    """

    members: tuple[int, ...]
    column: int
    role: str = "near"
    parent: Cell | None = None
    links: tuple[Neighbour, ...] = ()
    key: Key | None = None
    more: bool = False
    row: int = 0
    children: list[Cell] = field(default_factory=list, repr=False)

    @property
    def vertex(self) -> int:
        """Return the resource, or the first one of a group."""
        return self.members[0]

    @property
    def link(self) -> Neighbour | None:
        """Return the edge to the cell nearer to the middle, or the first one of a group."""
        return self.links[0] if self.links else None

    @property
    def is_fold(self) -> bool:
        """Return whether the cell is a collapsed group."""
        return len(self.members) > 1


@dataclass(frozen=True, slots=True)
class ColumnCells:
    """The cells by column and row, and how many rows there are."""

    focus: Cell
    columns: dict[int, tuple[Cell, ...]]
    height: int

    def cells(self) -> Iterator[Cell]:
        """Yield all cells, column by column."""
        for number in sorted(self.columns):
            yield from self.columns[number]


def picture(
    around: Surroundings,
    focus: int,
    before: int = 1,
    after: int = 1,
    opened: Collection[Key] = (),
    many: int = MANY,
    keep: Callable[[int], bool] | None = None,
) -> ColumnCells:
    """Return the neighbourhood of a resource: `before` and `after` count the columns on each side.

    `opened` are the groups to expand; `many` neighbours are shown before groups are collapsed.
    `keep` filters the resources; those between a kept one and the focus stay.
    """
    middle = Cell((focus,), 0, "focus")
    builder = PictureBuilder(around, opened, many, keep)
    left = builder.side(middle, -1, before)
    right = builder.side(middle, 1, after)
    height = place_sides(middle, left, right)
    columns: dict[int, list[Cell]] = {0: [middle]}
    for root in (left, right):
        for cell in below(root):
            columns.setdefault(cell.column, []).append(cell)
    height = builder.middle(columns[0], height)
    return ColumnCells(
        middle, {n: tuple(sorted(c, key=lambda x: x.row)) for n, c in columns.items()}, height
    )


class PictureBuilder:
    """Builds the cells of one picture."""

    def __init__(
        self,
        around: Surroundings,
        opened: Collection[Key],
        many: int,
        keep: Callable[[int], bool] | None = None,
    ) -> None:
        self.keep = keep
        self.around = around
        self.opened = opened
        self.many = many

    def side(self, middle: Cell, sign: int, depth: int) -> Cell:
        """Return one side as a tree whose root represents the focus."""
        root = Cell(middle.members, 0, parent=None)
        seen = {middle.vertex}
        layer = [root]
        for column in range(1, depth + 1):
            ahead: list[Cell] = []
            for cell in layer:
                if not cell.is_fold:
                    cell.children = self.children(cell, sign * column, seen)
                    ahead += cell.children
            layer = ahead
        for cell in layer:
            cell.more = not cell.is_fold and self.has_more(cell.vertex, sign, seen)
        if self.keep is not None:
            prune(root, self.keep)
        return root

    def has_more(self, vertex: int, sign: int, seen: set[int]) -> bool:
        """Return whether there are neighbours further out."""
        return any(x.vertex not in seen for x in self.around.near(vertex, after=sign > 0))

    def children(self, cell: Cell, column: int, seen: set[int]) -> list[Cell]:
        """Return the cells next to one, collapsed into groups where there are many."""
        links = []
        for link in self.around.near(cell.vertex, after=column > 0):
            if link.vertex not in seen:
                seen.add(link.vertex)
                links.append(link)
        folds = self.folds(cell.vertex, column, links)
        groups: dict[object, list[Neighbour]] = {}
        for link in links:
            key = folds.get(self.kind(link.vertex))
            groups.setdefault(link.vertex if key in self.opened else key or link.vertex, []).append(
                link
            )
        return [
            Cell(
                tuple(x.vertex for x in group),
                column,
                "near",
                cell,
                tuple(group),
                folds.get(self.kind(group[0].vertex)),
            )
            for group in groups.values()
        ]

    def folds(self, vertex: int, column: int, links: list[Neighbour]) -> dict[str, Key]:
        """Return the types to collapse, each with the key of its group."""
        if len(links) <= self.many:
            return {}
        counts: dict[str, int] = {}
        for link in links:
            kind = self.kind(link.vertex)
            counts[kind] = counts.get(kind, 0) + 1
        return {kind: (vertex, column, kind) for kind, n in counts.items() if n >= FOLDED}

    def kind(self, vertex: int) -> str:
        """Return a resource's type."""
        return self.around.graph.resources[vertex].type

    def middle(self, cells: list[Cell], height: int) -> int:
        """Add the containers of the focus above it, its contents below; return the new height."""
        focus = cells[0]
        chain = self.around.chain(focus.vertex)
        if len(chain) > focus.row:
            missing = len(chain) - focus.row
            move(focus, missing)
            height += missing
        for distance, vertex in enumerate(chain, 1):
            cells.append(Cell((vertex,), 0, "holder", focus, row=focus.row - distance))
        row = focus.row + 1
        for cell in self.contents(focus):
            cell.row = row
            row += 1
            cells.append(cell)
        return max(height, row)

    def contents(self, focus: Cell) -> list[Cell]:
        """Return the contents of the focus; if many, those of one type are collapsed."""
        inside = [v for v in self.around.contents(focus.vertex) if not self.keep or self.keep(v)]
        many = len(inside) > CONTENTS
        groups: dict[object, list[int]] = {}
        for vertex in inside:
            key = (focus.vertex, 0, self.kind(vertex))
            groups.setdefault(key if many and key not in self.opened else vertex, []).append(vertex)
        return [
            Cell(
                tuple(group),
                0,
                "content",
                focus,
                key=(focus.vertex, 0, self.kind(group[0])) if many else None,
            )
            for group in groups.values()
        ]


def prune(root: Cell, keep: Callable[[int], bool]) -> None:
    """Remove the cells below a cell that a filter refuses, unless one further out is kept."""
    for cell in root.children:
        prune(cell, keep)
        if cell.is_fold:
            kept = [number for number, vertex in enumerate(cell.members) if keep(vertex)]
            cell.members = tuple(cell.members[number] for number in kept)
            cell.links = tuple(cell.links[number] for number in kept)
    root.children = [
        cell
        for cell in root.children
        if cell.children or len(cell.members) > 1 or (cell.members and keep(cell.vertex))
    ]


def below(root: Cell) -> Iterator[Cell]:
    """Yield the descendants of a cell."""
    for child in root.children:
        yield child
        yield from below(child)


def place(cell: Cell, row: int) -> int:
    """Give rows to a tree, each parent amid its children; return the first row after it."""
    if not cell.children:
        cell.row = row
        return row + 1
    for child in cell.children:
        row = place(child, row)
    cell.row = (cell.children[0].row + cell.children[-1].row) // 2
    return row


def move(cell: Cell, rows: int) -> None:
    """Move a tree down."""
    cell.row += rows
    for child in cell.children:
        move(child, rows)


def place_sides(middle: Cell, left: Cell, right: Cell) -> int:
    """Place both sides so that the focus is in one row; return how many rows there are."""
    heights = [place(root, 0) for root in (left, right)]
    middle.row = max(left.row, right.row)
    found = 0
    for root, height in zip((left, right), heights, strict=True):
        rows = middle.row - root.row
        move(root, rows)
        found = max(found, height + rows)
        for child in root.children:
            child.parent = middle
    middle.children = [*left.children, *right.children]
    return found
