"""Simulates runs of CFEngine policies."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from analyzer.frontends.cfengine.agent.events import Event
    from analyzer.frontends.cfengine.agent.outcomes import Outcomes
    from analyzer.frontends.cfengine.agent.run import Run
    from analyzer.frontends.cfengine.agent.state import Agent
    from analyzer.frontends.cfengine.policy.blocks import Policy
    from analyzer.model.catalog import Catalog

# The bundles that each program evaluates. By default, the policy is for the first program of which
# it has bundles.
PROGRAMS = ("agent", "server", "monitor")


@dataclass(frozen=True, slots=True)
class PolicyRunOptions:
    """The options of a simulated run.

    `classes` are set from the start, in addition to those of any Linux machine; those with `!`
    before their name are never set. `host` is the machine: unknown, empty (a new one, whose files
    are only those that the policy makes) or host (this one). `outcomes` is a
    file of events; without it, commands are repaired and all other promises are kept. `injected`
    are further outcomes, as rows of such a file. `program` is agent, server or monitor; empty: the
    policy's bundles determine it. `bundles` replace the policy's bundlesequence; inputs in the
    folders of `allow_read` are read, too.
    """

    classes: tuple[str, ...] = ()
    outcomes: str | None = None
    normal_order: str = "running"
    program: str = ""
    bundles: tuple[str, ...] = ()
    allow_read: tuple[str, ...] = ()
    injected: tuple[dict[str, object], ...] = ()
    host: str = "unknown"


def request_from(options: Mapping[str, Any]) -> PolicyRunOptions:
    """Return a request from options of the command line, by their names.

    Raises:
        InputError: they contradict each other.
    """
    from analyzer.diagnostics import InputError
    from analyzer.source import Span

    words = ",".join(options.get("define") or ())
    classes = tuple(name.strip() for name in words.split(",") if name.strip())
    # As in cf-agent: blanks count, and an empty text gives no bundles.
    given = options.get("bundlesequence")
    bundles = tuple(given.split(",")) if given else ()
    program = options.get("agent") or ("agent" if bundles else "")
    if bundles and program != "agent":
        message = "needs --agent agent: a daemon evaluates all its bundles"
        raise InputError(message, Span("--bundlesequence"), "usage")
    return PolicyRunOptions(
        classes,
        options.get("outcome"),
        options.get("normal_order") or "running",
        program,
        bundles,
        tuple(options.get("allow_read") or ()),
        host="host" if options.get("from_host") else options.get("host") or "unknown",
    )


def load(path: str | Sequence[str], request: PolicyRunOptions) -> Policy:
    """Load a policy.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.diagnostics import InputError
    from analyzer.frontends.cfengine.agent.loading import load_policy
    from analyzer.source import Span

    try:
        return load_policy(path, request.classes, request.allow_read)
    except RecursionError:
        first = path if isinstance(path, str) else path[0]
        raise InputError("the policy is nested too deeply", Span(first), "cf-deep") from None


def program_of(policy: Policy, wanted: str) -> str:
    """Return the program whose bundles are evaluated."""
    kinds = {bundle.type for tree in policy.files for bundle in tree.bundles}
    return wanted or next((name for name in PROGRAMS if name in kinds), PROGRAMS[0])


def outcomes_of(request: PolicyRunOptions) -> Outcomes:
    """Return the given outcomes.

    Raises:
        InputError: the file cannot be read, or is not a file of outcomes.
    """
    from analyzer.frontends.cfengine.agent.outcomes import Outcomes, read_outcomes
    from analyzer.frontends.cfengine.syntax.check import read_text

    path = request.outcomes
    given = read_outcomes(read_text(path), path) if path else Outcomes()
    given.add_first(request.injected)
    return given


def agent_of(path: str | Sequence[str], request: PolicyRunOptions) -> Agent:
    """Return an agent that has not run yet.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.agent.state import Agent
    from analyzer.frontends.cfengine.policy.host_files import Files

    policy = load(path, request)
    return Agent(
        policy,
        outcomes_of(request),
        order=request.normal_order,
        program=program_of(policy, request.program),
        bundles=request.bundles,
        files=Files(request.host),
    )


def run_policy(path: str | Sequence[str], request: PolicyRunOptions | None = None) -> Run:
    """Return a simulated run with all its steps; the machine is not changed.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.agent.journal import Journal
    from analyzer.frontends.cfengine.agent.run import Run

    agent = agent_of(path, request or PolicyRunOptions())
    agent.journal = Journal()
    run_agent(agent, request or PolicyRunOptions())
    return Run(agent)


def run_agent(agent: Agent, request: PolicyRunOptions) -> list[Event]:
    """Run an agent and return its events; name the promises that other programs evaluate.

    Raises:
        CompileError: a bundle of the bundlesequence is missing.
    """
    from analyzer.frontends.cfengine.agent.bundlesequence import check_sequence
    from analyzer.frontends.cfengine.agent.daemons import unseen
    from analyzer.frontends.cfengine.agent.passes import evaluate

    events = evaluate(agent)
    check_sequence(agent)
    if not request.program:
        agent.warnings += unseen(agent.policy, agent.program)
    return events


def simulate(
    path: str | Sequence[str],
    classes: Iterable[str] = (),
    outcomes: str | None = None,
    normal_order: str = "running",
    program: str = "",
) -> tuple[list[Event], list[str]]:
    """Return the events and warnings of a simulated run; the machine is not changed.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    return events_of(path, PolicyRunOptions(tuple(classes), outcomes, normal_order, program))


def events_of(
    path: str | Sequence[str], request: PolicyRunOptions
) -> tuple[list[Event], list[str]]:
    """Return the events of a run and warnings.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    agent = agent_of(path, request)
    events = run_agent(agent, request)
    return events, agent.policy.warnings + agent.warnings


def outcome_row(event: Event, outcome: str) -> dict[str, object]:
    """Return the row that injects an outcome for the promise of an event."""
    return {
        "bundle": event.bundle.name,
        "type": event.type,
        "line": event.promise.line,
        "iteration": event.iteration,
        "outcome": outcome,
    }


def failed(
    path: str | Sequence[str], event: Event, request: PolicyRunOptions | None = None
) -> list[Event]:
    """Return the events of a run in which one promise fails.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from dataclasses import replace

    from analyzer.frontends.cfengine.agent.events import NOT_KEPT

    request = request or PolicyRunOptions()
    injected = (*request.injected, outcome_row(event, NOT_KEPT))
    return events_of(path, replace(request, injected=injected))[0]


def policy_catalog(
    path: str | Sequence[str], request: PolicyRunOptions | None = None, *, loops: bool = False
) -> Catalog:
    """Return the simulated run of a policy as a catalog of its promises.

    With `loops`, it includes promises that wait for a handle until the end, perhaps for each other.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.agent.catalog import catalog_of, with_waiting

    events, warnings = events_of(path, request or PolicyRunOptions())
    make = with_waiting if loops else catalog_of
    catalog = make(events, path if isinstance(path, str) else path[0])
    catalog.warnings += warnings
    return catalog
