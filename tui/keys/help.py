"""The help, made from the action table."""

from __future__ import annotations

from collections.abc import Sequence

from tui.keys.actions import actions_of
from tui.keys.keymap import Keys, written
from tui.present.legend import legend_lines
from tui.present.pieces import BLANK, Line, line

WIDTH = 12


def help_lines(screen: str, keys: Keys, more: Sequence[Line] = ()) -> list[Line]:
    """Return the actions of a screen by group, each with its keys and its help, and its symbols.

    `more` are the lines about commands.
    """
    groups: dict[str, list[Line]] = {}
    for action in actions_of(screen):
        shown = " ".join(map(written, keys.get(action.id, ()))) or ":" + action.id
        row = line("  ", (f"{shown:<{WIDTH}}", "key"), action.help)
        groups.setdefault(action.group, []).append(row)
    found: list[Line] = []
    for group, rows in groups.items():
        found += [BLANK, line((group, "title")), *rows]
    symbols = legend_lines(screen)
    found += [BLANK, *symbols] if symbols else []
    return [*found[1:], BLANK, line(("Commands, typed after a colon", "title")), *more]
