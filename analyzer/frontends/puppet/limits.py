"""How long and how large a compile may become: it may be of code that nobody has read yet."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType, TracebackType
from typing import Any

from analyzer.frontends.puppet.evaluate.errors import Unit

# Bytes that a compile may need beyond what was there before.
MOST_MEMORY = 4 << 30
# Seconds from one look to the next.
TICK = 0.25


class TooMuch(BaseException):
    """Ends a compile that takes too long or too much; no rule of the language rescues from it.

    `place` is what was being evaluated; it is looked for at once, while the frames are whole.
    """

    def __init__(self, message: str, frame: FrameType | None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place_in(frame)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End what is done within if it takes longer, or more than MOST_MEMORY; 0 is without limit.

    A timer looks now and then, so that nothing is paid for it on the way. Only the main thread of
    a process can be interrupted so, and only where there are such timers; elsewhere there are no
    limits.
    """
    main = threading.current_thread() is threading.main_thread()
    if seconds <= 0 or not main or not hasattr(signal, "setitimer"):
        yield
        return
    end, most = monotonic() + seconds, resident() + MOST_MEMORY

    def look(number: int, frame: FrameType | None) -> None:
        if monotonic() > end:
            raise TooMuch(f"this takes longer than {seconds:g} seconds (--time-limit)", frame)
        if resident() > most:
            raise TooMuch(f"this needs more than {MOST_MEMORY >> 30} GiB of memory", frame)

    handler = signal.signal(signal.SIGALRM, look)
    timer = signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if handler is None else handler)


def resident() -> int:
    """Return the bytes of memory that the process has, 0 where that is not told."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def place_in(frame: FrameType | None) -> tuple[Unit, Any] | None:
    """Return the innermost node that was being evaluated in a frame, with its text."""
    while frame is not None:
        found = node_in(frame)
        if found is not None:
            return found
        frame = frame.f_back
    return None


def place_of_trace(trace: TracebackType | None) -> tuple[Unit, Any] | None:
    """Return the innermost node that was being evaluated where an error arose."""
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    return next((found for frame in reversed(frames) if (found := node_in(frame))), None)


def node_in(frame: FrameType) -> tuple[Unit, Any] | None:
    """Return the node that a frame evaluates, with its text; None if it is about another thing."""
    names = frame.f_locals
    unit, node = names.get("unit"), names.get("node") or names.get("statement")
    return (unit, node) if isinstance(unit, Unit) and hasattr(node, "offset") else None
