"""The help: all actions with their keys, by group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from tui.keys.commands import command_lines
from tui.keys.help import help_lines
from tui.screens.dialogs import Reader


class HelpScreen(Reader):
    """All actions of a screen, over it."""

    BINDINGS: ClassVar = [("escape,question_mark,q", "dismiss(None)", "close")]

    def __init__(self, screen: str, keys: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__("Keys", help_lines(screen, keys, command_lines()))
