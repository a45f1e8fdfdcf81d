"""What holds for the differences of any two catalogs; networkx is the oracle of order and edges."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import pairwise, product
from unittest.mock import patch

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.graph.diff import effects as effects_module
from analyzer.graph.diff import order as order_module
from analyzer.graph.diff.moves import moves
from analyzer.graph.diff.values import CatalogDiff, CatalogSide, Edges, OrderChange
from analyzer.graph.kernel import Kernel
from analyzer.graph.relationship_graph import RelationshipGraph
from tests.amount import examples
from tests.graph.random_catalogs import LABELS, Document, add, documents, expanded, graph_from

Pair = tuple[str, str]
Both = tuple[Document, Document]


@st.composite
def two(draw: st.DrawFn) -> Both:
    """A catalog and what becomes of it by some edits, or another catalog altogether."""
    old = draw(documents(acyclic=draw(st.booleans())))
    if not draw(st.integers(0, 4)):
        return old, draw(documents())
    new = copy.deepcopy(old)
    for _ in range(draw(st.integers(0, 6))):
        draw(st.sampled_from(EDITS))(draw, new)
    return (old, new) if draw(st.booleans()) else (new, old)


def names(document: Document) -> list[str]:
    return [f"{row['type']}[{row['title']}]" for row in document["resources"]]


def drop(draw: st.DrawFn, document: Document) -> None:
    if len(document["resources"]) > 1:
        document["resources"].pop(draw(st.integers(0, len(document["resources"]) - 1)))
        known = set(names(document))
        document["edges"] = [e for e in document["edges"] if known >= {e["source"], e["target"]}]


def insert(draw: st.DrawFn, document: Document) -> None:
    title = f"n{draw(st.integers(0, 15))}"
    if f"Notify[{title}]" not in names(document):
        row = {"type": "Notify", "title": title, "kind": "compilable_type", "parameters": {}}
        document["resources"].insert(draw(st.integers(0, len(document["resources"]))), row)


def relate(draw: st.DrawFn, document: Document) -> None:
    row = draw(st.sampled_from(document["resources"]))
    if draw(st.booleans()):
        add(row, draw(st.sampled_from(LABELS)), [draw(st.sampled_from(names(document)))])
    elif row["parameters"]:
        row["parameters"].pop(draw(st.sampled_from(sorted(row["parameters"]))))


def put(draw: st.DrawFn, document: Document) -> None:
    """Into a container, or out of it."""
    holders = [name for name in names(document) if name.startswith("Class")]
    if document["edges"] and draw(st.booleans()):
        document["edges"].pop(draw(st.integers(0, len(document["edges"]) - 1)))
    elif holders:
        edge = {"source": draw(st.sampled_from(holders))}
        edge["target"] = draw(st.sampled_from(names(document)))
        if edge["target"] not in holders or edge["source"] < edge["target"]:
            document["edges"].append(edge)


def change(draw: st.DrawFn, document: Document) -> None:
    row = draw(st.sampled_from(document["resources"]))
    row["parameters"][draw(st.sampled_from(["mode", "alias"]))] = draw(st.sampled_from("ab"))


def shift(draw: st.DrawFn, document: Document) -> None:
    rows = document["resources"]
    rows.insert(0, rows.pop(draw(st.integers(0, len(rows) - 1))))


EDITS = (drop, insert, relate, put, change, shift)


def order_of(whole: nx.DiGraph[str]) -> set[Pair]:
    """Every pair that a walk of one edge or more leads from one to the other."""
    return {
        (s, t)
        for s in whole
        for first in whole.successors(s)
        for t in (first, *nx.descendants(whole, first))
    }


def second_end(kernel: Kernel, ref: str) -> str:
    return f"Completed[{ref}]" if is_container(kernel, ref) else ref


def first_end(kernel: Kernel, ref: str) -> str:
    return f"Admitted[{ref}]" if is_container(kernel, ref) else ref


def is_container(kernel: Kernel, ref: str) -> bool:
    i = kernel.lookup.by_ref[ref]
    return kernel.completed[i] != i


def pairs_of(kernel: Kernel, change: OrderChange) -> list[Pair]:
    return [
        (second_end(kernel, str(a)), first_end(kernel, str(b)))
        for row in change.pairs
        for a, b in product(row.first, row.second)
    ]


def reportable(pairs: set[Pair]) -> set[Pair]:
    return {
        (s, t) for s, t in pairs if not s.startswith("Admitted[") and not t.startswith("Completed[")
    }


class Orders:
    """Both catalogs' order among what both have, and the pairs that containment makes."""

    def __init__(self, old: RelationshipGraph, new: RelationshipGraph) -> None:
        first, second = expanded(old), expanded(new)
        self.common = set(first) & set(second)
        self.was, self.now = self.within(order_of(first)), self.within(order_of(second))
        self.knots = [set(c) for c in nx.strongly_connected_components(second)]
        self.tangled = {(s, t) for c in self.knots for s in c for t in c}
        self.held = {
            (s, t) for s, t in self.now if s.startswith("Admitted[") or t.startswith("Completed[")
        }

    def within(self, pairs: set[Pair]) -> set[Pair]:
        return {(s, t) for s, t in pairs if s in self.common and t in self.common}


