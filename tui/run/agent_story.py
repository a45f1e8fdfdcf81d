"""A run of CFEngine's agent step by step: marks of its timeline, and its log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.agent import journal
from tui.run.agent_timeline import NOT_DONE, NOT_KEPT, AgentTimeline, is_begun
from tui.run.story import Story, StoryLine

if TYPE_CHECKING:
    from analyzer.apply.engine.events import Event
    from analyzer.frontends.cfengine.agent.steps import Step
    from analyzer.frontends.cfengine.policy.variables import Content

MOST, LONGEST = 12, 120


class AgentStory(Story):
    """The story of an agent's run; `passes` has the steps that begin a pass."""

    timeline: AgentTimeline
    MARKS = "pass or promise not kept"

    def take(self, number: int, step: Sequence[Event]) -> None:
        """Add one step."""
        one = self.timeline.agent.steps[number]
        about = self.timeline.about[number]
        node = about[0] if about and one.event is not None else None
        if one.kind == journal.PASS:
            self.passes[number] = str(one.pass_number)
        self.grades.append(grade(one))
        self.nodes.append(node)
        if node is not None and is_begun(one):
            self.turn.setdefault(node, number)
        self.entries += entries(one, node)
        self.ends.append(len(self.entries))

    def matters(self, step: int) -> bool:
        """Return whether a promise was not kept in a step, or a pass begins."""
        return step in self.passes or self.grades[step] == "failed"

    def following(self, position: int) -> int | None:
        """Return the promise or bundle of the next step at which the run stops."""
        return self.timeline.next


def grade(step: Step) -> str:
    """Return the mark of a step; promises that were skipped have none."""
    if step.outcome in NOT_KEPT:
        return "failed"
    return "changed" if step.outcome == "repaired" else "unchanged"


def entries(step: Step, node: int | None) -> Iterator[StoryLine]:
    """Yield the lines of the log of a step: the agent's message, and the new facts."""

    def entry(level: str, text: str) -> StoryLine:
        part = f"pass {step.pass_number}" if node is not None else ""
        return StoryLine(step.number, level, node, part, text)

    if step.kind == journal.PASS:
        yield entry("info", step.label)
    elif step.log and (step.event is None or step.event.reason != "already_done"):
        yield entry(level_of(step), step.log)
    for text in news(step):
        yield entry("info", text)


def level_of(step: Step) -> str:
    """Return the level of the agent's message."""
    if step.outcome in NOT_KEPT or step.log.startswith("error:"):
        return "err"
    if step.outcome in NOT_DONE:
        return "debug"
    return "info" if step.outcome == "kept" and step.type != "reports" else "notice"


def news(step: Step) -> Iterator[str]:
    """Yield the classes that a step set or cancelled, and the variables it defined."""
    if step.set_classes and step.type != "classes":
        yield f"classes set: {', '.join(step.set_classes)}"
    if step.cancelled:
        yield f"classes cancelled: {', '.join(step.cancelled)}"
    for name, value in step.variables[:MOST]:
        yield f"variable {name} = {content(value)}"
    if len(step.variables) > MOST:
        yield f"and {len(step.variables) - MOST:,} more variables"


def content(value: Content) -> str:
    """Return a variable's value in one short line."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
