"""The lines in place of a missing manifest."""

from __future__ import annotations

from analyzer.frontends.source_texts import NoSource
from tui.present.pieces import printable

# The most places that are listed where a file was not found.
NAMED = 8


def missing_lines(found: NoSource) -> list[str]:
    """Return the lines to show instead of a text."""
    lines = [f"{found.named}: {found.why}."]
    if found.tried:
        lines += ["", "Searched:", *(f"  {path}" for path in found.tried[:NAMED])]
        if len(found.tried) > NAMED:
            lines.append(f"  ... and {len(found.tried) - NAMED} more places")
        lines += ["", "To see it, open the control repo, or put the catalog next to its manifests."]
    return list(map(printable, lines))
