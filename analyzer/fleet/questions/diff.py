"""The effects of a change on every node: resources, parameters, order, events, cycles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import ClassVar

from analyzer.diagnostics import Severity
from analyzer.export.redact import HIDDEN, data, text_of
from analyzer.fleet.fold import fold, place
from analyzer.fleet.questions.cycles import occurrences_of
from analyzer.fleet.questions.graphs import PLAIN, Graphs
from analyzer.fleet.questions.statements import statement_at, statement_of, unknown_of
from analyzer.fleet.sources.changes import cannot_notice, is_sampled
from analyzer.fleet.sources.repo import Repo
from analyzer.fleet.values import (
    AnswerOfCatalog,
    CatalogSource,
    CauseStatement,
    IndexedNode,
    Occurrence,
)
from analyzer.frontends.puppetdb_exports import REASON as DOUBTFUL
from analyzer.graph.diff.values import CatalogDiff, CatalogSide, ParameterChange, ResourceChange
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.resource import REDACTED
from analyzer.model.secrets import is_secret
from analyzer.source import Span

# Characters of a value that is shown.
LONG = 60

# Parameters that the way into PuppetDB adds, and those whose values it sorts.
ADDED, SORTED = "alias", frozenset({"audit", "check", "tag"})

SEVERITY: Severity = "warning"


@dataclass(frozen=True, slots=True)
class Diff:
    """The question of `catgraph fleet diff`: the catalog of a source against that of `other`.

    `state` is the hash of the other side. `other_is_old` tells which side the change leads from.
    `own` is the source, and `changed` its manifests that differ, if nothing else does: a node whose
    compile looks for none of them is not compiled on the other side.
    """

    by_content: ClassVar[bool] = False

    other: CatalogSource = field(hash=False)
    state: str = ""
    other_is_old: bool = True
    graphs: Graphs = PLAIN
    own: Repo | None = field(default=None, hash=False)
    changed: frozenset[str] | None = None

    @property
    def key(self) -> str:
        """Return the name with the state of the other side."""
        return f"diff {self.other_is_old} {self.state} {self.graphs.state}"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the differences of one node, each as an answer of its own.

        Raises:
            Exception: the other side has no catalog; the error says why.
        """
        same = self.is_untouched(name)
        new = self.graphs.of(catalog)
        if same and not is_sampled(name):
            return AnswerOfCatalog((), unknown_of(new))
        ((_, other),) = self.other.fetch((IndexedNode(name, ""),))
        if isinstance(other, Exception):
            raise other
        old = self.graphs.of(other)
        if not self.other_is_old:
            old, new = new, old
        found = old.diff(new)
        cycles = gained(found, new, name)
        unique = {one.key: one for one in differences(found, old, new, name)}
        made = (Occurrence("diff", SEVERITY, (one,), one.names[:2]) for one in unique.values())
        unknown = dict.fromkeys((*unknown_of(old), *unknown_of(new)))
        answer = AnswerOfCatalog((*cycles, *made), tuple(unknown))
        if same and answer.occurrences:
            raise RuntimeError("the catalog differs although it uses no changed file")
        return answer

    def is_untouched(self, name: str) -> bool:
        """Return whether the change cannot reach the node that was compiled last."""
        if self.own is None or self.changed is None:
            return False
        return cannot_notice(self.own, name, self.changed)


def gained(found: CatalogDiff, new: RelationshipGraph, name: str) -> list[Occurrence]:
    """Return the cycles and missing resources that only the new catalog has.

    They are known by their resources: the places of statements change with any line above them, and
    a catalog that was not compiled here has fewer of them.
    """
    cycles = {frozenset(one.members) for one in found.gained.cycles}
    components = new.components() if cycles else []
    ref = new.provenance.ref
    fresh = [c for c in components if frozenset(ref(v) for v in c if v < new.ends) in cycles]
    return occurrences_of(new, found.gained.missing, fresh, name)


def differences(
    found: CatalogDiff, old: RelationshipGraph, new: RelationshipGraph, name: str
) -> Iterator[CauseStatement]:
    """Yield a statement for each difference."""
    yield from of_side(found.gained, new, name, "added", "gained", doubtful_of(old))
    yield from of_side(found.lost, old, name, "removed", "lost", doubtful_of(new))
    stored = not (old.catalog.ordered and new.catalog.ordered)
    # What differs in form only has no effects either.
    same = set()
    for one in found.changed:
        made = [*of_resource(one, new.catalog, name, stored=stored)]
        yield from made
        if not made:
            same.add(one.ref)
    effects = [effect for effect in found.effects if effect.ref not in same]
    yield from of_run(replace(found, effects=tuple(effects)), new, name, stored=stored)


