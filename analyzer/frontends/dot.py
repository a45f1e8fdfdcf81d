"""The DOT files that Puppet writes with --graph, read back as a catalog of references and edges.

`expanded_relationships.dot` has everything; `relationships.dot` lacks containment (taken from
`resources.dot` beside it where that exists); `cycles.dot` has only cycles. None of them says
where a relationship was written, whether it is automatic, or whether it passes events on.
"""

from __future__ import annotations

import contextlib
import io
import os

from analyzer.diagnostics import InputError
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.model.names import capitalize_type, split_ref
from analyzer.model.resource import Resource
from analyzer.reading import read_bytes
from analyzer.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import pydot

Edges = list[tuple[str, str]]

SILENT = "DOT files do not say which statement made an edge, or whether it passes events on"
CONTAINMENT_ONLY = (
    "resources.dot shows containment only, no ordering; "
    "use relationships.dot or expanded_relationships.dot"
)
UNCONTAINED = "is not in this file, so cycles through classes are not found"
EXPANDED = "expanded_relationships.dot"

# Puppet's names of the two ends of a container (type/whit.rb).
ADMITTED, COMPLETED = "Whit[Admissible_", "Whit[Completed_"


def load(data: bytes, path: str) -> Catalog:
    """Read one of Puppet's DOT files.

    Raises:
        InputError: it is not DOT, or a graph of containment only.
    """
    name, nodes, edges = read(data, path)
    if name == "Resources":
        raise InputError(CONTAINMENT_ONLY, Span(path), "bad-dot")
    if any(node.startswith((ADMITTED, COMPLETED)) for node in nodes):
        catalog = from_expanded(nodes, edges)
    else:
        catalog = from_relationships(nodes, edges, path, cycles=name == "Resource_Cycles")
    catalog.path = path
    catalog.automatic = False
    catalog.edges_from = "the DOT file"
    catalog.warnings.append(SILENT)
    return catalog


def read(data: bytes, path: str) -> tuple[str, list[str], Edges]:
    """Return a DOT graph's name, its nodes in order of mention, and its edges in order."""
    import pydot

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", Span(path), "bad-dot") from None
    # pydot prints what it cannot parse and returns None.
    with contextlib.redirect_stdout(io.StringIO()) as output:
        try:
            graphs = pydot.graph_from_dot_data(text)
        except RecursionError:
            raise InputError("the graph is nested too deeply", Span(path), "bad-dot") from None
    if not graphs:
        last = output.getvalue().strip().splitlines()[-1:] or ["pydot cannot parse it"]
        raise InputError(f"this is not DOT: {last[0]}", Span(path), "bad-dot")
    graph = graphs[0]
    nodes: dict[str, None] = {}
    edges: Edges = []
    parts: list[pydot.Node | pydot.Edge] = [*graph.get_nodes(), *graph.get_edges()]
    for part in sorted(parts, key=sequence):
        if isinstance(part, pydot.Edge):
            pair = (unquoted(part.get_source()), unquoted(part.get_destination()))
            nodes.update(dict.fromkeys(pair))
            edges.append(pair)
        elif part.get_name() not in ("node", "edge", "graph"):
            nodes[unquoted(part.get_name())] = None
    return unquoted(graph.get_name()), list(nodes), edges


def sequence(part: pydot.Node | pydot.Edge) -> int:
    """Return the place of a statement in its file."""
    return int(part.get_sequence() or 0)


def unquoted(name: object) -> str:
    """Return a DOT identifier's text; Puppet escapes double quotes only."""
    text = str(name)
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"')
    return text


def resource_named(ref: str, kind: str | None = None) -> Resource:
    """Return a resource of which only the reference is known."""
    parts = split_ref(ref) or ("Unknown", ref)
    return Resource(parts[0], parts[1], {}, kind=kind)


