"""The screens, as a table: each is imported when it is first shown."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.screens.base import View

# id: (title, module, class). The action `ID-screen` shows it.
SCREENS: dict[str, tuple[str, str, str]] = {
    "run": ("Run", "run", "RunScreen"),
    "graph": ("Graph", "graph", "GraphScreen"),
    "findings": ("Findings", "findings", "FindingsScreen"),
    "source": ("Source", "source", "SourceScreen"),
    "report": ("Report", "report", "ReportScreen"),
}

WELCOME = ("Welcome", "welcome", "WelcomeScreen")


def make(name: str) -> View:
    """Return a screen by its id."""
    _, module, kind = SCREENS.get(name, WELCOME)
    found: View = getattr(import_module(f"{__name__}.{module}"), kind)()
    return found
