"""The kinds of run: simulated, looked at on this host, done to this host, or recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.apply.engine.world import Simulation
from analyzer.apply.timeline import Timeline
from tui.run.local import Started, looked_at, real

if TYPE_CHECKING:
    from tui.project.project import Project


@dataclass(frozen=True, slots=True)
class Kind:
    """A row: `banner` is what the line at the top says of it.

    Of a run that `changes` the host, what is done cannot be gone back on. What `looks` at the host
    takes time: its steps are made in a thread. `fixed` says why a run cannot go another way.
    """

    id: str
    title: str
    banner: str
    help: str
    changes: bool = False
    looks: bool = False
    fixed: str = ""


KINDS: dict[str, Kind] = {
    row.id: row
    for row in (
        Kind("simulated", "Simulated", "simulated", "nothing is touched or looked at"),
        Kind(
            "host",
            "Noop against this host",
            "noop, this host",
            "looks at this machine, changes nothing",
            looks=True,
        ),
        Kind(
            "real",
            "Real, on this host",
            "REAL RUN",
            "changes this machine, step by step",
            changes=True,
            looks=True,
        ),
        Kind(
            "recorded",
            "Recorded",
            "recorded",
            "what a report or log tells of",
            fixed="this run was recorded: it went as it went",
        ),
        Kind(
            "agent",
            "Simulated agent",
            "simulated agent",
            "the passes of CFEngine's agent; no promise is done",
            fixed="the agent's run is simulated as a whole: --define and --outcome steer it",
        ),
    )
}


def simulated(project: Project) -> Started:
    """Return a run in a world that is only imagined."""
    world = Simulation({}, project.catalog.properties)
    return Started(project, Timeline(project.runs, world, project.settings))


def recorded(project: Project) -> Started:
    """Return the run that the project was recorded from."""
    if project.record is None:
        raise RuntimeError("nothing was recorded")
    return Started(project, project.record())


MAKE: dict[str, Callable[[Project], Started]] = {
    "simulated": simulated,
    "host": looked_at,
    "real": real,
    "recorded": recorded,
    "agent": recorded,
}


def kinds_of(project: Project) -> list[Kind]:
    """Return the kinds of run that a project can be gone through as.

    A catalog that a report alone was read into knows no relationships: no other run is made of it.
    """
    if project.kind == "policy":
        return [KINDS["agent"]]
    if project.record is not None:
        return [KINDS["recorded"], *([KINDS["simulated"]] if project.has_catalog else [])]
    return [KINDS["simulated"], KINDS["host"], KINDS["real"]]
