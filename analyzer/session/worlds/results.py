"""The result of the search of a program, and the earlier results that it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.model.completeness import Gap
from analyzer.session.worlds.untaken import NodeArms
from analyzer.worlds.explored import ConditionalFinding, ExploredNode


@dataclass(frozen=True, slots=True)
class SearchedBefore:
    """The findings and the budget that the search of a program depends on.

    `left` is the budget, `short` that for forced arms alone. `groups` are the findings of nodes
    that do the same on a usual system, and `known` all findings.
    """

    left: int
    short: int
    groups: Mapping[bytes, list[ConditionalFinding]]
    known: tuple[ConditionalFinding, ...]


@dataclass(slots=True)
class SearchResult:
    """The result of the search of a program.

    `first` is the part of the budget that its first world used, `cost` the part for all worlds, and
    `most` the most worlds it might have had; `runs` are those it had if it wanted no more, else 0.
    `open` are the constructs with inputs of which it did not take all arms. `grouped`: there was a
    node like it. `is_short`: only its forced arms were searched. `read` are the files it read,
    `manifests` the manifests that it depends on, those before it
    too (None: it has code of another environment).
    """

    seen: int
    late: bool = False
    cut: bool = False
    grouped: bool = False
    key: bytes = b""
    first: int = 0
    cost: int = 0
    most: int = 0
    runs: int = 0
    node: ExploredNode | None = None
    arms: NodeArms | None = None
    open: frozenset[Place] = frozenset()
    is_short: bool = False
    failure: Gap | None = None
    declared: set[tuple[str, str]] = field(default_factory=set)
    read: Mapping[str, str] = field(default_factory=dict)
    manifests: frozenset[str] | None = frozenset()

    def has_room(self, most: int) -> bool:
        """Return whether the search does the same with another limit of worlds."""
        return most == self.most or 0 < self.runs <= before_combining(most)


def before_combining(most: int) -> int:
    """Return how many of the most worlds are for a search before it combines worlds."""
    return most - most // 4
