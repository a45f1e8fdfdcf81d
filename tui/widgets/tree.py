"""The containment tree: opened and closed with the arrow keys, the mouse, or enter."""

from __future__ import annotations

from textual import events

from tui.present.tree import TreeLines
from tui.run.tree import ContainerTree
from tui.widgets.rows import Rows


class TreeRows(Rows):
    """The rows of a Tree."""

    shape: ContainerTree | None = None
    found: TreeLines | None = None

    def show_tree(self, tree: ContainerTree, lines: TreeLines, cursor: int | None = None) -> None:
        """Show a tree."""
        self.shape, self.found = tree, lines
        self.show(lines, cursor)

    @property
    def vertex(self) -> int | None:
        """Return the vertex under the cursor."""
        if self.shape is None or not self.shape.rows:
            return None
        return self.shape.rows[min(self.cursor, len(self.shape.rows) - 1)][0]

    def toggle(self, *, wanted: bool | None = None) -> None:
        """Open or close the container under the cursor."""
        if self.shape is not None and self.found is not None and self.vertex is not None:
            self.shape.toggle(self.vertex, wanted=wanted)
            self.show(self.found, self.cursor)

    def key_right(self) -> None:
        """Open the container, or go into it."""
        if self.shape is None or self.vertex is None:
            return
        if self.vertex in self.shape.open:
            self.move(self.cursor + 1)
        else:
            self.toggle(wanted=True)

    def key_left(self) -> None:
        """Close the container, or go to the container of the row."""
        if self.shape is None or self.vertex is None:
            return
        if self.vertex in self.shape.open and self.shape.children(self.vertex):
            self.toggle(wanted=False)
            return
        parent = self.shape.parent.get(self.vertex)
        if parent is not None and parent in self.shape.place:
            self.move(self.shape.place[parent])

    def key_l(self) -> None:
        """Open the container."""
        self.key_right()

    def key_h(self) -> None:
        """Close the container."""
        self.key_left()

    def key_enter(self, event: events.Key) -> None:
        """Open or close the container; choose a resource."""
        event.stop()
        self.enter()

    def enter(self) -> None:
        """Open or close the container under the cursor; choose a resource."""
        if self.shape is not None and self.vertex is not None:
            if self.shape.children(self.vertex):
                self.toggle()
            else:
                self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Select a row; a click on the arrow, or a second one, opens it."""
        index = event.y + self.scroll_offset.y
        if self.shape is None or index >= len(self.shape.rows):
            return
        self.move(index)
        depth = self.shape.rows[index][1]
        if 2 * depth <= event.x - 2 <= 2 * depth + 1:
            self.toggle()
        elif event.chain > 1:
            self.enter()
