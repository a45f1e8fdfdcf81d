"""Random programs of everything that makes a catalog, with few names so that they meet."""

from __future__ import annotations

from random import Random

from .definitions import Writer


def program(seed: int) -> str:
    """The program of a seed."""
    return "\n".join(Writer(Random(f"program/{seed}")).lines()) + "\n"
