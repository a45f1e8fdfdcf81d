"""The command palette: actions and resources by their names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from tui.keys.actions import RUN, STEER, actions_of
from tui.keys.keymap import Keys, written
from tui.present.pieces import DialogChoice, line, printable, ref_pieces

if TYPE_CHECKING:
    from tui.keys.actions import Action
    from tui.run.controller import Controller

# The most resources that are shown.
MOST = 200


class PaletteTarget(NamedTuple):
    """An action's id, or the reference of a resource."""

    action: str = ""
    ref: str = ""


def palette(
    controller: Controller, screen: str, keys: Keys, text: str
) -> Sequence[DialogChoice[PaletteTarget]]:
    """Return the actions and resources that have all words of a text, in catalog order."""
    words = text.lower().split()
    actions = [
        action
        for action in actions_of(screen)
        if not action.when(controller) and matches(f"{action.title} {action.help}", words)
    ]
    # An accidental enter must not change the run.
    actions.sort(key=lambda action: action.group in (RUN, STEER))
    found = [action_choice(action, keys) for action in actions]
    if controller.project is None:
        return found
    names = controller.timeline.graph.names
    refs = (name for name in names[: controller.timeline.graph.vertices] if matches(name, words))
    if words:
        exact = [
            DialogChoice(ref_pieces(printable(ref)), PaletteTarget(ref=ref))
            for ref in islice(refs, MOST)
        ]
        return [*exact, *found] if len(found) > 3 else [*found, *exact]
    return [
        *found,
        *(DialogChoice(ref_pieces(printable(r)), PaletteTarget(ref=r)) for r in islice(refs, MOST)),
    ]


def matches(text: str, words: Sequence[str]) -> bool:
    """Return whether a text has all words."""
    low = text.lower()
    return all(word in low for word in words)


def action_choice(action: Action, keys: Keys) -> DialogChoice[PaletteTarget]:
    """Return an action as a line: its title, its help, its key."""
    key = " ".join(map(written, keys.get(action.id, ())))
    row = line((f"{action.title:<18}", "strong"), (action.help, "dim"), (f"  {key}", "key"))
    return DialogChoice(row, PaletteTarget(action.id))
