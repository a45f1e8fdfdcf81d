"""Random programs of everything that makes a catalog, with few names so that they meet."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from .definitions import Writer

# How many of the programs have a classifier.
SHARE = 0.3


def program(seed: int) -> str:
    """The program of a seed."""
    return "\n".join(Writer(Random(f"program/{seed}")).lines()) + "\n"


def classes_given(seed: int, text: str) -> dict[str, dict[str, Any] | None]:
    """Classes that a classifier gives the node of a program, of some programs only."""
    rng = Random(f"classes/{seed}")
    names = re.findall(r"^class (c\d)", text, re.MULTILINE) if rng.random() < SHARE else []
    parameters: tuple[dict[str, Any] | None, ...] = (None, {}, {}, {"tag": "enc"}, {"p0": "a"})
    return {name: rng.choice(parameters) for name in rng.sample(names, rng.randint(0, len(names)))}
