"""The look of each state: a glyph, a style and a word, so that colour is never the only sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    pass

# Marks a text that is cut.
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class Look(NamedTuple):
    """A state as it is shown."""

    glyph: str
    style: str
    word: str


# By severity: of several states, the first is shown.
LOOKS: dict[str, Look] = {
    "failed": Look("\N{BALLOT X}", "failed", "failed"),
    "failed_to_restart": Look("\N{DOWNWARDS ZIGZAG ARROW}", "failed", "failed to restart"),
    "skipped": Look("\N{CIRCLED DIVISION SLASH}", "skipped", "skipped"),
    "changed": Look("\N{BLACK CIRCLE}", "changed", "changed"),
    "restarted": Look("\N{CLOCKWISE OPEN CIRCLE ARROW}", "refreshed", "refreshed"),
    "noop": Look("\N{DOTTED CIRCLE}", "noop", "would change"),
    "unchanged": Look("\N{CHECK MARK}", "good", "unchanged"),
    "next": Look("\N{BLACK RIGHT-POINTING TRIANGLE}", "next", "next"),
    "ready": Look("\N{WHITE CIRCLE}", "ready", "ready"),
    "put_off": Look(ELLIPSIS, "waiting", "deferred"),
    "waiting": Look("\N{MIDDLE DOT}", "waiting", "waiting"),
}

BREAK = "\N{FISHEYE}"
FOLDED, OPEN = "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}", "\N{BLACK DOWN-POINTING SMALL TRIANGLE}"
ARROWS = {
    "before": "\N{RIGHTWARDS ARROW}",
    "notify": "\N{RIGHTWARDS WAVE ARROW}",
    "contains": "\N{SUPERSET OF}",
}

# The pictures of a spinner.
DOTS = "".join(chr(0x2800 + dots) for dots in (7, 14, 28, 56, 49, 35))


def turning(seconds: float) -> str:
    """Return the spinner after some seconds."""
    return DOTS[int(seconds * 10) % len(DOTS)]
