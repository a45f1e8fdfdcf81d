"""The symbols of each screen with their meanings."""

from __future__ import annotations

from tui.present.drawing import CONTAINER, FOLD
from tui.present.findings import SEVERITIES
from tui.present.glyphs import BREAK, FOLDED, LOOKS, OPEN
from tui.present.neighbour_rows import LEGEND
from tui.present.nodes import STATES as WORLDS
from tui.present.pieces import Line, line
from tui.present.source_index import SIGNS
from tui.present.timebar import QUIET, STEERED

STATES = tuple((look.glyph, look.style, look.word) for look in LOOKS.values())

# Of each screen: symbol, style, meaning.
SYMBOLS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "run": (
        *STATES,
        (BREAK, "breakpoint", "breakpoint"),
        ("!", "mark", "injected outcome, or noop switched by you"),
        (STEERED, "mark", "your command, on the timeline"),
        (QUIET, "dim", "nothing changed, on the timeline"),
        (f"{FOLDED} {OPEN}", "", "container, closed and open"),
    ),
    "graph": (
        *STATES,
        (CONTAINER.strip(), "contains", "container"),
        (FOLD.strip(), "", "group of resources of one type"),
    ),
    "source": (*STATES, *((sign, "accent", f"line with {form}") for form, sign in SIGNS.items())),
    "findings": tuple((sign.text, sign.style, word) for word, sign in SEVERITIES.items()),
    "report": STATES,
    "nodes": tuple((look.glyph, look.style, look.word) for look in WORLDS.values()),
}


def legend_lines(screen: str) -> list[Line]:
    """Return the symbols of a screen, one per line; none for a screen without symbols."""
    symbols = SYMBOLS.get(screen, ())
    rows = [line("  ", (f"{sign:<5}", style), word) for sign, style, word in symbols]
    if screen == "graph":
        rows.append(line("  ", *LEGEND))
    return [line(("Symbols of this screen", "title")), *rows] if rows else []
