"""Gaps: what a compile could not know or left out, so that nothing incomplete is called clean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analyzer.source import Span

GapKind = Literal[
    "undecided",  # an Unknown decided a condition, a title, a relationship, ...
    "function",  # a function that cannot be evaluated here
    "template",
    "resource type",  # generates or relates resources in a way that is not known
    "class",  # could not be compiled
    "node",  # a node block that was not compiled
    "file",  # may not be read, or is not there
    "data",  # a key of Hiera without a value
    "internal error",
]


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is not known about a catalog.

    `name` is what it is about (`role()`, `Class[x]`, `if`), `reason` why it is not known, `span`
    where it matters. `hint` is what the user can do (`--facts FILE`), empty where nothing helps.
    `hides` is False where no resource and no relationship can be missing because of it.
    """

    kind: GapKind
    name: str
    reason: str
    span: Span | None = None
    hint: str = ""
    hides: bool = True
