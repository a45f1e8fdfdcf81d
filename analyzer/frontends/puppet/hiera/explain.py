"""The sources of a lookup's value: each place that was asked, and its answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from analyzer.model.values import Value


class LookupOutcome(Enum):
    """The answer of one place."""

    FOUND = "found"
    NO_KEY = "no such key"
    NO_FILE = "no such file"
    UNKNOWN = "cannot be told"


@dataclass(frozen=True, slots=True)
class LookupStep:
    """One place that was asked for a key.

    `layer` is as Puppet names it (`Global`, `Environment`, `Module "m"`), `entry` the name of the
    level in hiera.yaml, `location` a path; `depth` is above 0 for lookups within a value.
    """

    layer: str
    entry: str
    location: str | None
    key: str
    outcome: LookupOutcome
    value: Any = None
    depth: int = 0


class Read(NamedTuple):
    """Variables that were read: in a value, or in a path of a level on the way to a key.

    Other values of all of the `names` together lead to a file with the key, or away from one.
    `file` is that file, None if it is not known.
    """

    names: tuple[str, ...]
    level: str = ""
    root: str = ""
    file: str | None = None


@dataclass(slots=True)
class LookupExplanation:
    """The steps of one lookup; `sources` are those that contributed to the key itself."""

    key: str
    value: Any = None
    found: bool = False
    origin: str = "data"  # or: override, default_values_hash, default
    merge: Value = None
    merge_from_options: bool = False
    steps: list[LookupStep] = field(default_factory=list)

    @property
    def sources(self) -> list[LookupStep]:
        """Return the places that had the key, or may have it."""
        had = (LookupOutcome.FOUND, LookupOutcome.UNKNOWN)
        return [step for step in self.steps if step.outcome in had and step.depth == 0]
