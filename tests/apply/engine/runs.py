"""What our engine makes of a catalog, in the form of Puppet's answers; and the differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from analyzer.apply.engine.events import Outcome
from analyzer.apply.simulate import simulate
from analyzer.apply.timeline import Timeline
from analyzer.config import Config, load
from analyzer.model.catalog import Catalog
from analyzer.session.inputs import graph_of, load_catalog
from analyzer.session.settings import rules_for

HERE = Path(__file__).parent
SCRIPT = HERE / "transaction.rb"

# The folder that has the module of the types.
MODULES = HERE

Answer = Mapping[str, Any]

# A noon at which none of the schedules that are used excludes anything by the hour.
NOON = datetime(2024, 5, 15, 12)


@cache
def sim_types() -> Config:
    """What is told of the types that the manifests are made of."""
    return load(str(HERE / "sim" / "catgraph.toml"))


def run(catalog: Catalog, settings: Mapping[str, Any], version: int = 7) -> Timeline:
    """The whole run of a catalog."""
    graph = graph_of(catalog, rules_for(catalog, sim_types()))
    lost = [str(resource) for resource in catalog.resources if resource.type == "Simlost"]
    return simulate(
        graph,
        outcomes=dict.fromkeys(lost, Outcome("unsuitable")),
        noop=settings.get("noop", False),
        tags=settings.get("tags", ""),
        skip_tags=settings.get("skip_tags", ""),
        puppet_version=version,
        now=NOON,
    )


def our_answer(catalog: dict[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What becomes of a catalog, as `transaction.rb` tells it."""
    return answer_of(run(load_catalog(catalog), settings))


def answer_of(timeline: Timeline) -> dict[str, Any]:
    """A time line as `transaction.rb` tells it."""
    refs = timeline.graph.refs
    resources = {
        str(ref): {
            "flags": status.flags,
            "failed_deps": [str(refs[node]) for node in status.failed_dependencies],
            "events": [[e.name, e.property, e.status, e.message] for e in status.events],
        }
        for ref, status in timeline.resources()
    }
    return {
        "status": timeline.status,
        "order": [str(ref) for ref in timeline.order],
        "resources": resources,
        "log": [list(line) for line in timeline.log(debug=True)],
        "error": timeline.error or None,
    }


def differences(ours: Answer, puppets: Answer) -> Iterator[str]:
    """What differs, one line each; the first line of the log that does."""
    for key in ("status", "error", "order"):
        if ours[key] != puppets[key]:
            yield f"{key}: {ours[key]} but Puppet: {puppets[key]}"
    for ref in dict.fromkeys([*puppets["resources"], *ours["resources"]]):
        mine, theirs = ours["resources"].get(ref), puppets["resources"].get(ref)
        if mine != theirs:
            yield f"{ref}: {mine} but Puppet: {theirs}"
    mine_and_theirs = list(ours["log"]), list(puppets["log"])
    for number in range(max(map(len, mine_and_theirs))):
        one, other = (log[number] if number < len(log) else None for log in mine_and_theirs)
        if one != other:
            yield f"log line {number + 1}: {one} but Puppet: {other}"
            return
