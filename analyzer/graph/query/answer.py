"""A query and its answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from analyzer.graph.query.ast import Query, comparisons
from analyzer.graph.query.edges import OfEdges
from analyzer.graph.query.evaluate import Evaluation, OfResources, QueryMatches
from analyzer.graph.query.parser import parse
from analyzer.graph.query.refusal import refuse
from analyzer.graph.query.world import GraphProperties
from analyzer.model.refs import ResourceRef
from analyzer.model.relationship import Relationship
from analyzer.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.kernel import Kernel
    from analyzer.graph.provenance import Provenance

# Seconds of CPU time for a query with regular expressions: some take exponential time.
MOST_SECONDS = 20
TOO_LONG = (
    f"matching takes longer than {MOST_SECONDS} seconds; write the regular expression without "
    "repetitions of repetitions, or a pattern with * and ?"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The results of a query, in the order of the catalog.

    A query over resources finds `resources`; `places` are those of their declarations (None if
    unknown). A query over edges finds `relationships`, including containments. `undecided` are
    resources that may match, each with the unknown value. `warnings` are about words that match
    nothing in this catalog.
    """

    resources: tuple[ResourceRef, ...] = ()
    places: tuple[Span | None, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    undecided: tuple[tuple[ResourceRef, str], ...] = ()
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.resources) + len(self.relationships)


def answer(kernel: Kernel, provenance: Provenance, text: str, *, absent_ok: bool = False) -> Answer:
    """Answer a query; with `absent_ok`, a resource that the catalog lacks is not an error.

    Raises:
        InputError: it is not well-formed, has an unknown word, or names a resource that is not in
            the catalog; the message has the place.
    """
    query = parse(text)
    with limited_matching(query):
        return answer_parsed(query, GraphProperties(kernel, provenance), absent_ok)


@contextmanager
def limited_matching(query: Query) -> Iterator[None]:
    """End a query whose regular expressions take too long.

    Raises:
        InputError: they do; the place is that of the first one.
    """
    values = [value for one in comparisons(query.where) for value in one.values]
    first = next((value for value in values if value.kind == "regex"), None)
    if first is None:
        yield
        return
    from analyzer.limits import TooMuch, limited

    try:
        with limited(MOST_SECONDS, 0):
            yield
    except TooMuch:
        refuse(query.text, first.column, TOO_LONG, "too-much")


def answer_parsed(query: Query, world: GraphProperties, absent_ok: bool) -> Answer:
    """Answer a query that was parsed."""
    provenance = world.provenance
    if query.over == "edges":
        return of_edges(query, world, absent_ok)
    evaluation = OfResources(query.text, world, absent_ok)
    found = find(evaluation, query)
    refs = provenance.refs
    undecided = [
        (refs[i], evaluation.unknown.get(i, "it depends on unknown resources"))
        for i in sorted(found.perhaps & world.everything)
    ]
    sure = sorted(found.sure & world.everything)
    return Answer(
        tuple(refs[i] for i in sure),
        tuple(world.kernel.resources[i].span for i in sure),
        undecided=tuple(undecided),
        warnings=tuple(evaluation.warnings),
    )


def of_edges(query: Query, world: GraphProperties, absent_ok: bool) -> Answer:
    """Answer a query over edges."""
    evaluation = OfEdges(query.text, world, absent_ok)
    found = find(evaluation, query)
    unknown = evaluation.resources.unknown if found.perhaps else {}
    return Answer(
        relationships=tuple(map(evaluation.edge, sorted(found.sure))),
        undecided=tuple((world.provenance.refs[i], why) for i, why in sorted(unknown.items())),
        warnings=tuple(evaluation.warnings),
    )


def find(evaluation: Evaluation, query: Query) -> QueryMatches:
    """Return the ids of the resources that match a query."""
    if query.where is None:
        return QueryMatches(evaluation.everything, set())
    try:
        return evaluation.find(query.where)
    except RecursionError:
        refuse(query.text, 1, "the query is nested too deeply")