def from_relationships(nodes: list[str], edges: Edges, path: str, *, cycles: bool) -> Catalog:
    """Return the catalog of relationships.dot or cycles.dot."""
    beside = os.path.join(os.path.dirname(path), "resources.dot")
    containment: Edges = []
    warnings, gaps = [], []
    if not cycles and os.path.isfile(beside):
        name, _, containment = read(bytes_beside(beside), beside)
        warnings.append(f"containment is taken from {beside}")
        containment = containment if name == "Resources" else []
    elif not cycles:
        gaps.append(Gap("containment", "containment", UNCONTAINED, hint=EXPANDED))
    # The nodes of cycles.dot stand for themselves: a class there is one point.
    kind = "compilable_type" if cycles else None
    catalog = Catalog([resource_named(node, kind) for node in nodes], containment)
    catalog.extra_edges = [(source, target, "before") for source, target in edges]
    catalog.warnings, catalog.gaps = warnings, gaps
    return catalog


def bytes_beside(path: str) -> bytes:
    """Return the contents of a file next to the input.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return read_bytes(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", Span(path), "bad-dot") from None


def end_of(node: str) -> tuple[str, str] | None:
    """Return the role and the container of a whit's reference, None for other nodes.

    Puppet lower-cases the name it makes: `Whit[Admissible_class[Foo]]` is of `Class[Foo]`.
    """
    for prefix, role in ((ADMITTED, "admitted"), (COMPLETED, "completed")):
        if node.startswith(prefix):
            kind, bracket, title = node[len(prefix) : -1].partition("[")
            return role, f"{capitalize_type(kind)}{bracket}{title}"
    return None


def from_expanded(nodes: list[str], edges: Edges) -> Catalog:
    """Return the catalog of expanded_relationships.dot, its pairs of ends joined to containers.

    Each container is put before its first content, which is where a compiler puts it.
    """
    ends = {node: end for node in nodes if (end := end_of(node))}
    containment: Edges = []
    relationships: Edges = []
    for source, target in edges:
        s, t = ends.get(source), ends.get(target)
        if s and s[0] == "admitted":
            if not (t and t[0] == "completed"):
                containment.append((s[1], t[1] if t else target))
        elif not (t and t[0] == "completed"):
            relationships.append((s[1] if s else source, t[1] if t else target))
    plain = [node for node in nodes if node not in ends]
    containers = list(dict.fromkeys(container for _, container in ends.values()))
    order = in_place(plain, containers, containment)
    catalog = Catalog(named_all(order, set(containers)), containment)
    catalog.extra_edges = [(source, target, "before") for source, target in relationships]
    catalog.ordered = False
    return catalog


def named_all(order: list[str], containers: set[str]) -> list[Resource]:
    """Return resources for references in order, containers as such."""
    return [resource_named(r, "class" if r in containers else "compilable_type") for r in order]


def in_place(plain: list[str], containers: list[str], containment: Edges) -> list[str]:
    """Return all references in order, each container before the first resource in it."""
    contents: dict[str, list[str]] = {}
    for container, content in containment:
        contents.setdefault(container, []).append(content)
    places = {ref: place for place, ref in enumerate(plain)}
    first: dict[str, tuple[int, int]] = {}
    entered: set[str] = set()
    for container in containers:
        todo = [container]
        while todo:
            at = todo[-1]
            if at in first or at in entered:
                todo.pop()
                first.setdefault(at, first_content(contents.get(at, ()), places, first))
                continue
            entered.add(at)
            todo += [x for x in contents.get(at, ()) if x not in places and x not in entered]
    first |= {ref: (place, 1) for ref, place in places.items()}
    return sorted([*containers, *plain], key=first.__getitem__)


def first_content(
    contents: Iterable[str], places: dict[str, int], first: dict[str, tuple[int, int]]
) -> tuple[int, int]:
    """Return the first content's place and minus the height over it; circles do not count."""
    best = (len(places), 0)
    for content in contents:
        if content in places:
            best = min(best, (places[content], 0))
        elif content in first:
            place, height = first[content]
            best = min(best, (place, height - 1))
    return best
