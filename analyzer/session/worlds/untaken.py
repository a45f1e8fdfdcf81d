"""The arms of constructs that no world took, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from analyzer.frontends.puppet.compiler.calls.data import LOOKUP
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.worlds.conditions import named
from analyzer.frontends.puppet.worlds.exploration import NO_VALUE, STOPPED
from analyzer.frontends.puppet.worlds.learning import DECLARED
from analyzer.frontends.puppet.worlds.naming import MOST_NAMES
from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts
from analyzer.model.completeness import Gap
from analyzer.session.worlds.searching import WorldSearch
from analyzer.source import Span, place_of
from analyzer.worlds.explored import ExploredNode, UntakenArm

NOT_REACHED = "no world that was tried reaches this line"
ONLY_REFUSED = "only refused worlds take it"
NO_INPUT = "no fact or parameter decides it"
UNDECIDED = "its condition is unknown: {}"
NOT_EXPLORED = "not explored"
# Why computed names of classes were not tried.
UNKNOWN_NAMES = (
    f"{NOT_EXPLORED}: the classes that it may name are unknown or more than {MOST_NAMES}"
)
NAMES_LEFT = f"{NOT_EXPLORED}: {STOPPED}"
# They depend on parameters that only a search of their class by itself varies.
OTHER_NAMES = f"{NOT_EXPLORED}: no other class was tried"

# Inputs that a reason names.
SHOWN = 3

NO_ARMS: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class NodeArms:
    """The arms that the worlds of one node took, in a form for other processes.

    `arms` are those that count, `refused` are all of them. `inputs` are those that constructs
    depend on, as far as a compile was traced; `unvaried` the constructs that depend on an input of
    which no value was tried. `counts` has the number of arms of each
    construct that may have been evaluated. `undecided` are the tests that depend on an unknown
    value, by file and line. `assumed` are facts of the site that the node needed. `named` are the
    computed names of classes of which all values were tried, `unnamed` the others with the reason.
    """

    arms: Mapping[Place, frozenset[int]]
    refused: Mapping[Place, frozenset[int]]
    counts: Mapping[Place, int]
    exhausted: bool
    undecided: Mapping[tuple[str, int], Gap]
    assumed: Facts
    inputs: Mapping[Place, tuple[str, ...]]
    unvaried: frozenset[Place]
    named: frozenset[Place]
    unnamed: Mapping[Place, str]


def arms_in(search: WorldSearch, node: ExploredNode) -> NodeArms:
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
    inputs = {place: names for place, names in program.learner.inputs.items() if names}
    unvaried = frozenset(unvaried_in(search, counts))
    assumed = program.assumed
    named = frozenset(filter(search.explorer.is_named, search.explorer.naming))
    unnamed = dict(unnamed_in(search, named))
    return NodeArms(
        *(arms, refused, counts, node.exhausted, undecided, assumed, inputs, unvaried),
        *(named, unnamed),
    )


def unnamed_in(search: WorldSearch, named: Set[Place]) -> Iterator[tuple[Place, str]]:
    """Yield computed names of classes of which not all values were tried, with the reason."""
    program, explorer = search.program, search.explorer
    for place in explorer.naming:
        rows = program.names_at(place)
        if place in named:
            continue
        if rows:
            is_known = all(values is not None for _, values in rows)
            yield place, NAMES_LEFT if is_known else UNKNOWN_NAMES
            continue
        inputs = program.learner.inputs.get(place, ())
        asked = (one.input for one in program.questions.get(place) if one.naming)
        # Data are those of the node, on any level of Hiera that has a file.
        if any("::" in n and not n.startswith(LOOKUP) for n in (*inputs, *asked)):
            yield place, OTHER_NAMES


def unvaried_in(search: WorldSearch, counts: Mapping[Place, int]) -> Iterator[Place]:
    """Yield constructs with an untaken arm that depend on an input of which no value was tried.

    The input is a parameter of the class that is explored, or data that its code looks up.
    """
    program = search.program
    varied = {name for world in search.explorer.seen for name in world.values}
    for place, arms in search.explorer.found.taken.items() if program.own else ():
        if len(arms) < counts.get(place, 0):
            names = (*program.learner.inputs.get(place, ()), *program.asked_at(place))
            roots = {name.partition(".")[0] for name in names if "::" in name}
            if any(program.free(name) and name not in varied for name in roots):
                yield place


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
        self.inputs: dict[Place, dict[str, None]] = {}
        self.unvaried: set[Place] = set()
        self.named: set[Place] = set()
        self.names_left: dict[Place, str] = {}
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
        self.unvaried |= node.unvaried
        self.named |= node.named
        for place, why in node.unnamed.items():
            if self.names_left.get(place, OTHER_NAMES) == OTHER_NAMES:
                self.names_left[place] = why
        for place, names in node.inputs.items():
            self.inputs.setdefault(place, {}).update(dict.fromkeys(names))

    @property
    def count(self) -> int:
        """Return the number of arms that were taken, without those of lists of titles."""
        return sum(arm >= 0 for arms in self.arms.values() for arm in arms)

    @property
    def every(self) -> dict[Place, tuple[int, frozenset[int]]]:
        """Return the number of arms of each construct, and those that any world took."""
        # A name that was not tried counts as an arm.
        more = {p: self.counts.get(p, 0) + 1 for p in self.unnamed()}
        counts = self.counts | more
        return {p: (n, frozenset(self.refused.get(p, ()))) for p, n in counts.items()}

    def unnamed(self) -> dict[Place, str]:
        """Return the computed names of classes that no search tried wholly, with the reason."""
        return {p: why for p, why in self.names_left.items() if p not in self.named}

    def never(self) -> Iterator[UntakenArm]:
        """Yield the arms that were not taken, by their places."""
        unnamed = self.unnamed()
        for place in sorted({*self.counts, *unnamed}):
            count = self.counts.get(place, 0)
            if place in unnamed:
                reason = f"{unnamed[place]}{self.dependence(place)}"
                yield UntakenArm(self.span(place), count, reason)
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
        inputs = self.dependence(place)
        if not inputs:
            return STOPPED if place in self.stopped else NO_INPUT
        return f"{STOPPED if place in self.stopped else NO_VALUE}{inputs}"

    def dependence(self, place: Place) -> str:
        """Return the inputs that a construct depends on as the end of a reason, empty if none."""
        names = list(self.inputs.get(place, self.programs[place].asked_at(place)))
        more = ", ..." if len(names) > SHOWN else ""
        shown = (name if name == DECLARED else named(name) for name in names[:SHOWN])
        return f"; it depends on {', '.join(shown)}{more}" if names else ""
