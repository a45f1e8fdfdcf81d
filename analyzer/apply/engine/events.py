"""The events of a run, as values: the time line is a list of them and nothing else.

`node` is an id of the expanded graph: a resource, or an end of a container.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analyzer.model.resource import Resource

SUCCESS, FAILURE, NOOP = "success", "failure", "noop"

# Names of events that no property sends.
RESTARTED, NOOP_RESTART, REFRESH, RESOURCE_ERROR = (
    "restarted",
    "noop_restart",
    "refresh",
    "resource_error",
)


@dataclass(frozen=True, slots=True)
class ResourceEvent:
    """The record of a change in a status, made or not (Puppet::Transaction::Event).

    `drops_refreshes` and `diff` as in provider.Change.
    """

    name: str
    status: str
    message: str
    property: str | None = None
    old: object = None
    new: object = None
    sensitive: bool = False
    drops_refreshes: bool = False
    diff: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The user's outcome for a resource, in place of its own: `apply` is ok, change or fail.

    `apply` may be unsuitable too, `refresh` is ok or fail; empty: as it would.
    """

    apply: str = ""
    refresh: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """The run begins; `version` is the catalog's."""

    version: object


@dataclass(frozen=True, slots=True)
class Evaluating:
    """A node is taken from those that are ready."""

    node: int


@dataclass(frozen=True, slots=True)
class DependenciesFailed:
    """A dependency of a node failed, direct or indirect."""

    node: int
    failed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FailureTold:
    """The first dependent of a failed resource tells of it."""

    node: int
    dependency: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A node is passed over; `reason` is one of skipping.REASONS."""

    node: int
    reason: str


@dataclass(frozen=True, slots=True)
class EventsDropped:
    """The nodes that waited for a skipped node are dropped."""

    node: int


@dataclass(frozen=True, slots=True)
class Said:
    """A resource writes to the log; `part` as in provider.Note."""

    node: int
    level: str
    message: str
    part: str | None = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """A property was out of sync; `reason` is why it could not be changed."""

    node: int
    event: ResourceEvent
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A resource was evaluated; events that it sends and answers follow."""

    node: int


@dataclass(frozen=True, slots=True)
class EvaluationFailed:
    """The state of a resource could not be read."""

    node: int
    reason: str


@dataclass(frozen=True, slots=True)
class ValuesKept:
    """The state of a resource from now on."""

    node: int
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Generated:
    """A resource brings others: they stand right after it, and `end` behind them all.

    `nodes` and `resources` go together. A node of the catalog is one that was there already and
    now has these parameters; the others are new, as the end is.
    """

    node: int
    nodes: tuple[int, ...]
    resources: tuple[Resource, ...]
    end: int


@dataclass(frozen=True, slots=True)
class GenerationFailed:
    """The resources that a resource generates could not be found; `early`: before the run."""

    node: int
    reason: str
    early: bool = False


@dataclass(frozen=True, slots=True)
class Queued:
    """Events of one name wait for a target to answer them; `noop` of `count` are noop."""

    source: int
    target: int
    name: str
    count: int
    noop: int


@dataclass(frozen=True, slots=True)
class RefreshUnscheduled:
    """A resource was just started and need not be refreshed."""

    node: int


@dataclass(frozen=True, slots=True)
class Refreshed:
    """A node answered the events that waited for it."""

    node: int
    count: int


@dataclass(frozen=True, slots=True)
class RefreshFailed:
    """A node could not answer its events."""

    node: int
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class RefreshWithheld:
    """A node would have answered, were it not for noop."""

    node: int
    count: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A node is done; what waited for it alone is ready."""

    node: int


@dataclass(frozen=True, slots=True)
class PutOff:
    """A resource whose provider does not work here (yet) waits until nothing else is ready."""

    node: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TakenUp:
    """Postponed nodes are tried again, because another node was done meanwhile."""

    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unsuitable:
    """A resource's provider does not work here; `provider` is empty where there is none.

    With `untagged` the run's tags pass it by, and it does not fail.
    """

    node: int
    provider: str
    untagged: bool = False


@dataclass(frozen=True, slots=True)
class Aborted:
    """The whole run ends here."""

    message: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run was asked to end: a node is passed over, as are all behind it."""

    node: int


@dataclass(frozen=True, slots=True)
class CycleFound:
    """The run cannot begin; `text` is what Puppet logs of the cycles of these nodes."""

    nodes: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """Everything is done, or passed over as the run was `stopped`; `types` lack a provider."""

    types: tuple[str, ...] = ()
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class OutcomeSet:
    """A person steers a resource."""

    node: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class NoopSet:
    """A person switches noop of a resource, or of the whole run."""

    node: int | None
    noop: bool


Event = (
    Started
    | Evaluating
    | DependenciesFailed
    | FailureTold
    | Skipped
    | EventsDropped
    | Said
    | Changed
    | Evaluated
    | EvaluationFailed
    | ValuesKept
    | Generated
    | GenerationFailed
    | Queued
    | RefreshUnscheduled
    | Refreshed
    | RefreshFailed
    | RefreshWithheld
    | Finished
    | PutOff
    | TakenUp
    | Unsuitable
    | Stopped
    | Aborted
    | CycleFound
    | Ended
    | OutcomeSet
    | NoopSet
)
