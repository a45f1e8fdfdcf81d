"""The data of the HTML page: nodes, edges, scenes and cycles as compact JSON values."""

from __future__ import annotations

from dataclasses import replace

from analyzer.export.graph.transform import is_bundle
from analyzer.export.graph.view import GraphView, ViewEdge, edge_of
from analyzer.export.page.scenes import Scene, SceneMaker, edge_key, edge_numbers, numbered
from analyzer.export.redact import HIDDEN, shown_parameters
from analyzer.graph.phrases import PHRASES, statement_line
from analyzer.model.catalog import resource_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from analyzer.export.page.scenes import Numbered
    from analyzer.graph.cycles.search import Cycle
    from analyzer.graph.provenance import Hop
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.resource import Resource

# The nearest cause of values by resource and parameter: words, and a place.
Causes = dict[str, dict[str, tuple[str, str]]]
NO_CAUSES: Causes = {}

# With more nodes, the page opens with the classes only.
SMALL = 120

ROLES = ("resource", "container", "admitted", "completed")
KINDS = ("before", "notify", "contains")

# The page's words for a catalog, and for the run of a policy.
CATALOG_WORDS = {
    "one": "resource",
    "many": "resources",
    "class": "class",
    "classes": "classes",
    "search": "Search: nginx, type:file, file:site.pp",
    "later": "applied later",
    "cyclic": "While a cycle exists, Puppet applies nothing.",
}
APPLICABLE = "Puppet can apply all of these resources."
POLICY_WORDS = {
    "one": "promise",
    "many": "promises",
    "class": "bundle",
    "classes": "bundles",
    "search": "Search: motd, type:files, file:main.cf",
    "later": "evaluated later",
    "clean": "The order of these promises in a simulated run of the agent.",
    "cyclic": "The agent keeps none of these promises: each waits for another.",
}

# Flags of an edge.
AUTO, IN_CYCLE, IMPLIED, REVERSED, ONLY_IN_CYCLE = 1, 2, 4, 8, 16


class NumberedTexts:
    """Numbers for repeated texts."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}

    def __call__(self, value: Hashable) -> int:
        """Return the number of a text, -1 for None."""
        return -1 if value is None else self.numbers.setdefault(value, len(self.numbers))

    def table(self) -> list[object]:
        """Return the texts by number."""
        return list(self.numbers)


def page_data(
    graph: RelationshipGraph, view: GraphView, causes: Causes = NO_CAUSES
) -> dict[str, object]:
    """Return the page's data: rows are lists, repeated texts are numbers in tables."""
    own_edges = len(view.edges)
    view, hops = with_cycle_edges(graph, view)
    numbers = numbered(graph, with_only(view, own_edges))
    scenes = SceneMaker(numbers)
    pictures = [scenes.everything()]
    if numbers.home and len(set(numbers.home)) > 2:
        pictures += [scenes.classes(), *scenes.inner()]
    extend(numbers, view)
    cycles = []
    for number, (cycle, edges) in enumerate(hops):
        picture, row = cycle_row(graph, numbers, scenes, number, cycle, edges)
        pictures.append(picture)
        cycles.append(row)
    file, rule, kind = NumberedTexts(), NumberedTexts(), NumberedTexts()
    nodes = node_rows(graph, numbers, file, kind, causes)
    edges_out = edge_rows(numbers, own_edges, file, rule)
    return {
        "name": view.name,
        "view": view.kind,
        "words": words_of(graph),
        "incomplete": view.notice,
        "resources": resource_count(graph.catalog),
        "small": len(view.nodes) <= SMALL,
        "nodes": nodes,
        "edges": edges_out,
        "scenes": [scene_row(scene) for scene in pictures],
        "cycles": cycles,
        "types": kind.table(),
        "files": file.table(),
        "rules": rule.table(),
        "forms": {form: [word, text] for form, (word, text) in PHRASES.items()},
    }


def words_of(graph: RelationshipGraph) -> dict[str, str]:
    """Return the page's words for a graph; only a complete one is called clean."""
    if is_policy(graph):
        return {**POLICY_WORDS, "verdict": graph.verdict}
    verdict = graph.verdict
    sentence = f"{verdict[:1].upper()}{verdict[1:]}"
    clean = f"{sentence}: {APPLICABLE}" if graph.is_complete else f"{sentence}."
    return {**CATALOG_WORDS, "verdict": verdict, "clean": clean}


def is_policy(graph: RelationshipGraph) -> bool:
    """Return whether a graph is a policy's run: its containers are calls of bundles."""
    return any(is_bundle(resource) for resource in graph.catalog.resources)


def with_only(view: GraphView, count: int) -> GraphView:
    """Return the view with only its first edges."""
    return replace(view, edges=view.edges[:count])


def extend(numbers: Numbered, view: GraphView) -> None:
    """Add the edges that only pictures of cycles have; they count as not implied."""
    more = view.edges[len(numbers.view.edges) :]
    numbers.view = view
    numbers.pairs += [(numbers.ids[e.source], numbers.ids[e.target]) for e in more]
    numbers.implied += [False] * len(more)