def of_side(
    side: CatalogSide,
    graph: RelationshipGraph,
    name: str,
    resource: str,
    order: str,
    doubtful: set[str],
) -> Iterator[CauseStatement]:
    """Yield what only one side has, but `doubtful` resources: the other may have them too."""
    catalog = graph.catalog
    for ref, span in side.resources:
        if str(ref) in doubtful:
            continue
        yield statement_at(catalog, span, f"{place(0)} is {resource}", (str(ref),), name)
    for edges in side.relationships:
        made = statement_of(graph, edges.example, name)
        phrase = f"relationship {order}: {made.phrase}"
        yield CauseStatement(made.file, made.line, phrase, made.names, made.relative)
    for cycle in side.cycles if order == "lost" else ():
        phrase = f"the dependency cycle of {place(0)} is gone"
        yield statement_at(catalog, None, phrase, (str(cycle.members[0]),), name)
    for pairs in side.order.pairs:
        phrase = f"order {order}: {listed(0, pairs.first)} before {listed(1, pairs.second)}"
        ends = str(pairs.first[0]), str(pairs.second[0])
        yield statement_at(catalog, None, phrase, ends, name)


def doubtful_of(graph: RelationshipGraph) -> set[str]:
    """Return the exports that a catalog of PuppetDB may have, and that were left out."""
    return {gap.name for gap in graph.catalog.gaps if gap.reason == DOUBTFUL}


def is_form(one: ParameterChange) -> bool:
    """Return whether a change may come from PuppetDB alone; sensitive values are not kept there."""
    if one.name == ADDED or (REDACTED in (one.old, one.new) and None in (one.old, one.new)):
        return True
    lists = isinstance(one.old, list) and isinstance(one.new, list)
    return one.name in SORTED and lists and sorted_texts(one.old) == sorted_texts(one.new)


def listed(number: int, refs: tuple[object, ...]) -> str:
    """Return the place of the first of some references, and the number of the others."""
    return place(number) + (f" and {len(refs) - 1} more" if len(refs) > 1 else "")


def of_resource(
    change: ResourceChange, catalog: Catalog, name: str, *, stored: bool
) -> Iterator[CauseStatement]:
    """Yield the changes of one resource; `stored`: not those that PuppetDB's form makes."""
    for one in change.parameters:
        if stored and is_form(one):
            continue
        phrase = f"{place(0)}: {parameter(one, name)}"
        yield statement_at(catalog, change.new or change.old, phrase, (str(change.ref),), name)
    moves = [*((ref, "enters") for ref in change.entered), *((r, "leaves") for r in change.left)]
    for ref, word in moves:
        ends = str(change.ref), str(ref)
        yield statement_at(catalog, change.new, f"{place(0)} {word} {place(1)}", ends, name)
    if change.exported is not None and not stored:
        word = "is now exported" if change.exported else "is no longer exported"
        yield statement_at(catalog, change.new, f"{place(0)} {word}", (str(change.ref),), name)


def of_run(
    found: CatalogDiff, new: RelationshipGraph, name: str, *, stored: bool
) -> Iterator[CauseStatement]:
    """Yield the events that would come, and places in the order that declarations alone change."""
    catalog = new.catalog
    for effect in found.effects:
        for ref in effect.refreshed:
            ends = str(effect.ref), str(ref)
            phrase = f"event: the change of {place(0)} refreshes {place(1)}"
            yield statement_at(catalog, span_of(new, ends[0]), phrase, ends, name)
    for ref, before in () if stored else found.moved:
        ends = str(ref), str(before or "the start")
        yield statement_at(catalog, None, f"{place(0)} moves after {place(1)}", ends, name)


def span_of(graph: RelationshipGraph, ref: str) -> Span | None:
    """Return where a resource is declared."""
    i = graph.id_exactly(ref)
    return None if i is None else graph.resources[i].span


def parameter(change: ParameterChange, name: str) -> str:
    """Return a change of a parameter in words; secrets are hidden."""
    old, new = change.old, change.new
    if is_secret(change.name) or REDACTED in (old, new):
        return f"{change.name} changes ({HIDDEN})"
    if isinstance(old, list) and isinstance(new, list) and sorted_texts(old) == sorted_texts(new):
        return f"{change.name} has the same values in another order"
    if old is None or new is None:
        word = "is set to" if old is None else "is no longer"
        return f"{change.name} {word} {value(new if old is None else old, name)}"
    return f"{change.name} {value(old, name)} -> {value(new, name)}"


def sorted_texts(values: list[object]) -> list[str]:
    """Return the values of a list in an order of their own."""
    return sorted(map(repr, values))


def value(found: object, name: str) -> str:
    """Return a value in few characters; a long one with a hash, so that others differ from it."""
    text = fold(text_of(data(found)), name)
    if len(text) <= LONG and "\n" not in text:
        return text
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{text[:LONG].partition(chr(10))[0]}... ({len(text):,} characters, {digest})"
