"""Compares the answers of the real tool with ours: the catalog or refusal, and the graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from os import getcwd
from os.path import abspath

from analyzer.compiles.result import CompileResult
from analyzer.diagnostics import INTERNAL, CompileError
from analyzer.export.catalog_json import row
from analyzer.frontends.puppet.compiler.definitions.native import VENDORED
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.certnames import certname_of
from analyzer.model.completeness import Gap, hiding
from analyzer.model.documents import JsonObject
from analyzer.model.unknowns import find_unknown
from analyzer.pattern import pattern
from analyzer.session.verify.documents import Parts, VerifyDifference, differences
from analyzer.session.verify.graphs import graph_differences, graph_in
from analyzer.session.verify.refusals import is_alike, nameless, words

GraphOf = Callable[[Catalog], RelationshipGraph]

EQUAL, ALIKE, DIFFERS, INCOMPLETE = "equal", "refused alike", "differs", "incomplete"
A_CATALOG = "a catalog"
# The stage of an answer that is a catalog and no more.
CATALOG_ONLY = "catalog only"

DEPENDENCY = pattern(r"Could not find depend(?:ency|ent) (?s:.)*\Z")
NO_TYPE = pattern(r"(?:Unknown resource type: '|Resource type not found: )(\w+)")
# A gem that the machine has not.
LIBRARY = pattern(r"only supported when the \S+ library is present|cannot load such file -- ")
# The most causes for which a node cannot be compared.
MOST_LACKS = 3


@dataclass(frozen=True, slots=True)
class NodeComparison:
    """The comparison of a node: its status, the differences, and what keeps us from comparing.

    `ours` and `theirs` are the refusals of both, with their places.
    """

    status: str
    differences: tuple[VerifyDifference, ...] = ()
    lacks: tuple[str, ...] = ()
    ours: str = ""
    theirs: str = ""

    @property
    def causes(self) -> dict[str, VerifyDifference]:
        """Return the first difference of each cause."""
        first: dict[str, VerifyDifference] = {}
        for one in self.differences:
            first.setdefault(one.kind, one)
        return first


@dataclass(slots=True)
class Sides:
    """Both results of a node; `places`: files and lines count; `ordered`: orders do."""

    result: CompileResult
    answer: JsonObject
    graph_of: GraphOf
    places: bool = True
    ordered: bool = True
    lacks: list[str] = field(default_factory=list)

    def messages(self, error: CompileError) -> Iterator[str]:
        """Yield the messages of our refusal, with the name that the certificate has."""
        node = self.result.target.node
        for one in (error, *error.others):
            # What follows is our own about the exchange with other nodes.
            first = one.message.partition(f"; {node}: ")[0]
            yield re.sub(rf"(?<= for ){re.escape(node)}\Z", certname_of(node), first)


def compare(sides: Sides) -> NodeComparison:
    """Return the comparison of a node."""
    found = tuple(all_differences(sides))
    ours, theirs = refusal_of(sides.result.error), place_and_words(sides.answer)
    refused = sides.result.error is not None and not sides.answer.get("catalog")
    lacks = tuple(dict.fromkeys(sides.lacks))[:MOST_LACKS]
    status = DIFFERS if found else INCOMPLETE if lacks else ALIKE if refused else EQUAL
    return NodeComparison(status, found, lacks, ours, theirs)


def all_differences(sides: Sides) -> Iterator[VerifyDifference]:
    """Yield the differences of a node; what cannot be compared is added to `lacks`."""
    error, answer, catalog = sides.result.error, sides.answer, sides.result.catalog
    if "catalog" not in answer and answer["stage"] in ("timeout", "crash"):
        sides.lacks.append(f"the real tool gave no catalog: {answer['error']}")
        return
    if lacking := lacks_of_tool(answer):
        sides.lacks.append(lacking)
        return
    if error is not None:
        yield from of_our_refusal(error, sides)
        return
    assert catalog is not None
    gaps = hiding(catalog.gaps)
    sides.lacks += reasons(gaps)
    if "catalog" not in answer:
        if not gaps:
            said = words(answer["error"])
            kind = f"accepted: {nameless(said)}"
            yield VerifyDifference(kind, A_CATALOG, said, place_of_answer(answer))
        return
    document = document_of(catalog, places=sides.places)
    only = Parts(complete=not gaps, places=sides.places, ordered=sides.ordered)
    found = [
        replace(one, place=near(one.place))
        for one in differences(document, answer["catalog"], only)
    ]
    yield from found
    if not found:
        yield from of_graphs(catalog, sides)
        sides.lacks += [f"a value: {reason}" for reason in unknown_reasons(catalog)]


def lacks_of_tool(answer: JsonObject) -> str:
    """Return the part that the real tool lacks here to compile a node, empty if it has all."""
    if "catalog" in answer:
        return ""
    said = words(answer["error"])
    kind = NO_TYPE.search(said)
    if kind and kind[1].lower() in VENDORED:
        return f"the type {kind[1].lower()}, which the real tool does not have here: {said}"
    return (
        f"a library that the real tool does not have here: {said}" if LIBRARY.search(said) else ""
    )


def of_our_refusal(error: CompileError, sides: Sides) -> Iterator[VerifyDifference]:
    """Yield the difference of a node that we refuse."""
    place = str(error.span) if error.span.line else ""
    theirs = sides.answer.get("catalog")
    said = A_CATALOG if theirs else words(sides.answer["error"])
    if error.code == INTERNAL:
        yield VerifyDifference(
            f"our code fails: {nameless(error.message)}", error.message, said, place
        )
    elif theirs:
        yield VerifyDifference(f"refused: {nameless(error.message)}", error.message, said, place)
    elif not any(is_alike(words(ours), said) for ours in sides.messages(error)):
        kind = f"refused in other words: {nameless(error.message)}: {nameless(said)}"
        yield VerifyDifference(kind, error.message, said, place)


def of_graphs(catalog: Catalog, sides: Sides) -> Iterator[VerifyDifference]:
    """Yield the differences of the graphs of equal catalogs."""
    graph, answer = sides.graph_of(catalog), sides.answer
    gaps = [gap for gap in hiding(graph.gaps) if gap not in catalog.gaps]
    sides.lacks += reasons(gaps)
    if gaps or hiding(catalog.gaps) or answer["stage"] == CATALOG_ONLY:
        return
    if answer["stage"] != "done":
        yield from of_refused_graph(graph, sides)
        return
    # What follows from the first one would be told again and again.
    for one in graph_differences(graph_in(answer), graph)[:1]:
        sides_of = (" ".join(side) if side else "nothing" for side in (one.actual, one.expected))
        yield VerifyDifference(f"graph: {one.kind}", *sides_of)


def of_refused_graph(graph: RelationshipGraph, sides: Sides) -> Iterator[VerifyDifference]:
    """Yield the difference of a catalog of which the real tool makes no graph."""
    said = words(sides.answer["error"])
    refused = DEPENDENCY.search(said)
    ours = next((one.message for one in graph.missing()), "nothing is missing")
    if refused is None:
        sides.lacks.append(f"the order: the real tool makes no graph of its catalog: {said}")
    elif refused[0] != ours:
        yield VerifyDifference("graph: missing", ours, refused[0])


def document_of(catalog: Catalog, *, places: bool) -> JsonObject:
    """Return our catalog as a document, with Unknown values; files as the real tool names them."""
    rows = [row(resource) for resource in catalog.resources]
    for one in rows if places else ():
        if one.get("file"):
            one["file"] = abspath(str(one["file"]))
    return {
        "resources": rows,
        "edges": [{"source": s, "target": t} for s, t in catalog.containment],
        "classes": catalog.classes,
    }


def reasons(gaps: Iterable[Gap]) -> list[str]:
    """Return why gaps are there, with what helps."""
    return [f"{gap.name}: {gap.reason}{f' (try {gap.hint})' if gap.hint else ''}" for gap in gaps]


def unknown_reasons(catalog: Catalog) -> Iterator[str]:
    """Yield why values of parameters are Unknown."""
    for resource in catalog.resources:
        unknown = find_unknown(tuple(resource.parameters.values()))
        if unknown is not None:
            yield unknown.reason


def refusal_of(error: CompileError | None) -> str:
    """Return our refusal with its place."""
    return "" if error is None else f"{error.span}: {error.message}"


def place_of_answer(answer: JsonObject) -> str:
    """Return the place that the real tool gives for its refusal, empty if it gives none."""
    line = answer.get("line")
    return near(f"{answer.get('file') or ''}:{line}") if line else ""


def near(place: str) -> str:
    """Return a place relative to the working folder, if it is below it."""
    return place.removeprefix(f"{getcwd()}/")


def place_and_words(answer: JsonObject) -> str:
    """Return the refusal of the real tool with its place."""
    if "error" not in answer or "catalog" in answer:
        return ""
    where = place_of_answer(answer)
    return f"{where}: {words(answer['error'])}" if where else words(answer["error"])
