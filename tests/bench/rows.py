"""The comparisons, one function each; a function may yield several rows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from shutil import which
from statistics import median
from types import SimpleNamespace
from typing import Any, cast

from analyzer.frontends.catalog_json import from_document
from analyzer.graph.algorithms.components import components
from analyzer.graph.algorithms.reduction import transitive_reduction
from analyzer.graph.build import build, connect_declared
from analyzer.graph.order import traverse
from analyzer.session.inputs import graph_of, load_catalogs

from . import compiler, editor, frontend, inputs, lint, page, policies, questions, runs, screens
from .measure import (
    CONSOLE_SCRIPT,
    PYTHON,
    Absent,
    Row,
    cold,
    cpu,
    ours,
    puppets,
    ruby,
    take_turns,
)

Succ = list[list[int]]


def cold_start() -> Iterator[Row]:
    """`catgraph cycles` of 1,000 resources, as a whole process."""
    name = "catgraph cycles, 1,000 resources, cold"
    catgraph = cold(str(CONSOLE_SCRIPT), "cycles", str(inputs.small()))
    mine, floor = take_turns(31, catgraph, cold(PYTHON, "-c", "pass"))
    yield Row(name, mine, "python -c pass", floor, 1.8)
    puppet = which("puppet")
    if puppet is None:
        raise Absent("no command puppet on this machine")
    mine, theirs = take_turns(5, catgraph, cold(puppet, "--version"))
    yield Row(name, mine, "puppet --version", theirs, 0.04)


def json_to_cycles() -> Iterator[Row]:
    """From JSON to cycles in a fresh process each, and the memory of that."""
    ruby()
    inputs.small()
    sizes = (
        ("50,000 notify", inputs.notify_only(50_000), 3),
        ("50,000 mixed", inputs.mixed(50_000), 1),
    )
    memory = []
    for what, catalog, times in sizes:
        mine, theirs = [], []
        for _ in range(times):
            mine += [ours(catalog) for _ in range(3)]
            theirs.append(puppets("relate", catalog))
            mine += [ours(catalog) for _ in range(2)]
        cpus = [median(report.cpu for report in side) for side in (mine, theirs)]
        peaks = [median(report.memory for report in side) for side in (mine, theirs)]
        yield Row(f"JSON to cycles, {what}", cpus[0], "Puppet", cpus[1], 0.015)
        memory.append(Row(f"peak memory, {what}", peaks[0], "Puppet", peaks[1], 0.15, "MB"))
    yield from memory


def explanation() -> Iterator[Row]:
    """All about the cycle of seven layers of twenty, against one path through it."""
    graph = graph_of(load_catalogs(str(inputs.layered()))[0])
    (mine,) = take_turns(9, cpu(graph.cycles))
    theirs = puppets("paths", inputs.layered())
    yield Row("cycle explained, 7 layers of 20", mine, "Puppet's paths_in_cycle", theirs.cpu, 0.001)


def junctions() -> Iterator[Row]:
    """The edges of a collector chain of 2000 x 2000 and their components, references resolved."""
    catalog = from_document(inputs.collector_chain(2000), "chain")
    kernel = build(catalog)
    joined = {
        (label, tuple(targets)): list(range(len(members)))
        for label, members, targets in kernel.junctions
    }

    def prepare() -> tuple[()]:
        kernel.junctions = []
        kernel.succ = [[] for _ in range(kernel.vertices + len(kernel.owner))]
        return ()

    def work(shared: dict[tuple[int, tuple[int, ...]], list[int]]) -> object:
        connect_declared(kernel, shared)
        return components(kernel.succ)

    mine, theirs = take_turns(5, cpu(lambda: work(joined), prepare), cpu(lambda: work({}), prepare))
    yield Row("collector chain, 2000 x 2000", mine, "explicit edges", theirs, 0.02)


def like_a_catalog(nodes: int, edges: int) -> list[tuple[int, int]]:
    """Pairs of a graph like a catalog's: mostly short edges forward, without a cycle."""
    rng = Random(1)
    # One object per number, as in our graphs, which spares both sides the misses of the cache.
    ids = list(range(nodes))
    pairs = []
    for _ in range(edges):
        target = rng.randrange(1, nodes)
        near = rng.random() < 0.9
        pairs.append((ids[rng.randrange(max(0, target - 60) if near else 0, target)], ids[target]))
    return pairs


def adjacency(nodes: int, pairs: list[tuple[int, int]]) -> Succ:
    """Our form of a graph."""
    succ: Succ = [[] for _ in range(nodes)]
    for s, t in pairs:
        succ[s].append(t)
    return succ


def reduction() -> Iterator[Row]:
    """Transitive reduction of 10,000 nodes."""
    try:
        import rustworkx
    except ImportError:
        raise Absent("rustworkx is not installed") from None
    nodes, pairs = 10_000, like_a_catalog(10_000, 30_000)
    succ = adjacency(nodes, pairs)
    (mine,) = take_turns(5, cpu(lambda: transitive_reduction(succ)))
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from_no_data(pairs)
    (theirs,) = take_turns(1, cpu(lambda: rustworkx.transitive_reduction(graph)))
    yield Row("transitive reduction, 10,000 nodes", mine, "rustworkx", theirs, 0.01)


def components_and_order() -> Iterator[Row]:
    """The graph from pairs, its components, and an order by priority, of 100,000 nodes."""
    import networkx as nx

    nodes, pairs = 100_000, like_a_catalog(100_000, 450_000)

    def our_side() -> object:
        succ = adjacency(nodes, pairs)
        plain = SimpleNamespace(succ=succ, vertices=nodes, owner=[])
        return components(succ), traverse(cast(Any, plain))

    def their_side() -> object:
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(nodes))
        graph.add_edges_from(pairs)
        found = [c for c in nx.strongly_connected_components(graph) if len(c) > 1]
        return found, list(nx.lexicographical_topological_sort(graph))

    mine, theirs = take_turns(3, cpu(our_side), cpu(their_side))
    yield Row("components and order, 100,000 nodes", mine, "networkx", theirs, 0.1)


ROWS = (
    cold_start,
    json_to_cycles,
    explanation,
    junctions,
    reduction,
    components_and_order,
    *frontend.ROWS,
    *compiler.ROWS,
    *lint.ROWS,
    *runs.ROWS,
    *policies.ROWS,
    *questions.ROWS,
    *page.ROWS,
    *screens.ROWS,
    *editor.ROWS,
)
