"""The limit of nested calls: a setting of the process, which several threads may need raised."""

from __future__ import annotations

import sys
from threading import Lock

LOCK = Lock()
# The limits that are needed now, below them the one that was set before.
LIMITS: list[int] = []


class at_least:
    """Allows at least so many nested calls, as long as the context lasts.

    The limit of another thread stays: Python ends a process whose calls are far above it.
    """

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def __enter__(self) -> None:
        """Raise the limit."""
        with LOCK:
            if not LIMITS:
                LIMITS.append(sys.getrecursionlimit())
            LIMITS.append(self.calls)
            sys.setrecursionlimit(max(LIMITS))

    def __exit__(self, *error: object) -> None:
        """Lower the limit to what is still needed."""
        with LOCK:
            LIMITS.remove(self.calls)
            sys.setrecursionlimit(max(LIMITS))
            if len(LIMITS) == 1:
                LIMITS.clear()
