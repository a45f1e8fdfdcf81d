"""The report of a run of CFEngine's agent up to the current step, by outcomes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.present.policy_frontier import why_not_begun
from tui.present.run_facts import GROUPS, Row, RunFacts
from tui.run.agent_story import entries, news
from tui.run.agent_timeline import NOT_DONE, WORDS, AgentTimeline
from tui.run.rollup import word_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.frontends.cfengine.agent.steps import Step


def of_agent(timeline: AgentTimeline) -> RunFacts:
    """Return the report of a run up to the current step."""
    counts = dict.fromkeys((*GROUPS, "unchanged"), 0)
    groups: dict[str, list[Row]] = {}
    for ref, status in timeline.resources():
        word = word_of(status)
        counts[word] += 1
        step = timeline.look_at(timeline.graph.find(str(ref)))
        if word != "unchanged" and step is not None:
            groups.setdefault(word, []).append((str(ref), remark(step)))
    counts["waiting"] = len(timeline.looks) - sum(counts.values())
    over = timeline.position == len(timeline)
    return RunFacts(
        title=f"simulated run of the agent, step {timeline.position}",
        status=timeline.status if over else "running",
        error="",
        counts=counts,
        groups=groups,
        metrics=(),
        log=tuple(logged(timeline)),
        words=WORDS,
        noun="promise",
    )


def remark(step: Step) -> str:
    """Return where a promise was evaluated, why it was skipped, and which facts are new."""
    where = f"pass {step.pass_number}, step {step.number}"
    why = [why_not_begun(step.event)] if step.event and step.outcome in NOT_DONE else []
    return "; ".join([*why, where, *news(step)])


def logged(timeline: AgentTimeline) -> Iterator[tuple[str, str, str]]:
    """Yield the log: level, promise, message."""
    for step in timeline.agent.steps[: timeline.position + 1]:
        about = timeline.about[step.number]
        node = about[0] if about and step.event is not None else None
        for entry in entries(step, node):
            where = "" if node is None else f"/{timeline.graph.names[node]}"
            yield entry.level, where, entry.message
