"""Commands that steer a run."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.apply.engine.events import Outcome


@dataclass(frozen=True, slots=True)
class Step:
    """Evaluate the next resources."""

    count: int = 1


@dataclass(frozen=True, slots=True)
class StepBack:
    """Go back; what happened is kept until something else happens instead."""

    count: int = 1


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on to the next breakpoint, or to the end."""


@dataclass(frozen=True, slots=True)
class RunTo:
    """Go on until a resource is next; of a container, until its first resource is."""

    ref: str


@dataclass(frozen=True, slots=True)
class FinishContainer:
    """Go on until a container is done; the one of the next resource if none is named."""

    ref: str = ""


@dataclass(frozen=True, slots=True)
class Pick:
    """Evaluate a resource that is ready, though another comes first."""

    ref: str


@dataclass(frozen=True, slots=True)
class Inject:
    """Steer what applying or refreshing a resource will do."""

    ref: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class SetNoop:
    """Switch noop of a resource, or of the run where none is named."""

    noop: bool
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the run here; the remaining resources are skipped."""


@dataclass(frozen=True, slots=True)
class Restart:
    """Go back to the beginning, before anything was done."""


@dataclass(frozen=True, slots=True)
class Back:
    """The reverse of a command that goes on by itself: go back to where it would stop.

    Of FinishContainer it is to where the container begins.
    """

    command: Continue | RunTo | FinishContainer


@dataclass(frozen=True, slots=True)
class GoTo:
    """Go to a step that is known, by its number."""

    position: int


# Those that the engine decides; the others are ways through the time line.
Decision = Step | Pick | Inject | SetNoop | Stop
Walk = Continue | RunTo | FinishContainer | Back
Command = Decision | Walk | StepBack | GoTo | Restart


class CommandError(ValueError):
    """A command cannot be carried out; the message says why."""
