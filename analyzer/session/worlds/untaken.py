"""The arms of constructs that no world took, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.worlds.explorer import NO_VALUE, STOPPED
from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts
from analyzer.model.completeness import Gap
from analyzer.session.worlds.searching import ExploredNode, Search
from analyzer.source import Span, place_of

NOT_REACHED = "no world that was tried reaches this line"
ONLY_REFUSED = "only refused worlds take it"
NO_INPUT = "no fact or parameter decides it"
UNDECIDED = "its condition is unknown: {}"

NO_ARMS: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class UntakenArm:
    """An arm that no world took: the place of its construct, its number, and the reason."""

    span: Span
    arm: int
    reason: str


@dataclass(frozen=True, slots=True)
class NodeArms:
    """The arms that the worlds of one node took, in a form for other processes.

    `arms` are those that count, `refused` are all of them. `counts` has the number of arms of each
    construct that may have been evaluated. `undecided` are the tests that depend on an unknown
    value, by file and line. `assumed` are facts of the site that the node needed.
    """

    arms: Mapping[Place, frozenset[int]]
    refused: Mapping[Place, frozenset[int]]
    counts: Mapping[Place, int]
    exhausted: bool
    undecided: Mapping[tuple[str, int], Gap]
    assumed: Facts


def arms_in(search: Search, node: ExploredNode) -> NodeArms:
    """Return the arms that the worlds of a node took.

    Arms that only refused worlds took do not count: Puppet makes no catalog there. An exception are
    arms that lead to an error, and the arms of a node that compiles in no world.
    """
    found, program = search.explorer.found, search.program
    refused = {place: frozenset(arms) for place, arms in found.taken.items()}
    sound = {place: frozenset(arms) for place, arms in found.sound.items()}
    if node.state == "refused":
        sound = refused
    failing = {place: refused[place] for place in found.failing if place in refused}
    arms = {place: sound.get(place, NO_ARMS) for place in refused} | failing
    gaps = (g for w in node.worlds if w.graph is not None for g in w.graph.catalog.gaps)
    undecided = {
        (gap.span.file, gap.span.line): gap
        for gap in gaps
        if gap.kind == "undecided" and gap.span is not None and gap.span.line
    }
    counts = program.watcher.met()
    return NodeArms(arms, refused, counts, node.exhausted, undecided, program.assumed)


class TakenArms:
    """The arms that were taken in the worlds of all nodes."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.counts: dict[Place, int] = {}
        self.arms: dict[Place, set[int]] = {}
        self.refused: dict[Place, set[int]] = {}
        self.programs: dict[Place, Program] = {}
        self.stopped: set[Place] = set()
        self.exhausted = True
        self.undecided: dict[tuple[str, int], Gap] = {}
        self.known: DefinitionTable | None = None

    def add(self, node: NodeArms, program: Program) -> None:
        """Add the arms that the worlds of a node took."""
        self.exhausted = self.exhausted and node.exhausted
        program.assumed, self.known = node.assumed, program.known
        self.counts |= node.counts
        for place, taken in node.refused.items():
            self.arms.setdefault(place, set()).update(node.arms[place])
            self.refused.setdefault(place, set()).update(taken)
            self.programs[place] = program
            if not node.exhausted:
                self.stopped.add(place)
        self.undecided |= node.undecided

    @property
    def count(self) -> int:
        """Return the number of arms that were taken."""
        return sum(map(len, self.arms.values()))

    def never(self) -> Iterator[UntakenArm]:
        """Yield the arms that were not taken, by their places."""
        for place, count in sorted(self.counts.items()):
            left = [arm for arm in range(count) if arm not in self.arms.get(place, ())]
            if left:
                span = self.span(place)
                reason = self.reason(place, span)
                refused = self.refused.get(place, set())
                for arm in left:
                    yield UntakenArm(span, arm, ONLY_REFUSED if arm in refused else reason)

    def span(self, place: Place) -> Span:
        """Return the place of a construct by line and column, without leading blanks."""
        file, offset = place
        text = self.watcher.texts.get(file)
        if text is None:
            # Another process evaluated it.
            assert self.known is not None
            text = self.watcher.texts[file] = self.known.read(file)
        blanks = len(text[offset:]) - len(text[offset:].lstrip())
        return Span(file, *place_of(text, offset + blanks))

    def reason(self, place: Place, span: Span) -> str:
        """Return the reason why some arms of a construct were not taken."""
        gap = self.undecided.get((span.file, span.line or 0))
        if gap is not None:
            return UNDECIDED.format(gap.reason)
        if place not in self.programs:
            return NOT_REACHED if self.exhausted else STOPPED
        if not self.programs[place].asked_at(place):
            return NO_INPUT
        return STOPPED if place in self.stopped else NO_VALUE
