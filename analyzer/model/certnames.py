"""The names of nodes that certificates have."""

from __future__ import annotations

# The node that is compiled where none is named.
EXAMPLE_NODE = "node.example.com"


def certname_of(node: str) -> str:
    """Return the certname of a node; for the node block `default`, which has none, an example."""
    return EXAMPLE_NODE if node == "default" else node
