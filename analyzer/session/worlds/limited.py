"""The search of one program as a part of another command: few compiles, and no guesses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from analyzer.frontends.puppet.worlds.explorer import Explorer
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.world import World
from analyzer.session.worlds.searching import GraphOf, WorldSearch
from analyzer.worlds.explored import ConditionalFinding, ExploredWorld
from analyzer.worlds.findings import WorldFinding

# Compiles of a node for the conditions of its findings.
TRIES = 500
# A title that two inputs may only share because their values are unknown.
MADE_UP = re.compile(r"\[(?:[^\]]*/)?(?:example|other|text)\]")


class LimitedSearch(WorldSearch):
    """A search whose conditions take a limited number of compiles.

    `known` are findings of other nodes: a finding with the same cause has the same condition.
    `may_try` tells whether another compile is within the budget. Without it, a condition may name
    more inputs than it has to.
    """

    def __init__(
        self,
        program: Program,
        graph_of: GraphOf,
        explorer: Explorer,
        known: Sequence[ConditionalFinding],
        may_try: Callable[[], bool],
    ) -> None:
        super().__init__(program, graph_of, explorer)
        self.may_try = may_try
        self.before = tuple(known)
        self.tries = 0
        self.cut = False

    def holds(self, finding: WorldFinding, ended: bool, world: World) -> bool | None:
        """Return whether a finding holds in a world, None if the limit of compiles is reached."""
        if world not in self.made and world not in self.explorer.seen:
            self.tries += 1
            if self.tries > TRIES or not self.may_try():
                self.cut = True
                return None
        return super().holds(finding, ended, world)

    def findings(self, world: ExploredWorld) -> Iterator[WorldFinding]:
        """Yield the findings of a world that are defects for any meaning of its values."""
        for one in super().findings(world):
            if one.kind == "cycle" or (one.kind != "error" and not MADE_UP.search(one.message)):
                yield one

    def conditional(self, finding: WorldFinding, found: ExploredWorld) -> ConditionalFinding:
        """Return a finding with the condition under which it holds."""
        same = next((one for one in self.before if one.finding.is_like(finding)), None)
        if same is not None:
            return ConditionalFinding(finding, found, same.condition)
        return super().conditional(finding, found)


def in_turn(programs: Sequence[Program]) -> Iterator[int]:
    """Yield the numbers of programs, for nodes in an order that spreads them.

    Neighbours are most often alike, and the budget may not be enough for all.
    """
    step = 1 << max(0, len(programs) - 1).bit_length()
    if any(program.own for program in programs):
        step = 1
    seen: set[int] = set()
    while step:
        for number in range(0, len(programs), step):
            if number not in seen:
                seen.add(number)
                yield number
        step //= 2
