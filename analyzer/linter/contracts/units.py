"""The class or module that each resource belongs to, and the edges between them.

A resource belongs to the class or define whose body declares it, and a class to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from analyzer.graph.labels import INWARD
from analyzer.linter.contracts.contract import Ignored
from analyzer.linter.contracts.patterns import ClassPattern, Pattern, ReferencePattern, innermost
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.relationship import Relationship
from analyzer.model.resource import Resource

# Classes that Puppet itself creates, which own no code.
NOBODY = frozenset({"main", "settings"})

# Returns the unit that a class name belongs to, or None.
UnitOf = Callable[[str], Hashable | None]


@dataclass(frozen=True, slots=True)
class EdgeSide:
    """An end of an edge: its unit in the contract, and the entries of `ignore` that match it."""

    unit: Hashable | None
    ignored: int


@dataclass(frozen=True, slots=True)
class UnitEdge:
    """An edge between two units, with the relationship that creates it."""

    source: Hashable
    target: Hashable
    relationship: Relationship


def names_of(compiled: Compiled) -> list[str]:
    """Return the class or define that declares each resource, by id, or empty strings."""
    resources, holder = compiled.graph.resources, compiled.container
    return [name_of(resources, holder, i) for i in range(len(resources))]


def name_of(resources: Sequence[Resource], holder: dict[int, int], i: int) -> str:
    """Return the class or define that declares a resource."""
    at: int | None = i if resources[i].type == "Class" else holder.get(i)
    if at is None:
        return ""
    found = resources[at]
    name = found.title.lower() if found.type == "Class" else found.type.lower()
    return "" if name in NOBODY or found.type == "Stage" else name


class EdgeEnds:
    """The sides of all resources of a catalog, by id, as sources and as targets of edges.

    `used` collects the entries of `ignore` that accepted an edge, and `named` those with both sides
    in the catalog, as bits. `names` are the classes and defines that contain resources.
    """

    def __init__(
        self,
        compiled: Compiled,
        source_of: UnitOf,
        target_of: UnitOf,
        ignore: Sequence[Ignored],
    ) -> None:
        self.compiled = compiled
        names = names_of(compiled)
        self.names = {*names} - {""}
        sources = entries_at(compiled, names, [entry.source for entry in ignore])
        targets = entries_at(compiled, names, [entry.target for entry in ignore])
        self.sources = sides(names, source_of, sources)
        self.targets = sides(names, target_of, targets)
        self.named = any_bit(sources) & any_bit(targets)
        self.used = 0

    def accepts(self, source: EdgeSide, target: EdgeSide) -> bool:
        """Return whether an entry of `ignore` accepts an edge."""
        both = source.ignored & target.ignored
        self.used |= both
        return both != 0

    def edges(self, breaks: Callable[[object, object], bool]) -> Iterator[UnitEdge]:
        """Yield an edge for each statement and pair of units that break the contract.

        If many resources share a list, as with chained collectors, each pair of units is checked
        only once.
        """
        provenance = self.compiled.graph.provenance
        groups: dict[tuple[int, bool], dict[EdgeSide, tuple[int, int]]] = {}
        done: set[tuple[int, int, EdgeSide]] = set()
        for i, label, ids in self.compiled.graph.declared:
            inward = label in INWARD
            here = (self.targets if inward else self.sources)[i]
            if here.unit is None or (id(ids), label, here) in done:
                continue
            done.add((id(ids), label, here))
            if (id(ids), inward) not in groups:
                groups[id(ids), inward] = grouped(self.sources if inward else self.targets, ids)
            for there, (position, other) in groups[id(ids), inward].items():
                source, target = (there, here) if inward else (here, there)
                if there.unit is None or not breaks(source.unit, target.unit):
                    continue
                if not self.accepts(source, target):
                    made = provenance.declared(i, label, position, other)
                    if not made.origin.automatic:
                        yield UnitEdge(source.unit, target.unit, made)


def grouped(sides: Sequence[EdgeSide], ids: Sequence[int]) -> dict[EdgeSide, tuple[int, int]]:
    """Return the first resource for each side, with its place and id."""
    found: dict[EdgeSide, tuple[int, int]] = {}
    for position, other in enumerate(ids):
        found.setdefault(sides[other], (position, other))
    return found


def sides(names: Sequence[str], unit_of: UnitOf, entries: Sequence[int]) -> list[EdgeSide]:
    """Return the side of each resource."""
    units = {name: unit_of(name) if name else None for name in set(names)}
    return [EdgeSide(units[name], bits) for name, bits in zip(names, entries, strict=True)]


def entries_at(compiled: Compiled, names: Sequence[str], patterns: Sequence[Pattern]) -> list[int]:
    """Return the patterns that each resource matches, by its class or reference, as bits."""
    classes = [(1 << n, [p]) for n, p in enumerate(patterns) if isinstance(p, ClassPattern)]
    known = {name: sum(bit for bit, one in classes if innermost(one, name)) for name in set(names)}
    found = [known[name] for name in names]
    for n, pattern in enumerate(patterns):
        if isinstance(pattern, ReferencePattern):
            for i, resource in enumerate(compiled.graph.resources):
                if pattern.matches(resource):
                    found[i] |= 1 << n
    return found


def any_bit(bits: Sequence[int]) -> int:
    """Return the bits that are set in any of the numbers."""
    found = 0
    for one in set(bits):
        found |= one
    return found
