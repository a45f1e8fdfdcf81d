"""The nouns of each language: a catalog has resources and relationships, a policy promises."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Nouns:
    """The words of a language: for a node of the graph, an edge, and all of it; `nodes` of many."""

    __slots__ = ("edge", "node", "nodes", "whole")

    def __init__(self, node: str, edge: str, whole: str, nodes: str = "") -> None:
        self.node = node
        self.nodes = nodes or f"{node}s"
        self.edge = edge
        self.whole = whole


PUPPET = Nouns("resource", "relationship", "catalog")
CFENGINE = Nouns("promise", "order", "policy run")
ANY = Nouns("entry", "relationship", "input", "entries")
# The calls of bundles contain a policy's promises.
BUNDLE = "Bundle"


def nouns_of(inputs: Iterable[Nouns]) -> Nouns:
    """Return the words for several inputs, given those of each."""
    found = set(inputs) or {PUPPET}
    return found.pop() if len(found) == 1 else ANY


def size_of(catalog: Catalog, edges: int) -> str:
    """Return how much there is of a catalog, or of the run of a policy."""
    nouns, total = catalog.nouns, len(catalog.resources)
    if nouns is PUPPET:
        return f"{counted(total, nouns.node)}, {counted(edges, nouns.edge)}"
    bundles = sum(resource.type == BUNDLE for resource in catalog.resources)
    return f"{counted(total - bundles, nouns.node)} in {counted(bundles, 'bundle')}"


def counted(count: int, noun: str, nouns: str = "") -> str:
    """Return `1 promise`, `1,000 promises`."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"
