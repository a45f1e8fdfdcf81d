"""How a state looks: a glyph, a style and a word, so that colour is never the only sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.apply.engine.state import ResourceStatus

# Where text cannot be wider than these, a mark says that there is more.
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class Look(NamedTuple):
    """A state as it is shown."""

    glyph: str
    style: str
    word: str


# The gravest first: of several that hold, the first is shown.
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
    "put_off": Look(ELLIPSIS, "waiting", "put off"),
    "waiting": Look("\N{MIDDLE DOT}", "waiting", "waiting"),
}
DONE = ("failed", "failed_to_restart", "skipped", "changed", "restarted", "noop", "unchanged")

BREAK = "\N{FISHEYE}"
FOLDED, OPEN = "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}", "\N{BLACK DOWN-POINTING SMALL TRIANGLE}"
ARROWS = {
    "before": "\N{RIGHTWARDS ARROW}",
    "notify": "\N{RIGHTWARDS WAVE ARROW}",
    "contains": "\N{SUPERSET OF}",
}

# A braille cell that turns.
DOTS = "".join(chr(0x2800 + dots) for dots in (7, 14, 28, 56, 49, 35))


def turning(seconds: float) -> str:
    """Return the sign of something that goes on for so long already."""
    return DOTS[int(seconds * 10) % len(DOTS)]


def word_of(status: ResourceStatus) -> str:
    """Return which of DONE a status is."""
    if status.failed_to_restart:
        return "failed_to_restart"
    if status.failed:
        return "failed"
    if status.skipped:
        return "skipped"
    if status.changed:
        only_refresh = status.restarted and all(e.name == "refresh" for e in status.events)
        return "restarted" if only_refresh else "changed"
    if status.restarted:
        return "restarted"
    return "noop" if status.out_of_sync else "unchanged"
