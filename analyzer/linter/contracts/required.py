"""The contract that each resource or class of one kind comes after one of another kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.diagnostics import Severity
from analyzer.linter.contracts.contract import Contract
from analyzer.linter.contracts.ignored import stale, unmatched
from analyzer.linter.contracts.patterns import ClassPattern, Pattern
from analyzer.linter.contracts.units import names_of
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem
from analyzer.linter.run import UNSURE
from analyzer.model.resource import Resource
from analyzer.source import Span


def check(contract: Contract, compiled: Compiled) -> Iterator[Problem]:
    """Yield the resources that break the contract, and entries and names without a match."""
    ends = matching(compiled, contract.others)
    if compiled.cyclic or (compiled.partial and not ends):
        # In a cycle every member is before every other; a class by itself may lack what a node has.
        return
    there = reached(compiled, ends, contract.events)
    entries = [{*matching(compiled, (entry.source,))} for entry in contract.ignore]
    used = 0
    for i in matching(compiled, contract.patterns):
        if i in there or i in ends:
            continue
        accepted = sum(1 << n for n, found in enumerate(entries) if i in found)
        used |= accepted
        if not accepted:
            yield lacking(contract, compiled, i, ends)
    named = sum(1 << n for n, found in enumerate(entries) if found)
    yield from stale(contract.ignore, used, named, compiled)
    yield from unmatched(contract, {*names_of(compiled)}, compiled)


def matching(compiled: Compiled, patterns: Sequence[Pattern]) -> list[int]:
    """Return the ids of the classes and resources that match any of the patterns."""
    own = range(len(compiled.graph.catalog.resources))
    return [i for i in own if any(matches(compiled, i, pattern) for pattern in patterns)]


def matches(compiled: Compiled, i: int, pattern: Pattern) -> bool:
    """Return whether a resource matches a pattern; a name is that of a class."""
    resource = compiled.graph.resources[i]
    if isinstance(pattern, ClassPattern):
        return resource.type == "Class" and pattern.matches(resource.title.lower().split("::"))
    return pattern.matches(resource)


def reached(compiled: Compiled, ids: Sequence[int], events: bool) -> set[int]:
    """Return the nodes that come after any of the resources, or that their events reach."""
    graph = compiled.graph
    starts = [graph.completed[i] for i in ids]
    if not events:
        return compiled.after(starts)
    found: set[int] = set()
    pending = starts
    while pending:
        for t in compiled.events[pending.pop()]:
            if t not in found:
                found.add(t)
                role, i = graph.end_of(t)
                # A resource that cannot refresh passes no event on.
                if role != "resource" or graph.resources[i].type in graph.refreshable:
                    pending.append(t)
    return found


def place_of(contract: Contract, compiled: Compiled, resource: Resource) -> Span:
    """Return the place where a resource or class is declared, or else that of the contract."""
    ref = str(resource)
    uses = (use.span for use in compiled.record.class_uses if use.name == ref)
    return resource.span or next(uses, contract.span)


def lacking(contract: Contract, compiled: Compiled, i: int, ends: Sequence[int]) -> Problem:
    """Return the problem of a resource that breaks the contract."""
    resource = compiled.graph.resources[i]
    wanted = " or ".join(pattern.text for pattern in contract.others)
    does = "is not notified by" if contract.events else "is not after"
    there = [str(compiled.graph.resources[end]) for end in ends[:3]]
    why = f"in the catalog: {', '.join(there)}" if there else f"the catalog has no {wanted}"
    message = f"{contract.name}: {resource} {does} {wanted}"
    notes = (why,) if compiled.complete else (why, UNSURE)
    severity: Severity | None = None if compiled.complete else "note"
    return Problem(
        message,
        place_of(contract, compiled, resource),
        (str(resource),),
        (),
        notes,
        severity=severity,
    )
