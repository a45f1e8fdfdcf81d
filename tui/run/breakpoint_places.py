"""Finds the resources and containers that breakpoints are on, for the signs next to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.apply.breakpoints import Breakpoint
    from analyzer.apply.engine.run_graph import RunGraph


def marked(stops: Iterable[Breakpoint], graph: RunGraph) -> frozenset[int]:
    """Return the nodes with an enabled breakpoint."""
    found: set[int] = set()
    for row in stops:
        if row.enabled and row.kind == "before":
            found |= row.nodes
        elif row.enabled and row.kind == "entering":
            found.add(graph.find(row.text.partition(" if ")[0]))
    return frozenset(found)
