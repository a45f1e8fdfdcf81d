"""The look of each state: a glyph, a style and a word, so that colour is never the only sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    pass

# Marks a text that is cut.
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class StateLook(NamedTuple):
    """A state as it is shown."""

    glyph: str
    style: str
    word: str


# By severity: of several states, the first is shown.
LOOKS: dict[str, StateLook] = {
    "failed": StateLook("\N{BALLOT X}", "failed", "failed"),
    "failed_to_restart": StateLook("\N{DOWNWARDS ZIGZAG ARROW}", "failed", "failed to restart"),
    "skipped": StateLook("\N{CIRCLED DIVISION SLASH}", "skipped", "skipped"),
    "changed": StateLook("\N{BLACK CIRCLE}", "changed", "changed"),
    "restarted": StateLook("\N{CLOCKWISE OPEN CIRCLE ARROW}", "refreshed", "refreshed"),
    "noop": StateLook("\N{DOTTED CIRCLE}", "noop", "would change"),
    "unchanged": StateLook("\N{CHECK MARK}", "good", "unchanged"),
    "next": StateLook("\N{BLACK RIGHT-POINTING TRIANGLE}", "next", "next"),
    "ready": StateLook("\N{WHITE CIRCLE}", "ready", "ready"),
    "put_off": StateLook(ELLIPSIS, "waiting", "deferred"),
    "waiting": StateLook("\N{MIDDLE DOT}", "waiting", "waiting"),
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
