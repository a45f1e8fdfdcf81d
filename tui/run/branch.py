"""A branch of a run: its timeline with its story and its counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import Command, Inject, Pick, SetNoop
from tui.run.agent_story import AgentStory
from tui.run.agent_timeline import AgentTimeline
from tui.run.rollup import RollUp
from tui.run.run_kinds import START, kinds_of
from tui.run.story import Story
from tui.run.tree import ContainerTree

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline
    from tui.project.project import Project


@dataclass(slots=True)
class Branch:
    """A run with its story and its counts.

    `since` is the step at which it left another branch, `reason` the command that made it leave.
    `project` is set where the branches of a run are runs of different projects. `own` has the
    catalog's own resources as bits, by place in the queue.
    """

    name: str
    timeline: Timeline
    story: Story
    rollup: RollUp
    own: int
    since: int = 0
    reason: str = ""
    head: int = field(default=0)
    project: Project | None = None

    @classmethod
    def first(cls, timeline: Timeline, like: Branch | None = None) -> Branch:
        """Return the first branch of a run; `like` is one of an earlier run, for its counts."""
        if like is not None and like.timeline.graph is not timeline.graph:
            like = None
        rollup = RollUp(timeline.graph, like.rollup if like else None)
        own = like.own if like else own_places(timeline)
        found = cls("main", timeline, story_of(timeline), rollup, own)
        found.follow()
        return found

    def fork(self, name: str, reason: str) -> Branch:
        """Return another branch that begins at the position of this one."""
        timeline = self.timeline.fork()
        rollup = RollUp(timeline.graph, self.rollup)
        story = self.story.fork(timeline)
        return Branch(name, timeline, story, rollup, self.own, timeline.position, reason)

    def follow(self) -> None:
        """Add the steps that are new."""
        self.story.follow()
        self.rollup.follow(self.timeline.state)

    @property
    def steps(self) -> int:
        """Return the number of steps: of an open run, at least one for each resource."""
        known = len(self.timeline)
        return known if self.timeline.closed else max(known, self.resources)

    @property
    def resources(self) -> int:
        """Return the number of resources."""
        return self.rollup.totals[None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """The parts of the first screen that take long for a large catalog; made in a thread."""

    branch: Branch
    tree: ContainerTree


def prepare(project: Project) -> Prepared:
    """Return the default run of a project, and its containment tree."""
    kind = kinds_of(project)[0].id
    return Prepared(Branch.first(START[kind](project).timeline), ContainerTree(project.runs))


def story_of(timeline: Timeline) -> Story:
    """Return the story of a run of Puppet or of CFEngine's agent."""
    return AgentStory(timeline) if isinstance(timeline, AgentTimeline) else Story(timeline)


def own_places(timeline: Timeline) -> int:
    """Return the places in the queue of the catalog's own resources: no ends of containers."""
    graph = timeline.graph
    own = range(len(graph.graph.catalog.resources))
    nodes = (n for n in own if graph.resource(n) is not None)
    return bits_of((graph.place[n] for n in nodes), graph.nodes)


def bits_of(places: Iterable[int], length: int) -> int:
    """Return an integer whose bits are set at some places below a length."""
    digits = bytearray(b"0") * (length or 1)
    for place in places:
        digits[length - 1 - place] = 49
    return int(digits, 2)


def in_words(command: Command) -> str:
    """Return the command that started a branch, as text."""
    match command:
        case Pick(ref):
            return f"picked {ref}"
        case Inject(ref, outcome):
            refresh = f"refresh {outcome.refresh}" if outcome.refresh else ""
            words = [word for word in (outcome.apply, refresh) if word]
            return f"{ref}: {', '.join(words) or 'no injected outcome'}"
        case SetNoop(noop, ref):
            return f"noop {'on' if noop else 'off'} for {ref or 'the run'}"
    return ""
