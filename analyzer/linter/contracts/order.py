"""Contracts about edges between classes or modules: layers, independence, forbidden, acyclic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from analyzer.diagnostics import Step
from analyzer.graph.algorithms.components import components
from analyzer.graph.algorithms.walks import Walker
from analyzer.graph.findings import step as step_of
from analyzer.graph.phrases import sentence
from analyzer.linter.contracts.chains import TooLargeError, chains
from analyzer.linter.contracts.contract import Contract
from analyzer.linter.contracts.ignored import stale, unmatched
from analyzer.linter.contracts.patterns import ClassPattern, innermost
from analyzer.linter.contracts.units import EdgeEnds, UnitEdge, UnitOf
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem
from analyzer.model.relationship import Relationship

# The most steps of a chain or a cycle that a finding shows.
SHOWN = 20

TOO_LARGE = "the contract cannot be checked: the catalog has too many units and relationships"


@dataclass(frozen=True, slots=True)
class LayerUnit:
    """A unit of a contract about layers: its level, its place among siblings, and its pattern."""

    level: int
    sibling: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class ContractKind:
    """A type of contract: the units of both ends of an edge, and the pairs that break it."""

    units: Callable[[Contract], tuple[UnitOf, UnitOf]]
    breaks: Callable[[Any, Any], bool]


def named_units(contract: Contract) -> tuple[UnitOf, UnitOf]:
    """Return functions from a name to its unit: the namespace that a pattern matches."""
    found = unit_in(contract.patterns)
    return found, found


def forbidden_units(contract: Contract) -> tuple[UnitOf, UnitOf]:
    """Return functions from a name to its unit, for sources and for targets."""
    return unit_in(contract.patterns), unit_in(contract.others)


def unit_in(patterns: object) -> UnitOf:
    """Return the function from a name to its namespace that a pattern matches."""
    names = cast("tuple[ClassPattern, ...]", patterns)

    def find(name: str) -> str | None:
        found = innermost(names, name)
        return None if found is None else found[1]

    return find


def layer_units(contract: Contract) -> tuple[UnitOf, UnitOf]:
    """Return functions from a name to its layer."""
    rows = [
        (LayerUnit(level, number, one.text), one)
        for level, siblings in enumerate(contract.layers)
        for number, one in enumerate(siblings)
    ]
    names = [one for _, one in rows]

    def find(name: str) -> LayerUnit | None:
        found = innermost(names, name)
        return None if found is None else rows[found[0]][0]

    return find, find


def upwards(source: LayerUnit, target: LayerUnit) -> bool:
    """Return whether an edge leads to an earlier layer, or to a sibling."""
    if source.level != target.level:
        return source.level > target.level
    return source.sibling != target.sibling


def differ(source: object, target: object) -> bool:
    """Return whether an edge leads to another unit."""
    return target is not None and source != target


KINDS = {
    "layers": ContractKind(layer_units, upwards),
    "independence": ContractKind(named_units, differ),
    "forbidden": ContractKind(forbidden_units, differ),
    "acyclic": ContractKind(named_units, differ),
}


def check(contract: Contract, compiled: Compiled) -> Iterator[Problem]:
    """Yield the violations of a contract in a catalog, and entries and names without a match."""
    kind = KINDS[contract.type]
    ends = EdgeEnds(compiled, *kind.units(contract), contract.ignore)
    if contract.type == "acyclic":
        yield from cycles(contract, ends)
    elif contract.allow_indirect:
        yield from direct(contract, ends)
    elif not compiled.cyclic:
        yield from indirect(contract, ends)
    yield from stale(contract.ignore, ends.used, ends.named, compiled)
    yield from unmatched(contract, ends.names, compiled)


def direct(contract: Contract, ends: EdgeEnds) -> Iterator[Problem]:
    """Yield the relationships between two units, one for each statement."""
    done = set()
    for edge in ends.edges(KINDS[contract.type].breaks):
        made = edge.relationship
        # Statements in catalogs that were compiled elsewhere have lines, but no columns.
        cause = edge.source, edge.target, made.origin.span or str(made)
        if cause not in done:
            done.add(cause)
            yield broken(contract, edge.source, edge.target, made, (step(made),))


def indirect(contract: Contract, ends: EdgeEnds) -> Iterator[Problem]:
    """Yield an indirect order for each pair of units."""
    try:
        for chain in chains(ends, KINDS[contract.type].breaks):
            hops = [hop for hop in chain.hops if hop.relationships]
            first = next((r for hop in hops for r in hop.relationships if r.origin.span), None)
            steps = (*map(step_of, hops[:SHOWN]), *more(len(hops)))
            made = first or hops[0].relationships[0]
            yield broken(contract, chain.source, chain.target, made, steps)
    except TooLargeError:
        yield Problem(f"{contract.name}: {TOO_LARGE}", contract.span)


def more(count: int) -> Iterator[Step]:
    """Yield a step with the number of relationships that are not shown."""
    if count > SHOWN:
        yield Step(f"{count - SHOWN:,} more relationships")


def broken(
    contract: Contract, source: object, target: object, made: Relationship, steps: tuple[Step, ...]
) -> Problem:
    """Return the problem of an edge or a chain that breaks a contract."""
    says = reason(contract, source, target)
    message = f"{contract.name}: {source} is applied before {target}, {says}"
    refs = (str(made.source), str(made.target))
    return Problem(message, made.origin.span, refs, steps)


def reason(contract: Contract, source: object, target: object) -> str:
    """Return why an edge breaks a contract."""
    if contract.type == "forbidden":
        return "which is forbidden"
    if (
        isinstance(source, LayerUnit)
        and isinstance(target, LayerUnit)
        and source.level != target.level
    ):
        return "but is in a later layer"
    return "but they must be independent"


def step(made: Relationship) -> Step:
    """Return one relationship as a step."""
    refs = (str(made.source), str(made.target))
    return Step(f"{' => '.join(refs)}: {sentence(made)}", made.origin.span, refs)


def cycles(contract: Contract, ends: EdgeEnds) -> Iterator[Problem]:
    """Yield a shortest cycle for each set of units that order each other."""
    edges: dict[tuple[str, str], UnitEdge] = {}
    for edge in ends.edges(differ):
        edges.setdefault((str(edge.source), str(edge.target)), edge)
    names = sorted({name for pair in edges for name in pair})
    ids = {name: i for i, name in enumerate(names)}
    succ: list[list[int]] = [[] for _ in names]
    for source, target in edges:
        succ[ids[source]].append(ids[target])
    for found in components(succ):
        inside = set(found)
        path, _ = Walker(succ, len(names), inside.__contains__).shortest_cycle(sorted(inside))
        units = [names[i] for i in path]
        others = [names[i] for i in sorted(inside - {*path})]
        yield circle(contract, [edges[pair] for pair in pairwise(units)], others)


def circle(contract: Contract, edges: list[UnitEdge], others: list[str]) -> Problem:
    """Return the problem of a cycle of units."""
    units = " -> ".join(str(edge.source) for edge in [*edges[:SHOWN], edges[0]])
    made = edges[0].relationship
    refs = tuple(dict.fromkeys(ref for edge in edges for ref in ends_of(edge.relationship)))
    notes = (f"also in this cycle: {', '.join(others[:SHOWN])}",) if others else ()
    steps = (*(step(edge.relationship) for edge in edges[:SHOWN]), *more(len(edges)))
    message = f"{contract.name}: {units} order each other in a cycle"
    return Problem(message, made.origin.span, refs[:SHOWN], steps, notes)


def ends_of(made: Relationship) -> tuple[str, str]:
    """Return the references at both ends of a relationship."""
    return str(made.source), str(made.target)
