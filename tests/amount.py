"""How much the tests try: a sample for a person who waits, everything with CATGRAPH_TESTS=all."""

from __future__ import annotations

import os

ALL = os.environ.get("CATGRAPH_TESTS") == "all"


def examples(number: int) -> int:
    """Return how many examples of a law to try where all would be `number`."""
    return number if ALL else max(5, number // 16)
