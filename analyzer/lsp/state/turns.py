"""Does long work in short steps, so that requests between them are answered at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from time import monotonic
from typing import TypeVar

Step = TypeVar("Step")

# Seconds of work before other tasks get a turn.
TURN = 0.008

# New objects before a garbage collection: a tree has tens of thousands, and no circles.
RARELY = (100_000, 20, 50)


async def run_in_turns(work: Iterator[Step]) -> AsyncIterator[Step]:
    """Do all of the work; at the end of each turn, yield the step that it yielded last."""
    begun = monotonic()
    for step in work:
        if monotonic() - begun > TURN:
            yield step
            await asyncio.sleep(0)
            begun = monotonic()
