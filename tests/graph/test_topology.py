"""An order that is kept while edges come: what it takes and refuses, on random graphs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.graph.algorithms.components import is_cyclic
from analyzer.graph.algorithms.incremental_order import IncrementalOrder

SIZE = 8
NODES = st.integers(0, SIZE - 1)


@given(st.lists(st.tuples(NODES, NODES), max_size=30), st.permutations(range(SIZE)))
def test_edges_are_taken_until_one_closes_a_cycle(
    pairs: list[tuple[int, int]], first: list[int]
) -> None:
    succ: dict[int, list[int]] = {v: [] for v in range(SIZE)}
    order = IncrementalOrder(succ, first)
    for s, t in pairs:
        closes = is_cyclic([[*succ[v], t] if v == s else succ[v] for v in range(SIZE)])
        assert order.add(s, t) is not closes
        assert sorted(order.place.values()) == list(range(SIZE))
        assert all(order.forward(v, w) for v, targets in succ.items() for w in targets)


@given(st.lists(st.tuples(NODES, NODES), max_size=30))
def test_what_is_dropped_may_be_turned_round(pairs: list[tuple[int, int]]) -> None:
    order = IncrementalOrder({v: [] for v in range(SIZE)}, range(SIZE))
    for s, t in pairs:
        if order.add(s, t):
            order.drop(s, t)
            assert order.add(t, s)
            order.drop(t, s)
    assert not any(order.succ.values())
    assert not any(order.pred.values())
