"""The nouns of each language: a catalog has resources and relationships, a policy promises."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Nouns:
    """The words of a language: for a node, the plural `nodes`, an edge, and the whole graph."""

    __slots__ = ("edge", "node", "nodes", "whole")

    def __init__(self, node: str, edge: str, whole: str, nodes: str = "") -> None:
        self.node = node
        self.nodes = nodes or f"{node}s"
        self.edge = edge
        self.whole = whole

    def __reduce__(self) -> str:
        """Return the name of the constant, so that another process gets its own constant."""
        return next(name for name, value in globals().items() if value is self)


PUPPET = Nouns("resource", "relationship", "catalog")
CFENGINE = Nouns("promise", "order", "policy run")
ANY = Nouns("entry", "relationship", "input", "entries")
# The sentences about a complete input and about the known part of another one.
CLEAN = {
    PUPPET: ("no dependency cycle", "no cycle in the known part"),
    CFENGINE: ("no promises wait for each other", "no known promises wait for each other"),
}
# The calls of bundles contain a policy's promises.
BUNDLE = "Bundle"


def nouns_of(inputs: Iterable[Nouns]) -> Nouns:
    """Return the words for several inputs, given those of each."""
    found = set(inputs) or {PUPPET}
    return found.pop() if len(found) == 1 else ANY


def verdict(nouns: Nouns, *, complete: bool) -> str:
    """Return the sentence of every output about a catalog or policy without a cycle."""
    clean, partial = CLEAN.get(nouns, CLEAN[PUPPET])
    return clean if complete else f"incomplete; {partial}"


def counted(count: int, noun: str, nouns: str = "") -> str:
    """Return `1 promise`, `1,000 promises`."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"
