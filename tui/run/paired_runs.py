"""Two runs side by side: the steps of both in pairs, and where they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.graph.diff.moves import increasing
from tui.run.branch import story_of
from tui.run.rollup import word_of
from tui.run.run_kinds import START, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tui.project.project import Project
    from tui.run.story import Story


@dataclass(frozen=True, slots=True)
class RunTurn:
    """The step of a resource in a run: its number, its outcome as in LOOKS, and its messages."""

    name: str
    step: int
    outcome: str
    messages: tuple[tuple[str, str], ...]

    @property
    def result(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return the part that is compared: everything but the number of the step."""
        return self.outcome, self.messages


@dataclass(frozen=True, slots=True)
class TurnPair:
    """The turn of a resource in both runs; None where a run has it at another place, or never."""

    first: RunTurn | None
    second: RunTurn | None

    @property
    def name(self) -> str:
        """Return the reference of the resource."""
        turn = self.first or self.second
        return turn.name if turn else ""

    @property
    def sign(self) -> str:
        """Return `<` or `>` for a turn in one run only, `~` for two results, else nothing."""
        if self.first is None or self.second is None:
            return "<" if self.second is None else ">"
        return "" if self.first.result == self.second.result else "~"


def pairs_of(first: Project, second: Project) -> list[TurnPair]:
    """Return the turns of the simulated runs of two projects in pairs, in the order of both.

    The longest sequence of resources that both apply in the same order forms pairs; the other
    turns stand alone, each at its place.
    """
    return list(paired(turns_of(first), turns_of(second)))


def turns_of(project: Project) -> list[RunTurn]:
    """Return the turns of the resources of a simulated run."""
    kinds = [kind.id for kind in kinds_of(project) if kind.id in ("simulated", "agent")]
    timeline = START[kinds[0]](project).timeline.run()
    story, statuses, graph = story_of(timeline), timeline.state.statuses, timeline.graph
    found = []
    for step, node in enumerate(story.nodes):
        status = None if node is None else statuses[node]
        if node is not None and status is not None:
            name = graph.names[node]
            found.append(RunTurn(name, step, word_of(status), messages_of(story, step)))
    return found


def messages_of(story: Story, step: int) -> tuple[tuple[str, str], ...]:
    """Return the property and the message of each line that a step logged."""
    begin = story.ends[step - 1] if step else 0
    return tuple((one.part, one.message) for one in story.entries[begin : story.ends[step]])


def paired(first: Sequence[RunTurn], second: Sequence[RunTurn]) -> Iterator[TurnPair]:
    """Yield the turns of two runs in pairs."""
    places = {key: place for place, key in enumerate(keys(second))}
    common = [(n, places[key]) for n, key in enumerate(keys(first)) if key in places]
    stay = increasing([place for _, place in common])
    left = right = 0
    for number in sorted(stay):
        here, there = common[number]
        yield from (TurnPair(turn, None) for turn in first[left:here])
        yield from (TurnPair(None, turn) for turn in second[right:there])
        yield TurnPair(first[here], second[there])
        left, right = here + 1, there + 1
    yield from (TurnPair(turn, None) for turn in first[left:])
    yield from (TurnPair(None, turn) for turn in second[right:])


def keys(turns: Sequence[RunTurn]) -> Iterator[tuple[str, int]]:
    """Yield the name of each turn, with a number, as the agent may come back to a promise."""
    seen: dict[str, int] = {}
    for turn in turns:
        seen[turn.name] = seen.get(turn.name, 0) + 1
        yield turn.name, seen[turn.name]
