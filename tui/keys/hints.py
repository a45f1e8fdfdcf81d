"""The line at the bottom: the most important keys of the focused pane."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tui.keys.keymap import Keys, written
from tui.present.pieces import Line, Piece

if TYPE_CHECKING:
    from tui.keys.actions import Action
    from tui.run.controller import Controller

GAP = "  "
# The id of the help, and its title.
HELP = "help"


def hints(
    actions: Iterable[Action],
    keys: Keys,
    pane: str,
    controller: Controller,
    width: int,
) -> tuple[Line, list[tuple[int, int, str]]]:
    """Return the hints that fit, and the columns of each with its action.

    The hints of the pane come first, then those of any pane; impossible actions are left out.
    """
    wanted = [a for a in actions if pane in a.panes] + [a for a in actions if "*" in a.panes]
    # The help comes last, and its room is always reserved.
    spare = sum(len(written(k)) + 1 + len(HELP) + len(GAP) for k in keys.get(HELP, ())[:1])
    pieces: list[Piece] = [Piece(" ")]
    parts = []
    column = 1
    for action in wanted:
        if not keys.get(action.id) or action.when(controller):
            continue
        key = written(keys[action.id][0])
        room = len(key) + 1 + len(action.title)
        if column + room > width - (0 if action.id == HELP else spare):
            continue
        pieces += [Piece(key, "key"), Piece(f" {action.title}", "dim"), Piece(GAP)]
        parts.append((column, column + room, action.id))
        column += room + len(GAP)
    return tuple(pieces[:-1] if parts else pieces), parts
