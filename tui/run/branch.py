"""One way that a run went: its time line, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tui.present.frontier import own_places
from tui.present.tree import Tree
from tui.run.agent_story import PolicyStory
from tui.run.agent_timeline import AgentTimeline
from tui.run.kinds import MAKE, kinds_of
from tui.run.rollup import RollUp
from tui.run.story import Story

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline
    from tui.project.project import Project


@dataclass(slots=True)
class Branch:
    """A run with its story and its counts.

    `since` is the step at which it left another branch, `reason` what was done otherwise there;
    `project` is what it is a run of, where the other branch is a run of something else.
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
        """Return the first way of a run; `like` is one of another run of the same graph."""
        if like is not None and like.timeline.graph is not timeline.graph:
            like = None
        rollup = RollUp(timeline.graph, like.rollup if like else None)
        own = like.own if like else own_places(timeline)
        found = cls("main", timeline, story_of(timeline), rollup, own)
        found.follow()
        return found

    def fork(self, name: str, reason: str) -> Branch:
        """Return another way, that begins at the cursor of this one."""
        timeline = self.timeline.fork()
        rollup = RollUp(timeline.graph, self.rollup)
        story = self.story.fork(timeline)
        return Branch(name, timeline, story, rollup, self.own, timeline.position, reason)

    def follow(self) -> None:
        """Take in what has happened."""
        self.story.follow()
        self.rollup.follow(self.timeline.state)

    @property
    def steps(self) -> int:
        """How many steps the run has: one that is closed, those that there are."""
        known = len(self.timeline)
        return known if self.timeline.closed else max(known, self.resources)

    @property
    def resources(self) -> int:
        """How many resources the run has."""
        return self.rollup.totals[None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What takes a while to make of a large catalog, for its first run; made in a thread."""

    branch: Branch
    tree: Tree


def prepare(project: Project) -> Prepared:
    """Return what a project is shown with at first."""
    kind = kinds_of(project)[0].id
    return Prepared(Branch.first(MAKE[kind](project).timeline), Tree(project.runs))


def story_of(timeline: Timeline) -> Story:
    """Return the story of a run, in the words of what it is a run of."""
    return PolicyStory(timeline) if isinstance(timeline, AgentTimeline) else Story(timeline)
