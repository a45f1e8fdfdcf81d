"""The keys of the actions: those of the table, changed by `[tui.keys]` of `catgraph.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from tui.keys.actions import ACTIONS, BY_ID, Action

if TYPE_CHECKING:
    from analyzer.config import Config

# Keys as users write them, and their names in Textual.
SPOKEN = {"?": "question_mark", "/": "slash", ":": "colon", ".": "full_stop", ",": "comma",
          "-": "minus", "=": "equals_sign", "+": "plus", "[": "left_square_bracket",
          "]": "right_square_bracket", " ": "space", "'": "apostrophe", ";": "semicolon",
          "*": "asterisk", "<": "less_than_sign", ">": "greater_than_sign"}  # fmt: skip
WRITTEN = {name: key for key, name in SPOKEN.items()} | {"space": "space", "escape": "esc"}

Keys = Mapping[str, tuple[str, ...]]


def keys_of(config: Config | None) -> Keys:
    """Return the keys of each action by its id.

    Raises:
        InputError: the file names an unknown action, or gives one key to two actions.
    """
    from analyzer.config.keys import texts

    keys = {action.id: action.keys for action in ACTIONS}
    changed = dict(config.tui.get("keys", {})) if config else {}
    for id, words in changed.items():
        if config and id not in BY_ID:
            near = get_close_matches(id, BY_ID, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise config.wrong(f"no action '{id}'{hint}", "tui", "keys", id)
        keys[id] = tuple(texts(words))
    for id in changed:
        for action in ACTIONS:
            shared = set(keys[id]) & set(keys[action.id])
            if config and shared and action.id != id and meet(BY_ID[id], action):
                message = f"'{min(shared)}' is already the key of '{action.id}'"
                raise config.wrong(message, "tui", "keys", id)
    return keys


def meet(one: Action, other: Action) -> bool:
    """Return whether a screen has both actions."""
    return not one.where or not other.where or bool(set(one.where) & set(other.where))


def written(key: str) -> str:
    """Return a key as it is written on a keyboard."""
    found = WRITTEN.get(key, key)
    return found.replace("ctrl+", "^")
