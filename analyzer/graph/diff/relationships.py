"""Compares relationships, by their ends and kind."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.graph.diff.values import Edges, Refs
from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import INWARD
from analyzer.graph.provenance import Provenance, kind_of
from analyzer.model.relationship import Kind, Relationship

# The source of relationships and their kind.
Key = tuple[str, Kind]
Names = frozenset[str]


class Outgoing:
    """The targets of a graph's relationships, by source and kind.

    `plain` are the targets of those that stand alone. `lists` are the junctions' targets: one set
    for all sources of it.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.plain: dict[Key, set[str]] = {}
        self.lists: dict[Key, list[Names]] = {}
        names = [str(resource) for resource in kernel.resources]
        # The first of several equal declarations counts; Puppet refuses them.
        first = [kernel.lookup.by_ref.get(name) == i for i, name in enumerate(names)]
        for s, t, label in pairs(kernel):
            if first[s] and first[t]:
                self.plain.setdefault((names[s], kind_of(label)), set()).add(names[t])
        for label, members, targets in kernel.junctions:
            sources, sinks = (targets, members) if label in INWARD else (members, targets)
            found = frozenset(names[t] for t in sinks if first[t])
            for s in dict.fromkeys(sources):
                if first[s]:
                    self.lists.setdefault((names[s], kind_of(label)), []).append(found)

    def __iter__(self) -> Iterator[Key]:
        """Yield each source and kind once."""
        yield from self.plain
        yield from (key for key in self.lists if key not in self.plain)


def pairs(kernel: Kernel) -> Iterator[tuple[int, int, int]]:
    """Yield source, target and label of the relationships that stand alone."""
    joined = {id(targets) for _, _, targets in kernel.junctions}
    for i, label, ids in kernel.declared:
        if id(ids) not in joined:
            for other in ids:
                yield (other, i, label) if label in INWARD else (i, other, label)
    for s, t, label, _ in kernel.automatic:
        yield s, t, label


def only_in(here: Outgoing, there: Outgoing) -> Iterator[tuple[list[str], Names, Kind]]:
    """Yield sources, targets and kind of the relationships that only this graph has.

    Lists that many sources share are compared once.
    """
    known: dict[tuple[Names, ...], Names] = {}
    groups: dict[tuple[Names, Kind], list[str]] = {}
    for key in here:
        name, kind = key
        others = there.lists.get(key, [])
        alone = there.plain.get(key, set())
        for target in sorted(here.plain.get(key, ())):
            if target not in alone and not any(target in one for one in others):
                yield [name], frozenset((target,)), kind
        own = here.plain.get(key, set())
        lists = here.lists.get(key, ())
        for number, listed in enumerate(lists):
            # An earlier list has these already.
            elsewhere = (*others, *lists[:number])
            rest = known.get((listed, *elsewhere))
            if rest is None:
                rest = known[listed, *elsewhere] = listed.difference(*elsewhere)
            rest = rest if rest.isdisjoint(alone | own) else rest - alone - own
            if rest:
                groups.setdefault((rest, kind), []).append(name)
    for (targets, kind), sources in groups.items():
        yield sources, targets, kind


def edges(
    kernel: Kernel, provenance: Provenance, found: Iterator[tuple[list[str], Names, Kind]]
) -> tuple[Edges, ...]:
    """Return the relationships with their statements, in the order of the catalog."""
    by_ref = kernel.lookup.by_ref
    rows = [(sorted(by_ref[s] for s in sources), targets, kind) for sources, targets, kind in found]
    placed = [(ids, sorted(by_ref[t] for t in targets), kind) for ids, targets, kind in rows]
    placed.sort()
    made = []
    for sources, targets, kind in placed:
        example = example_of(kernel, provenance, sources[0], targets[0], kind)
        made.append(Edges(named(provenance, sources), named(provenance, targets), example))
    return tuple(made)


def named(provenance: Provenance, ids: list[int]) -> Refs:
    """Return the references of ids."""
    return tuple(provenance.refs[i] for i in ids)


def example_of(
    kernel: Kernel, provenance: Provenance, source: int, target: int, kind: Kind
) -> Relationship:
    """Return a relationship of this kind between two resources."""
    between = provenance.between(kernel.completed[source], target)
    return next(one for one in between if one.kind == kind)