def closed(pairs: set[Pair]) -> set[Pair]:
    whole: nx.DiGraph[str] = nx.DiGraph()
    whole.add_edges_from(pairs)
    return order_of(whole)


@given(two())
def test_the_pairs_explain_all_order(both: Both) -> None:
    """With what both catalogs have, and what is in what, they make the order of the second."""
    old, new = map(graph_from, both)
    orders = Orders(old, new)
    told = pairs_of(new.kernel, old.diff(new).gained.order)
    assert len(told) == len(set(told))
    assert set(told) <= orders.now - orders.was
    made = closed(set(told) | orders.was & orders.now | orders.held | orders.now & orders.tangled)
    assert made >= reportable(orders.now)


@given(two())
def test_no_pair_is_spare(both: Both) -> None:
    """None follows from others, where no resource has moved into another container."""
    old, new = map(graph_from, both)
    orders = Orders(old, new)
    told = set(pairs_of(new.kernel, old.diff(new).gained.order))
    if new.has_cycle or {(str(e.source), str(e.target)) for e in new.containment()} > {
        (str(e.source), str(e.target)) for e in old.containment()
    }:
        return
    covering = {
        (s, t)
        for s, t in orders.now
        if not any((s, m) in orders.now and (m, t) in orders.now for m in orders.common)
    }
    assert told >= reportable(covering - orders.was)
    if set(map(str, old.containment())) == set(map(str, new.containment())):
        assert told == reportable(covering - orders.was)


@given(two())
def test_pairs_of_resources_are_counted(both: Both) -> None:
    old, new = map(graph_from, both)
    orders = Orders(old, new)
    plain = {name for name in orders.common if "[" not in name.partition("[")[2]}
    gained = {(s, t) for s, t in orders.now - orders.was if s in plain and t in plain}
    assert old.diff(new).gained.order.count == len(gained)


@given(two())
def test_columns_change_nothing(both: Both) -> None:
    old, new = map(graph_from, both)
    whole = old.diff(new)
    with patch.object(order_module, "COLUMN", 3), patch.object(effects_module, "COLUMN", 1):
        assert orders_and_effects(old.diff(new)) == orders_and_effects(whole)


def orders_and_effects(found: CatalogDiff) -> object:
    return flat_order(found.gained.order), flat_order(found.lost.order), found.effects


def flat_order(change: OrderChange) -> object:
    return {(a, b) for row in change.pairs for a in row.first for b in row.second}, change.count


@given(documents())
def test_equal_catalogs_have_no_difference(document: Document) -> None:
    found = graph_from(document).diff(graph_from(document))
    assert not found
    assert not found.undecided
    assert not found.effects


def flat(edges: tuple[Edges, ...]) -> list[tuple[str, str, str]]:
    return [
        (str(s), str(t), row.example.kind)
        for row in edges
        for s in row.sources
        for t in row.targets
    ]


def side_of(found: CatalogSide) -> object:
    return (
        {ref for ref, _ in found.resources},
        set(flat(found.relationships)),
        flat_order(found.order),
        {cycle.members for cycle in found.cycles},
        {(m.declared_by, m.parameter, m.target) for m in found.missing},
    )


@given(two())
def test_the_other_way_round_is_the_mirror(both: Both) -> None:
    old, new = map(graph_from, both)
    there, back = old.diff(new), new.diff(old)
    assert side_of(there.gained) == side_of(back.lost)
    assert side_of(there.lost) == side_of(back.gained)
    assert len(there.moved) == len(back.moved)
    forward = {one.ref: one for one in there.changed}
    assert {one.ref for one in back.changed} == set(forward)
    for one in back.changed:
        other = forward[one.ref]
        assert [(p.name, p.new, p.old) for p in one.parameters] == [
            (p.name, p.old, p.new) for p in other.parameters
        ]
        assert (one.entered, one.left) == (other.left, other.entered)
        assert (one.tags_gained, one.tags_lost) == (other.tags_lost, other.tags_gained)


