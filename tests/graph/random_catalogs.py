"""Random catalogs as documents: relationships, containers, automatic edges, long equal lists."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import networkx as nx
from hypothesis import strategies as st

from analyzer.graph.kernel import Kernel
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.relationship import Relationship
from analyzer.session.inputs import graph_of, load_catalog

Document = dict[str, Any]

LABELS = ("require", "subscribe", "before", "notify")

# Enough for lists to become junctions: kernel.JUNCTION_LENGTH is 8.
LONG = 9


def graph_from(document: Document) -> RelationshipGraph:
    """The graph of a copy of a document."""
    return graph_of(load_catalog(copy.deepcopy(document)))


@st.composite
def documents(draw: st.DrawFn, acyclic: bool = False) -> Document:
    """A catalog of some containers, notifies, and files whose owner may be managed.

    With `acyclic`, relationships between resources point forward only, so that cycles are rare.
    """
    classes = [f"Class[C{n}]" for n in range(draw(st.integers(0, 3)))]
    plain = [f"Notify[n{n}]" for n in range(draw(st.integers(1, 12)))]
    accounts = [f"User[u{n}]" for n in range(draw(st.integers(0, 2)))]
    files = [f"File[/f{n}]" for n in range(draw(st.integers(0, 2)))]
    refs = draw(st.permutations([*classes, *plain, *accounts, *files]))
    resources = [resource(draw, ref, accounts) for ref in refs]
    place = {ref: number for number, ref in enumerate(refs)}
    for _ in range(draw(st.integers(0, 10))):
        holder = draw(st.sampled_from(range(len(refs))))
        label = draw(st.sampled_from(LABELS))
        targets = draw(st.lists(st.sampled_from(refs), min_size=1, max_size=3))
        if acyclic:
            back = label in ("require", "subscribe")
            targets = [t for t in targets if (place[t] < holder) == back and place[t] != holder]
        add(resources[holder], label, targets)
    for _ in range(draw(st.integers(0, 2))):
        spread(draw, resources, refs)
    edges = containment(draw, refs, classes)
    return {"name": "n", "catalog_format": 2, "resources": resources, "edges": edges}


def resource(draw: st.DrawFn, ref: str, accounts: list[str]) -> dict[str, Any]:
    kind, _, title = ref[:-1].partition("[")
    row: dict[str, Any] = {"type": kind, "title": title, "parameters": {}}
    row["kind"] = "class" if kind == "Class" else "compilable_type"
    if draw(st.booleans()):
        # Few lines, so that several resources come from one statement.
        row.update(
            file=draw(st.sampled_from(["s.pp", "/modules/m.pp"])), line=draw(st.integers(1, 3))
        )
    if kind == "File" and accounts:
        row["parameters"]["owner"] = draw(st.sampled_from(accounts))[5:-1]
    return row


def add(row: dict[str, Any], label: str, targets: Iterable[str]) -> None:
    found = [*row["parameters"].get(label, []), *targets]
    if found:
        row["parameters"][label] = found


def spread(draw: st.DrawFn, resources: list[dict[str, Any]], refs: list[str]) -> None:
    """Give several resources one long list, as a collector chain does."""
    if len(refs) < LONG:
        return
    targets = draw(st.permutations(refs))[: draw(st.integers(LONG, len(refs)))]
    label = draw(st.sampled_from(LABELS))
    for holder in draw(st.lists(st.sampled_from(range(len(refs))), min_size=2, unique=True)):
        resources[holder]["parameters"][label] = list(targets)


def containment(draw: st.DrawFn, refs: list[str], classes: list[str]) -> list[dict[str, str]]:
    """Mostly one container each; now and then a second one, or a container in itself."""
    edges = []
    for ref in refs:
        holders = draw(st.lists(st.sampled_from(classes), max_size=2)) if classes else []
        for holder in holders[: 1 if draw(st.integers(0, 9)) else 2]:
            if ref not in classes or ref > holder or not draw(st.integers(0, 9)):
                edges.append({"source": holder, "target": ref})
    return edges


def without(document: Document, removed: Iterable[Relationship]) -> Document:
    """The document after relationships were taken back where they are written."""
    left = copy.deepcopy(document)
    rows = {f"{row['type']}[{row['title']}]": row for row in left["resources"]}
    for relationship in removed:
        origin = relationship.origin
        source, target = str(relationship.source), str(relationship.target)
        parameters = rows[str(origin.declared_by)]["parameters"]
        if origin.form == "containment":
            left["edges"] = [
                e for e in left["edges"] if (e["source"], e["target"]) != (source, target)
            ]
        elif origin.automatic:
            assert origin.rule == "file autorequires user"
            parameters.pop("owner", None)
        else:
            other = source if origin.form in ("require", "subscribe") else target
            written = parameters[origin.form]
            assert written[origin.position] == other
            written[origin.position] = None
    return left


def plain_edges(kernel: Kernel) -> set[tuple[int, int]]:
    """The edges of the expanded graph over node ids, junctions multiplied out."""
    first = kernel.vertices + len(kernel.owner)
    found: set[tuple[int, int]] = set()
    for source, targets in enumerate(kernel.succ[:first]):
        for target in targets:
            ends = kernel.succ[target] if target >= first else [target]
            found.update((source, end) for end in ends)
    return found


def expanded(graph: RelationshipGraph) -> nx.DiGraph[str]:
    """Return the expanded graph as networkx has it, over the names of its nodes."""
    result: nx.DiGraph[str] = nx.DiGraph()
    name = graph.provenance.name
    kernel = graph.kernel
    result.add_nodes_from(name(v) for v in range(kernel.vertices + len(kernel.owner)))
    result.add_edges_from((hop.source_name, hop.target_name) for hop in graph.expanded())
    return result
