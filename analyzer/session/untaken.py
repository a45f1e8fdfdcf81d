"""The arms of constructs that no world took, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.frontends.puppet.worlds.explorer import NO_VALUE, STOPPED, Place
from analyzer.frontends.puppet.worlds.program import Program, Watcher
from analyzer.model.completeness import Gap
from analyzer.session.searching import ExploredNode, Search
from analyzer.source import Span, place_of

NOT_REACHED = "no world that was tried comes to this line"
ONLY_REFUSED = "only worlds that are refused take it"
NO_INPUT = "no fact or parameter decides it"
UNDECIDED = "its test is not known: {}"


@dataclass(frozen=True, slots=True)
class Never:
    """An arm that no world took: the place of its construct, its number, and why."""

    span: Span
    arm: int
    reason: str


class Taken:
    """The arms that were taken in the worlds of all nodes.

    Those of refused worlds alone are not: Puppet gives no catalog there. An arm that leads to an
    error does what it can, and so do those of a node that compiles in no world.
    """

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.arms: dict[Place, set[int]] = {}
        self.refused: dict[Place, set[int]] = {}
        self.programs: dict[Place, Program] = {}
        self.stopped: set[Place] = set()
        self.exhausted = True
        # Tests that an Unknown decides, by file and line.
        self.undecided: dict[tuple[str, int], Gap] = {}

    def add(self, search: Search, node: ExploredNode) -> None:
        """Add what the worlds of a node took."""
        self.exhausted = self.exhausted and node.exhausted
        found = search.explorer.found
        for place, arms in found.taken.items():
            known = node.state == "refused" or place in found.failing
            sound = arms if known else found.sound.get(place, set())
            self.arms.setdefault(place, set()).update(sound)
            self.refused.setdefault(place, set()).update(arms)
            self.programs[place] = search.program
            if not node.exhausted:
                self.stopped.add(place)
        for world in node.worlds:
            for gap in world.graph.catalog.gaps if world.graph is not None else ():
                if gap.kind == "undecided" and gap.span is not None and gap.span.line:
                    self.undecided[gap.span.file, gap.span.line] = gap

    @property
    def count(self) -> int:
        """Return how many arms were taken."""
        return sum(map(len, self.arms.values()))

    def never(self) -> Iterator[Never]:
        """Yield the arms that were not taken, by their places."""
        for place, count in sorted(self.watcher.arms.items()):
            left = [arm for arm in range(count) if arm not in self.arms.get(place, ())]
            if left:
                span = self.span(place)
                reason = self.reason(place, span)
                refused = self.refused.get(place, set())
                for arm in left:
                    yield Never(span, arm, ONLY_REFUSED if arm in refused else reason)

    def span(self, place: Place) -> Span:
        """Return the place of a construct by line and column; blanks before it are no part."""
        file, offset = place
        text = self.watcher.texts[file]
        blanks = len(text[offset:]) - len(text[offset:].lstrip())
        return Span(file, *place_of(text, offset + blanks))

    def reason(self, place: Place, span: Span) -> str:
        """Return why not all arms of a construct were taken."""
        gap = self.undecided.get((span.file, span.line or 0))
        if gap is not None:
            return UNDECIDED.format(gap.reason)
        if place not in self.programs:
            return NOT_REACHED if self.exhausted else STOPPED
        if not self.programs[place].asked_at(place):
            return NO_INPUT
        return STOPPED if place in self.stopped else NO_VALUE