def edges_of(graph: RelationshipGraph) -> set[tuple[str, str, str]]:
    return {(str(r.source), str(r.target), r.kind) for r in graph.relationships()}


Contents = dict[str, tuple[dict[str, object], set[str]]]


def contents_of(graph: RelationshipGraph) -> Contents:
    """Each resource's parameters that are no relationships, and its containers."""
    found: Contents = {}
    for r in graph.catalog.resources:
        found[str(r)] = {k: v for k, v in r.parameters.items() if k not in LABELS}, set()
    for edge in graph.containment():
        found[str(edge.target)][1].add(str(edge.source))
    return found


@given(two())
def test_the_differences_lead_from_one_to_the_other(both: Both) -> None:
    old, new = map(graph_from, both)
    found = old.diff(new)
    lost, gained = flat(found.lost.relationships), flat(found.gained.relationships)
    assert len(set(lost)) == len(lost)
    assert len(set(gained)) == len(gained)
    assert set(lost) <= edges_of(old)
    assert (edges_of(old) - set(lost)) | set(gained) == edges_of(new)
    whole, aim = contents_of(old), contents_of(new)
    for ref, _ in found.lost.resources:
        del whole[str(ref)]
    for one in found.changed:
        parameters, holders = whole[str(one.ref)]
        for p in one.parameters:
            assert parameters.pop(p.name, None) == p.old
            if p.new is not None:
                parameters[p.name] = p.new
        holders.difference_update(map(str, one.left))
        holders.update(map(str, one.entered))
    for ref, _ in found.gained.resources:
        whole[str(ref)] = aim[str(ref)]
    assert whole == aim


@given(two())
def test_statements_fit_what_they_explain(both: Both) -> None:
    old, new = map(graph_from, both)
    found = old.diff(new)
    for row in (*found.gained.relationships, *found.lost.relationships):
        assert row.example.source in row.sources
        assert row.example.target in row.targets


@given(two())
def test_effects_are_those_of_impact(both: Both) -> None:
    old, new = map(graph_from, both)
    own = {str(r) for r in new.catalog.resources}
    for one in old.diff(new).effects:
        impact = new.impact(one.ref)
        assert set(one.refreshed) == set(impact.refreshed)
        assert one.waiting == sum(str(ref) in own for ref in impact.skipped)


@given(two())
def test_moves_lead_from_one_order_to_the_other(both: Both) -> None:
    old, new = map(graph_from, both)
    if old.has_cycle or new.has_cycle:
        return
    first, second = ([str(ref) for ref in graph.order()] for graph in (old, new))
    check_moves([x for x in first if x in second], [x for x in second if x in first])


@settings(max_examples=examples(300))
@given(st.permutations(range(7)))
def test_moves_are_the_fewest(order: list[int]) -> None:
    found = check_moves(list(range(7)), order)
    longest = max(
        bin(mask).count("1")
        for mask in range(1 << 7)
        if all(a < b for a, b in pairwise(x for n, x in enumerate(order) if mask >> n & 1))
    )
    assert found == 7 - longest


def check_moves(first: Sequence[int | str], second: Sequence[int | str]) -> int:
    found = moves(first, second)
    moved = [one for one, _ in found]
    result = [one for one in first if one not in moved]
    for one, after in found:
        result.insert(0 if after is None else result.index(after) + 1, one)
    assert result == [*second]
    return len(found)


@pytest.mark.slow
def test_random_pairs_have_all_kinds_of_differences() -> None:
    seen: dict[str, int] = {}

    @settings(max_examples=200)
    @given(two())
    def count(both: Both) -> None:
        found = graph_from(both[0]).diff(graph_from(both[1]))
        for side in (found.gained, found.lost):
            for name in ("resources", "relationships", "cycles", "missing"):
                seen[name] = seen.get(name, 0) + bool(getattr(side, name))
            seen["order"] = seen.get("order", 0) + bool(side.order.pairs)
            lists = any(edges.count > 1 for edges in side.relationships)
            seen["lists"] = seen.get("lists", 0) + lists
        for name in ("changed", "effects", "moved"):
            seen[name] = seen.get(name, 0) + bool(getattr(found, name))
        seen["containers"] = seen.get("containers", 0) + any(c.entered for c in found.changed)

    count()
    assert min(seen.values()) >= 10, seen
