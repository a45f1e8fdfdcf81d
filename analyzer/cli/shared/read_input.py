"""What was read or compiled of one input."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from analyzer.compiles.unreached import Unreached
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog


class ReadInput:
    """The catalogs of an input, the errors of nodes, and the classes that no node has.

    `save` takes each catalog with its graph, and stores what another run needs of them. `beside` is
    the path of the site if the input is a module in which it does not look for code.
    """

    __slots__ = ("beside", "catalogs", "error", "save", "unreached")

    def __init__(
        self,
        catalogs: Sequence[Catalog],
        error: Exception | None = None,
        unreached: Sequence[Unreached] = (),
        save: Callable[[Iterable[tuple[Catalog, RelationshipGraph]]], object] = list,
        beside: str = "",
    ) -> None:
        self.catalogs = catalogs
        self.error = error
        self.unreached = unreached
        self.save = save
        self.beside = beside
