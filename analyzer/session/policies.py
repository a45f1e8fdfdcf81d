"""From a CFEngine policy to what happens in a simulated run of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.frontends.cfengine.events import Event
    from analyzer.model.catalog import Catalog


def simulate(
    path: str,
    classes: Iterable[str] = (),
    outcomes: str | None = None,
    normal_order: str = "running",
) -> tuple[list[Event], list[str]]:
    """Return the events of a run and warnings; nothing that the policy promises is done.

    `classes` are set from the start, besides those of any Linux machine; `outcomes` is a file of
    events, without which commands are repaired and all else is kept.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.agent import Agent
    from analyzer.frontends.cfengine.check import read_text
    from analyzer.frontends.cfengine.outcomes import Outcomes, read_outcomes
    from analyzer.frontends.cfengine.policy import load_policy

    policy = load_policy(path)
    given = read_outcomes(read_text(outcomes), outcomes) if outcomes else Outcomes()
    agent = Agent(policy, given, order=normal_order)
    agent.classes.hard.update(name for name in classes if name)
    events = agent.run()
    return events, policy.warnings + agent.warnings


def failed(path: str, event: Event) -> list[Event]:
    """Return the events of a run in which one promise fails; other outcomes are assumed.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.agent import Agent
    from analyzer.frontends.cfengine.events import NOT_KEPT
    from analyzer.frontends.cfengine.outcomes import Outcomes
    from analyzer.frontends.cfengine.policy import load_policy

    row = {
        "bundle": event.bundle.name,
        "type": event.type,
        "line": event.promise.line,
        "iteration": event.iteration,
        "outcome": NOT_KEPT,
    }
    return Agent(load_policy(path), Outcomes([row])).run()


def policy_catalog(path: str) -> Catalog:
    """Return a simulated run of a policy as a catalog of its promises, with outcomes assumed.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.catalog import catalog_of

    events, warnings = simulate(path)
    catalog = catalog_of(events, path)
    catalog.warnings += warnings
    return catalog
