"""The light and the dark theme.

The colours of states are distinct to colour-blind people too (after Okabe and Ito: blue, orange,
vermilion, bluish green, sky, purple), and text has a contrast of at least 4.5:1 on each background.
"""

from __future__ import annotations

from functools import cache

from rich.style import Style
from textual.theme import Theme

DARK = Theme(
    name="catgraph-dark",
    primary="#7aa2c8",
    secondary="#9a9ad0",
    accent="#e0b064",
    foreground="#d4d7dc",
    background="#15181d",
    surface="#1b1f26",
    panel="#232831",
    success="#3fae8f",
    warning="#e0b064",
    error="#e97651",
    dark=True,
    variables={
        "state-changed": "#63b3ed",
        "state-refreshed": "#e0b064",
        "state-failed": "#f07a52",
        "state-skipped": "#c58fc0",
        "state-noop": "#9aa4b2",
        "state-good": "#4fb595",
        "muted": "#a3aab5",
        "faint": "#9297a1",
        "line": "#343b47",
        "cursor": "#22303f",
        "cursor-idle": "#20262f",
    },
)
LIGHT = Theme(
    name="catgraph-light",
    primary="#2f5f8f",
    secondary="#5a5aa0",
    accent="#8c5d0e",
    foreground="#23272e",
    background="#fafaf8",
    surface="#f1f1ee",
    panel="#ecece8",
    success="#0b7558",
    warning="#8c5d0e",
    error="#b24119",
    dark=False,
    variables={
        "state-changed": "#0b62a8",
        "state-refreshed": "#8c5d0e",
        "state-failed": "#b24119",
        "state-skipped": "#8a3f84",
        "state-noop": "#5d6673",
        "state-good": "#0b7558",
        "muted": "#5d6673",
        "faint": "#63676d",
        "line": "#d2d2cc",
        "cursor": "#dde8f4",
        "cursor-idle": "#ececea",
    },
)
THEMES = (DARK, LIGHT)

# The styles of pieces: colour, background, and attributes.
PIECES = {
    "dim": ("muted", "", ""),
    "faint": ("faint", "", ""),
    "strong": ("", "", "bold"),
    "accent": ("primary", "", ""),
    "title": ("primary", "", "bold"),
    "here": ("background", "primary", "bold"),
    "press": ("background", "accent", "bold"),
    "key": ("accent", "", "bold"),
    "type": ("muted", "", ""),
    "string": ("state-good", "", ""),
    "number": ("secondary", "", ""),
    "place": ("secondary", "", ""),
    "good": ("state-good", "", ""),
    "changed": ("state-changed", "", ""),
    "refreshed": ("state-refreshed", "", ""),
    "failed": ("state-failed", "", "bold"),
    "skipped": ("state-skipped", "", ""),
    "noop": ("state-noop", "", ""),
    "next": ("accent", "", "bold"),
    "ready": ("foreground", "", ""),
    "waiting": ("faint", "", ""),
    "breakpoint": ("state-failed", "", ""),
    "mark": ("accent", "", "bold"),
    "before": ("state-changed", "", ""),
    "notify": ("state-refreshed", "", ""),
    "auto": ("muted", "", "italic"),
    "contains": ("faint", "", ""),
    "added": ("state-good", "", ""),
    "removed": ("state-failed", "", ""),
    "warning": ("warning", "", ""),
    "banner": ("background", "error", "bold"),
}


@cache
def piece_style(theme: str, name: str) -> Style:
    """Return the style of a piece by its name; an empty name keeps the widget's style."""
    if name not in PIECES:
        return Style()
    found = next((one for one in THEMES if one.name == theme), DARK)
    color, background, attributes = PIECES[name]
    return Style(
        color=colour(found, color),
        bgcolor=colour(found, background),
        bold=attributes == "bold" or None,
        italic=attributes == "italic" or None,
    )


def colour(theme: Theme, name: str) -> str | None:
    """Return a colour of a theme by its name, None for no name."""
    if not name:
        return None
    return str(theme.variables.get(name) or getattr(theme, name))
