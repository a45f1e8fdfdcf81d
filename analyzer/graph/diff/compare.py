"""Two relationship graphs compared."""

from __future__ import annotations

import gc

from analyzer.graph.core import GraphCore
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.diff.effects import refreshed_by
from analyzer.graph.diff.moves import moves
from analyzer.graph.diff.order import Graph, OrderComparison
from analyzer.graph.diff.relationships import Outgoing, edges, only_in
from analyzer.graph.diff.resources import DeclaredResources, changes
from analyzer.graph.diff.values import (
    CatalogDiff,
    CatalogSide,
    ChangeEffect,
    ResourceChange,
    UndecidedParameter,
)
from analyzer.graph.queries import MissingTarget, missing_targets
from analyzer.model.refs import ResourceRef
from analyzer.source import Span


def diff(old: GraphCore, new: GraphCore) -> CatalogDiff:
    """Return the differences between the first catalog and the second.

    The garbage collector is off meanwhile, because it would find nothing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        return compared(old, new)
    finally:
        if enabled:
            gc.enable()


def compared(old: GraphCore, new: GraphCore) -> CatalogDiff:
    """Return the differences between the first catalog and the second."""
    was, now = DeclaredResources(old.kernel), DeclaredResources(new.kernel)
    undecided: list[UndecidedParameter] = []
    changed = tuple(changes(was, now, undecided))
    concerned = concerned_ids(new, was, now, changed)
    order = OrderComparison(
        Graph(old.kernel, old.provenance), Graph(new.kernel, new.provenance), concerned
    )
    gained, lost = order.changes()
    before, after = Outgoing(old.kernel), Outgoing(new.kernel)
    made, kept = cycles(new, old)
    broken, _ = cycles(old, new)
    return CatalogDiff(
        CatalogSide(
            only(now, was),
            edges(new.kernel, new.provenance, only_in(after, before)),
            gained,
            made,
            missing(new, old),
        ),
        CatalogSide(
            only(was, now),
            edges(old.kernel, old.provenance, only_in(before, after)),
            lost,
            broken,
            missing(old, new),
        ),
        changed,
        tuple(undecided),
        effects(new, concerned, order.waiting),
        tuple(moves(old.order(), new.order())) if have_order(old, new) else (),
        kept,
    )


def have_order(*graphs: GraphCore) -> bool:
    """Return whether both have a known order: PuppetDB keeps none, for example."""
    return all(graph.catalog.ordered and not graph.has_cycle for graph in graphs)


def only(
    here: DeclaredResources, there: DeclaredResources
) -> tuple[tuple[ResourceRef, Span | None], ...]:
    """Return the resources that only one of the catalogs has, with their places."""
    found = (r for name, r in here.resources.items() if name not in there.resources)
    return tuple((r.ref, r.span) for r in found)


def missing(graph: GraphCore, other: GraphCore) -> tuple[MissingTarget, ...]:
    """Return the references that find nothing in the first catalog only."""
    here, there = (missing_targets(g.kernel, g.provenance, suggested=0) for g in (graph, other))
    known = set(map(key_of, there))
    return tuple(one for one in here if key_of(one) not in known)


def key_of(one: MissingTarget) -> object:
    """Return the identity of a missing target."""
    return one.declared_by, one.parameter, one.target


def cycles(graph: GraphCore, other: GraphCore) -> tuple[tuple[Cycle, ...], tuple[Cycle, ...]]:
    """Return the cycles of the first graph that are no part of one of the other, and the rest."""
    if not graph.has_cycle:
        return (), ()
    known: dict[ResourceRef, list[set[ResourceRef]]] = {}
    for held in components_of(other):
        for ref in held:
            known.setdefault(ref, []).append(held)

    def is_new(one: Cycle) -> bool:
        members = set(one.members)
        return not any(members <= held for held in known.get(one.members[0], ()))

    found: dict[bool, list[Cycle]] = {True: [], False: []}
    for cycle in graph.cycles():
        found[is_new(cycle)].append(cycle)
    return tuple(found[True]), tuple(found[False])


def components_of(graph: GraphCore) -> list[set[ResourceRef]]:
    """Return the members of each cyclic component."""
    if not graph.has_cycle:
        return []
    ref = graph.provenance.ref
    return [{ref(v) for v in found if v < graph.ends} for found in graph.components()]


def concerned_ids(
    new: GraphCore,
    was: DeclaredResources,
    now: DeclaredResources,
    changed: tuple[ResourceChange, ...],
) -> list[int]:
    """Return the resources that a run would change: the new ones, those with other parameters."""
    kernel = new.kernel
    names = [str(one.ref) for one in changed if one.parameters]
    names += [name for name in now.resources if name not in was.resources]
    ids = (kernel.lookup.by_ref[name] for name in names)
    return sorted(i for i in ids if kernel.completed[i] == i)


def effects(new: GraphCore, ids: list[int], waiting: dict[int, int]) -> tuple[ChangeEffect, ...]:
    """Return the effects of changes of resources."""
    refs = new.provenance.refs
    refreshed = refreshed_by(new.kernel, ids) if ids else {}
    return tuple(
        ChangeEffect(refs[i], tuple(refs[t] for t in refreshed[i]), waiting[i]) for i in ids
    )
