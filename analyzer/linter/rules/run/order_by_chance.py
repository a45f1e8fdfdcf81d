"""A resource fails in the first run of some valid orders, and succeeds in the second.

Why: Puppet arranges unordered resources by their position in the manifest. If a line moves or a
class is included elsewhere, another valid order applies: a resource that needs a package, a folder,
an account or a file comes before it and fails, the rest of the run creates it, and the next run
succeeds. (Requires `--shuffle N`, which simulates N valid orders, two runs each. The first order
puts resources that need something as early as possible; the others are random.)

Evidence: a simulated run of a valid order that fails, and the simulated run after it. Or, if
nothing fails, a random order in which a resource comes before another one that uses the same thing.

Bad:

```puppet shuffle=20
package { 'ntp': }
service { 'ntp': ensure => running }  # <--
```

```puppet shuffle=2
exec { 'clock': command => '/usr/sbin/ntpdate pool.ntp.org' }  # <--
package { 'ntpdate': }
```

Good:

```puppet shuffle=20
package { 'ntp': }
service { 'ntp':
  ensure  => running,
  require => Package['ntp'],
}
```

Silent:

```puppet shuffle=20
file { '/srv': ensure => directory }
file { '/srv/a': content => 'x', owner => 'www' }
user { 'www': }
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from analyzer.apply.needs import Need, needs_among
from analyzer.linter.puppet.needs.finders import NEEDS
from analyzer.linter.puppet.shared_targets import (
    Pair,
    owner_and_owned,
    package_and_service,
    pairs,
    source_and_copy,
    unit_and_service,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.apply.two_runs import TwoRuns

# Pairs whose second resource fails without the first; for other pairs only the result differs.
FAILING = (*NEEDS, package_and_service, unit_and_service, owner_and_owned, source_and_copy)


@dataclass(slots=True)
class Seen:
    """The results of the orders: failures by pair, and how often each pair was swapped."""

    failed: dict[tuple[int, int], TwoRuns] = field(default_factory=dict)
    swapped: Counter[tuple[int, int]] = field(default_factory=Counter)


@rule(
    "CG401", on=Compiled, severity="warning", default=False, absence="relationships", acyclic=True
)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Run the orders, and report each pair that fails or is swapped."""
    if not compiled.shuffle:
        return
    needs = {(n.bringer, n.needer): n for n in needs_of(compiled)}
    ordered = (p for p in pairs(compiled) if not compiled.ordered(p.first, p.second))
    shared = {key: pair for pair in ordered if (key := numbers(compiled, pair)) is not None}
    if not needs and not shared:
        return
    seen = walk(compiled, list(needs.values()), {*needs, *shared})
    for key in sorted(seen.swapped):
        pair = shared.get(key) or pair_of(compiled, needs[key])
        message = (
            failing(pair, seen.failed[key])
            if key in seen.failed
            else f"{pair.second} comes before {pair.first}, though both use {pair.thing}"
        )
        found = unordered(compiled, pair, message)
        if found:
            times = f"{seen.swapped[key]} of {compiled.shuffle} valid orders put it first"
            yield replace(found, notes=(times, *found.notes))


def walk(compiled: Compiled, needs: list[Need], keys: set[tuple[int, int]]) -> Seen:
    """Simulate the orders, the first with all resources that need something as early as
    possible."""
    # Only this rule needs the engine of runs, and only if it is enabled.
    from analyzer.apply.two_runs import late_bringers, two_runs

    seen, graph = Seen(), compiled.graph
    for turn in range(compiled.shuffle):
        rank = graph.ranks("random", turn) if turn else late_bringers(graph, needs)
        place = {node: at for at, node in enumerate(graph.traverse(rank))}
        seen.swapped.update(key for key in keys if place[key[1]] < place[key[0]])
        for found in two_runs(graph, needs, rank):
            seen.failed.setdefault((found.need.bringer, found.need.needer), found)
    return seen


def failing(pair: Pair, found: TwoRuns) -> str:
    """Return the message about a resource that comes before the one that it needs."""
    then = "the second run succeeds" if found.heals else "the second run fails too"
    return f"{pair.second} fails in a first run without {pair.first}; {then}"


def needs_of(compiled: Compiled) -> Iterator[Need]:
    """Yield the needs between resources that no relationship orders."""
    resources = compiled.graph.resources
    for need in needs_among(resources):
        first, second = resources[need.bringer], resources[need.needer]
        if not need.spares and not compiled.ordered(first, second):
            yield need
    for find in FAILING:
        for pair in find(compiled):
            key = numbers(compiled, pair)
            if key and not compiled.ordered(pair.first, pair.second):
                yield Need(*key, ("thing", pair.thing))


def numbers(compiled: Compiled, pair: Pair) -> tuple[int, int] | None:
    """Return the ids of a pair in the graph."""
    first, second = compiled.number(pair.first), compiled.number(pair.second)
    return None if first is None or second is None else (first, second)


def pair_of(compiled: Compiled, need: Need) -> Pair:
    """Return the pair of a need."""
    resources = compiled.graph.resources
    return Pair(resources[need.bringer], resources[need.needer], " ".join(need.thing))
