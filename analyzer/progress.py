"""How far long work is, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TypeVar

# Fewer parts than this are not followed.
FEW = 5
# Seconds between two texts: a terminal takes time to show them.
PAUSE = 0.05

# Shows a text in place of the one before; the empty text ends it.
Progress = Callable[[str], None]
Item = TypeVar("Item")


def followed(
    items: Sequence[Item],
    progress: Progress | None,
    noun: str,
    name_of: Callable[[Item], str] = lambda item: "",
) -> Iterator[Item]:
    """Yield items, and show how far that is if there are many: `3 of 17 nodes: web1`."""
    if progress is None or len(items) <= FEW:
        yield from items
        return
    last = 0.0
    for number, item in enumerate(items, 1):
        if monotonic() - last >= PAUSE:
            name = name_of(item)
            progress(f"{number:,} of {len(items):,} {noun}" + (f": {name}" if name else ""))
            last = monotonic()
        yield item
    progress("")
