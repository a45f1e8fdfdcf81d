"""The kinds of run, and how each of them starts: simulated, noop, real, recorded, agent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.apply.engine.world import Simulation
from analyzer.apply.timeline import Timeline
from tui.run.agent_timeline import AgentTimeline
from tui.run.local import StartedRun, noop_run, real_run

if TYPE_CHECKING:
    from tui.project.project import Project


@dataclass(frozen=True, slots=True)
class RunKind:
    """A kind of run; `banner` is its name in the line at the top.

    A run with `changes` changes the host: its steps cannot be undone. A run that `looks` at the
    host takes time: its steps are made in a thread. `fixed` is the reason why a run cannot take
    another branch; empty if it can.
    """

    id: str
    title: str
    banner: str
    help: str
    changes: bool = False
    looks: bool = False
    fixed: str = ""


RUN_KINDS: dict[str, RunKind] = {
    row.id: row
    for row in (
        RunKind("simulated", "Simulated", "simulated", "reads and changes nothing"),
        RunKind(
            "host",
            "Noop on this host",
            "noop, this host",
            "reads this host, changes nothing",
            looks=True,
        ),
        RunKind(
            "real",
            "Real, on this host",
            "REAL RUN",
            "changes this host, step by step",
            changes=True,
            looks=True,
        ),
        RunKind(
            "recorded",
            "Recorded",
            "recorded",
            "the run of a report or a journal",
            fixed="you cannot change a recorded run",
        ),
        RunKind(
            "agent",
            "Simulated agent",
            "simulated agent",
            "the passes of CFEngine's agent; no promise is carried out",
            fixed="you cannot steer a step of the simulated agent: use --define and --outcome",
        ),
    )
}


def simulated(project: Project) -> StartedRun:
    """Return a run that only simulates the host."""
    world = Simulation({}, project.catalog.properties)
    return StartedRun(project, Timeline(project.runs, world, project.settings))


def recorded(project: Project) -> StartedRun:
    """Return the run that the project recorded."""
    if project.record is None:
        raise RuntimeError("the project has no recorded run")
    return StartedRun(project, project.record())


def agent(project: Project) -> StartedRun:
    """Return the simulated run of CFEngine's agent."""
    if project.agent is None:
        raise RuntimeError("the project is not a policy")
    return StartedRun(project, AgentTimeline(project.runs, *project.agent))


START: dict[str, Callable[[Project], StartedRun]] = {
    "simulated": simulated,
    "host": noop_run,
    "real": real_run,
    "recorded": recorded,
    "agent": agent,
}


def kinds_of(project: Project) -> list[RunKind]:
    """Return the kinds of run that a project offers, the default first.

    A report without its catalog has no relationships, so it offers only the recorded run. A world
    does not have the facts of a real host, so it is never applied to this one.
    """
    if project.kind == "policy":
        return [RUN_KINDS["agent"]]
    if project.record is not None:
        return [RUN_KINDS["recorded"], *([RUN_KINDS["simulated"]] if project.has_catalog else [])]
    if project.is_world:
        return [RUN_KINDS["simulated"]]
    return [RUN_KINDS["simulated"], RUN_KINDS["host"], RUN_KINDS["real"]]
