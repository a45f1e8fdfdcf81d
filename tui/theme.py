"""The light and the dark theme.

The colours of states are distinct to colour-blind people too (after Okabe and Ito: blue, orange,
vermilion, bluish green, sky, purple).
"""

from __future__ import annotations

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
    error="#e8704a",
    dark=True,
    variables={
        "state-changed": "#63b3ed",
        "state-refreshed": "#e0b064",
        "state-failed": "#f07a52",
        "state-skipped": "#c58fc0",
        "state-noop": "#9aa4b2",
        "state-good": "#4fb595",
        "muted": "#8b93a1",
        "faint": "#5a6270",
        "line": "#343b47",
        "cursor": "#2c3a4d",
        "cursor-idle": "#20262f",
    },
)
LIGHT = Theme(
    name="catgraph-light",
    primary="#2f5f8f",
    secondary="#5a5aa0",
    accent="#96640f",
    foreground="#23272e",
    background="#fafaf8",
    surface="#f1f1ee",
    panel="#e7e7e3",
    success="#0b7a5c",
    warning="#96640f",
    error="#b8431a",
    dark=False,
    variables={
        "state-changed": "#0b62a8",
        "state-refreshed": "#96640f",
        "state-failed": "#b8431a",
        "state-skipped": "#8a3f84",
        "state-noop": "#5d6673",
        "state-good": "#0b7a5c",
        "muted": "#5d6673",
        "faint": "#9aa1ab",
        "line": "#d2d2cc",
        "cursor": "#d5e2f0",
        "cursor-idle": "#ececea",
    },
)
THEMES = (DARK, LIGHT)
