"""A rule of automatic relationships, and a set of rules by type (Puppet::Type.autorequire)."""

from __future__ import annotations

from analyzer.graph.labels import (
    AUTOBEFORE,
    AUTONOTIFY,
    AUTOREQUIRE,
    AUTOSUBSCRIBE,
    NAMES,
)
from analyzer.model.types import NAMEVARS, REFRESHABLE, SELF_REFRESHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analyzer.graph.automatic.selectors import Selector


class AutoRelation:
    """A row: resources of `type` are related to those of `target` that the selector names.

    `kind` is one of the AUTO labels, `source` the place of the rule in Puppet. Rows of one type and
    kind are applied in the order of the table. (A slotted class, because the tables are read at
    every start.)
    """

    __slots__ = ("kind", "selector", "source", "target", "type")

    def __init__(
        self, type: str, kind: int, target: str, selector: Selector, source: str = ""
    ) -> None:
        self.type = type
        self.kind = kind
        self.target = target
        self.selector = selector
        self.source = source

    @property
    def id(self) -> str:
        """Return the rule's name for display: `file autorequires user`."""
        return f"{self.type.lower()} {NAMES[self.kind]}s {self.target.lower()}"


class Rules:
    """The rows by type, and users' other settings of their types."""

    __slots__ = ("by_type", "namevars", "refreshable", "rows", "self_refreshing")

    def __init__(
        self,
        rows: Iterable[AutoRelation],
        namevars: Mapping[str, str] = NAMEVARS,
        refreshable: frozenset[str] = REFRESHABLE,
        self_refreshing: frozenset[str] = SELF_REFRESHING,
    ) -> None:
        self.rows = tuple(rows)
        self.namevars = namevars
        self.refreshable = refreshable
        self.self_refreshing = self_refreshing
        self.by_type: dict[str, list[int]] = {}
        for index, row in enumerate(self.rows):
            self.by_type.setdefault(row.type, []).append(index)
        for indices in self.by_type.values():
            indices.sort(key=self._order)

    def _order(self, index: int) -> int:
        return BUILD_ORDER.index(self.rows[index].kind)

    def wanted(self, typed: Mapping[str, object]) -> bool:
        """Return whether any of these types has a row."""
        return not self.by_type.keys().isdisjoint(typed)


# Puppet's order of kinds for each resource (RelationshipGraph#build_autorelation_dependencies).
BUILD_ORDER = (AUTOREQUIRE, AUTOSUBSCRIBE, AUTOBEFORE, AUTONOTIFY)
