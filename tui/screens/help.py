"""The help: all actions with their keys, by group."""

from __future__ import annotations

from typing import ClassVar

from tui.keys.help import help_lines
from tui.keys.keymap import Keys
from tui.keys.typed_commands import command_lines
from tui.screens.dialogs import Reader
from tui.screens.handlers import COMMANDS


class HelpScreen(Reader):
    """Shows all actions of a screen, over it."""

    BINDINGS: ClassVar = [("escape,question_mark,q", "dismiss(None)", "close")]

    def __init__(self, screen: str, keys: Keys) -> None:
        super().__init__("Keys", help_lines(screen, keys, command_lines(COMMANDS)))
