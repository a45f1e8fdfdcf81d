"""The public call: a whole run, simulated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.faults import CHANGE, merged, told_failures
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.world import Simulation
from analyzer.apply.timeline import Timeline
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.tags import split_tags


def simulate(  # noqa: PLR0913
    graph: RelationshipGraph,
    *,
    fail: Iterable[str] = (),
    changed: Iterable[str] = (),
    outcomes: Mapping[str, Outcome] | None = None,
    state: Mapping[str, Mapping[str, object]] | None = None,
    noop: bool = False,
    tags: str | Iterable[str] = (),
    skip_tags: str | Iterable[str] = (),
    puppet_version: int = 8,
    now: datetime | None = None,
) -> Timeline:
    """Run a catalog as Puppet would, without a host; return the time line, at its end.

    `fail` are references, with `=refresh` those whose refresh fails; `changed` are resources that
    change in any case; `outcomes` say both by reference. `state` is what is there already, by
    reference and property; nothing else is. `now` is the local time that schedules go by.

    Raises:
        ValueError: a word of `fail` is none.
        CommandError: a resource that is to fail or change is not in the catalog.
    """
    from analyzer.apply.providers.table import Providers

    settings = RunSettings(
        noop=noop,
        tags=split_tags(tags),
        skip_tags=split_tags(skip_tags),
        puppet_version=puppet_version,
        now=now or datetime.now(),
    )
    world = Simulation(state or {}, graph.catalog.properties, Providers().find)
    chosen = all_outcomes(fail, changed, outcomes or {})
    return Timeline(RunGraph(graph), world, settings, chosen).run()


def all_outcomes(
    fail: Iterable[str], changed: Iterable[str], outcomes: Mapping[str, Outcome]
) -> dict[str, Outcome]:
    """Return the report on each reference; a failure beats a change, both beat a file."""
    found = dict(outcomes)
    for ref in changed:
        found[ref] = merged(found.get(ref, Outcome()), Outcome(CHANGE))
    for ref, outcome in told_failures(fail).items():
        found[ref] = merged(found.get(ref, Outcome()), outcome)
    return found