def with_cycle_edges(
    graph: RelationshipGraph, view: GraphView
) -> tuple[GraphView, list[tuple[Cycle, list[list[int]]]]]:
    """Return the view with the edges of all cycles, and the edge numbers of each cycle's steps.

    A cycle may leave a container, which is not an edge of the view. Cycles that are only partly in
    a folded or focused view are left out.
    """
    refs = {node.ref for node in view.nodes}
    known = edge_numbers(view)
    edges = list(view.edges)
    found = []
    for cycle in graph.cycles():
        steps = [step for hop in cycle.hops if (step := step_edges(view, hop))]
        if not all(e.source in refs and e.target in refs for step in steps for e in step):
            continue
        for edge in (e for step in steps for e in step):
            if known.setdefault(edge_key(edge), len(edges)) == len(edges):
                edges.append(edge)
        found.append((cycle, [[known[edge_key(e)] for e in step] for step in steps]))
    return replace(view, edges=tuple(edges)), found


def step_edges(view: GraphView, hop: Hop) -> list[ViewEdge]:
    """Return the edges of one step of a cycle, none inside a container that is a single node."""
    if view.kind == "expanded":
        ends = hop.source_name, hop.target_name
    else:
        ends = str(hop.source_ref), str(hop.target_ref)
        if ends[0] == ends[1] and not hop.relationships:
            return []
    return [edge_of(*ends, one, True) for one in hop.relationships]


def node_rows(
    graph: RelationshipGraph,
    numbers: Numbered,
    file: NumberedTexts,
    kind: NumberedTexts,
    causes: Causes,
) -> list[list[object]]:
    """Return `[type, title, role, file, line, container, home, in cycle, width, folded,
    parameters]` for each node."""
    resources = {str(r): r for r in reversed(graph.resources)}
    rows = []
    for i, node in enumerate(numbers.view.nodes):
        resource = resources.get(f"{node.type}[{node.title}]")
        rows.append(
            [
                kind(node.type),
                node.title,
                ROLES.index(node.role),
                file(node.file),
                node.line or 0,
                numbers.holder[i],
                numbers.home[i] if numbers.home else i,
                int(node.in_cycle),
                int(numbers.widths[i]),
                node.folded,
                parameter_rows(resource, causes) if resource else [],
            ]
        )
    return rows


def parameter_rows(resource: Resource, causes: Causes) -> list[list[str]]:
    """Return `[name, text, cause]` of each parameter; the cause is empty if it is not known."""
    found = causes.get(str(resource.ref), {})
    rows = []
    for name, text in shown_parameters(resource):
        words, place = found.get(name, ("", ""))
        # The words about a secret may have its value.
        cause = [words, place] if text != HIDDEN else [place]
        rows.append([name, text, "  ".join(filter(None, cause))])
    return rows


def edge_rows(
    numbers: Numbered, own: int, file: NumberedTexts, rule: NumberedTexts
) -> list[list[object]]:
    """Return `[source, target, kind, form, declared by, position, rule, file, line, bits, count,
    many]` for each edge; file is -1 if it is that of the declaring resource."""
    rows = []
    nodes = numbers.view.nodes
    for i, edge in enumerate(numbers.view.edges):
        origin = edge.origin
        s, t = numbers.pairs[i]
        declared = numbers.ids.get(origin.declarer or "", -1)
        backward = edge.kind == "contains" and nodes[s].container == nodes[t].ref
        bits = (
            AUTO * bool(edge.auto)
            + IN_CYCLE * edge.in_cycle
            + IMPLIED * numbers.implied[i]
            + REVERSED * backward
            + ONLY_IN_CYCLE * (i >= own)
        )
        span = origin.span
        rows.append(
            [
                s,
                t,
                KINDS.index(edge.kind),
                origin.form,
                declared,
                origin.position,
                rule(origin.rule),
                file(span.file if span else None),
                span.line if span else 0,
                bits,
                edge.count,
                list(origin.many) if origin.many else 0,
            ]
        )
    return rows


def cycle_row(
    graph: RelationshipGraph,
    numbers: Numbered,
    scenes: SceneMaker,
    number: int,
    cycle: Cycle,
    steps: list[list[int]],
) -> tuple[Scene, dict[str, object]]:
    """Return a cycle's picture and its explanation."""
    path = [numbers.pairs[step[0]][0] for step in steps]
    ids = numbers.ids
    names = cycle.nodes if numbers.view.kind == "expanded" else map(str, cycle.members)
    members = [ids[name] for name in names if name in ids]
    picture = scenes.cycle(number, path, members, [e for step in steps for e in step])
    row = {
        "path": path,
        "steps": steps,
        "members": members,
        "shortest": cycle.shortest,
        "cut": [statement_line(one) for one in cycle.cut.statements],
        "exact": cycle.cut.exact,
        "lost": [list(pair) for pair in cycle.cut.lost],
        "lostCount": cycle.cut.lost_count,
    }
    return picture, row


def scene_row(scene: Scene) -> dict[str, object]:
    """Return a picture: coordinates as whole numbers, `bends` as `[source, target, x, y, ...]`."""
    drawing, nodes = scene.drawing, scene.nodes
    local = dict(enumerate(nodes))
    bends = [
        [local[s], local[t], *(round(c) for point in points for c in point)]
        for (s, t), points in drawing.bends.items()
    ]
    return {
        "kind": scene.kind,
        "subject": scene.subject,
        "nodes": nodes if scene.kind != "all" else len(nodes),
        "x": [round(x) for x in drawing.x],
        "y": [round(y) for y in drawing.y],
        "bends": bends,
        "kept": [v for pair in scene.kept for v in pair] if scene.kind != "all" else None,
        "edges": scene.edges,
    }
