"""The graph on integers: vertices, containers as pairs, junctions (populate_from).

A vertex's id is its place in the catalog. A container's own id stands for its admitted end
(Puppet's admissible whit), `completed[id]` for its completed end. A many-to-many relationship is
one junction id with m+n edges instead of m*n.
"""

from __future__ import annotations

from analyzer.model.types import REFRESHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.automatic.rules import Rules
    from analyzer.graph.lookup import CatalogLookup
    from analyzer.model.catalog import Catalog

# Lists shorter than this are not compared with others.
JUNCTION_LENGTH = 8


class Kernel:
    """The graph in ids; `analyzer.graph.build` fills it.

    `declared`: (resource, label, targets) for each relationship parameter, in Puppet's order.
    `automatic`: (source, target, label, rule). `dropped`: the same, and the reason.
    `missing`: (resource, label, position, text) for references to resources that do not exist.
    `brought`: files that a folder generates during the run, each with that folder.
    `succ`: successors in the expanded graph; vertices first, completed ends, junctions last.
    """

    __slots__ = (
        "automatic",
        "brought",
        "catalog",
        "completed",
        "contents",
        "declared",
        "dropped",
        "extra",
        "junctions",
        "lookup",
        "missing",
        "owner",
        "refreshable",
        "resources",
        "rules",
        "size",
        "succ",
        "unowned",
        "vertices",
        "warnings",
    )

    def __init__(self, catalog: Catalog, lookup: CatalogLookup, rules: Rules | None = None) -> None:
        self.catalog = catalog
        self.lookup = lookup
        self.rules = rules
        self.refreshable = rules.refreshable if rules else REFRESHABLE | catalog.refreshable
        self.warnings: list[str] = []
        self.resources = self.lookup.resources
        self.vertices = len(self.resources)
        self.declared: list[tuple[int, int, tuple[int, ...]]] = []
        self.extra: list[tuple[int, int, int]] = []
        self.automatic: list[tuple[int, int, int, int]] = []
        self.dropped: list[tuple[int, int, int, int, bool]] = []
        self.missing: list[tuple[int, int, int, object]] = []
        # Rows of `declared` that come from no parameter: holder, label, other.
        self.unowned: set[tuple[int, int, int]] = set()
        self.junctions: list[tuple[int, list[int], tuple[int, ...]]] = []
        self.brought: dict[int, int] = {}
        self.contents: dict[int, list[int]] = {}
        self.owner: list[int] = []
        self.completed: list[int] = []
        self.succ: list[list[int]] = []
        self.size = 0

    def end_of(self, node: int) -> tuple[str, int]:
        """Return the role of a node of the expanded graph, and the id of its resource.

        Roles: `resource`, `admitted`, `completed`, `junction` (whose id is that of its row).
        """
        if node < self.vertices:
            return ("admitted" if self.completed[node] != node else "resource"), node
        if node < self.vertices + len(self.owner):
            return "completed", self.owner[node - self.vertices]
        return "junction", node - self.vertices - len(self.owner)

    def place_of(self, node: int) -> int:
        """Return the place in the catalog of a node's resource, which is its priority in Puppet."""
        return self.end_of(node)[1]
