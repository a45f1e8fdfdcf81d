"""Automatic relationships: rows of a table, and the one rule of applying them (autorelation)."""

from __future__ import annotations

from analyzer.graph.labels import (
    AUTOBEFORE,
    AUTONOTIFY,
    AUTOREQUIRE,
    AUTOSUBSCRIBE,
    INWARD,
    NAMES,
)
from analyzer.model.types import NAMEVARS, REFRESHABLE, SELF_REFRESHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from analyzer.graph.automatic.selectors import Selector
    from analyzer.graph.kernel import Kernel
    from analyzer.model.automatic import TypeRelation


class AutoRelation:
    """A row: resources of `type` are related to those of `target` that the selector names.

    `kind` is one of the AUTO labels, `source` where Puppet has the rule. Rows of one type and
    kind are applied in the order of the table. (A slotted class, as the tables are read at every
    start.)
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
        """The rule's name, as shown: `file autorequires user`."""
        return f"{self.type.lower()} {NAMES[self.kind]}s {self.target.lower()}"


class Rules:
    """The rows by type, and what else users may say of their types."""

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
        """Tell whether any of these types has a row."""
        return not self.by_type.keys().isdisjoint(typed)


# Puppet asks each resource in this order (RelationshipGraph#build_autorelation_dependencies).
BUILD_ORDER = (AUTOREQUIRE, AUTOSUBSCRIBE, AUTOBEFORE, AUTONOTIFY)


def standard_rules(typed: Mapping[str, object], read: Iterable[TypeRelation] = ()) -> Rules:
    """Return the rules for the types of a catalog: Puppet's own, the modules' where one occurs.

    `read` is what types say in Ruby, which counts for those that no table has.
    """
    from analyzer.graph.automatic import core as rules_core

    # Types written in the Puppet language that are named after a module have no rules.
    if all(kind in rules_core.KNOWN or "::" in kind for kind in typed):
        return Rules(rules_core.ROWS)
    from analyzer.graph.automatic import modules as rules_modules

    rows = rules_core.ROWS + rules_modules.ROWS
    return Rules([*rows, *(row_read(one) for one in read if one.titles and not is_tabled(one))])


def is_tabled(relation: TypeRelation) -> bool:
    """Return whether a table has the type of what was read in Ruby."""
    from analyzer.graph.automatic import core as rules_core
    from analyzer.graph.automatic import modules as rules_modules

    without = rules_core.KNOWN | rules_modules.WITHOUT_ROWS
    return relation.type in without or any(r.type == relation.type for r in rules_modules.ROWS)


def row_read(relation: TypeRelation) -> AutoRelation:
    """Return the row that stands for what a type says in Ruby."""
    titles = relation.titles
    return AutoRelation(
        relation.type,
        NAMES.index(relation.kind),
        relation.target,
        lambda resource, _: titles.get(str(resource), ()),
        relation.source,
    )


def relate_automatically(kernel: Kernel) -> None:
    """Add the automatic relationships, resource by resource in catalog order.

    Puppet's rule: skipped when the same edge is there, or the direct opposite one, whether
    explicit or an automatic one made earlier; longer ways round are not looked at.
    """
    if kernel.rules is None:
        kernel.rules = standard_rules(kernel.lookup.typed, kernel.catalog.relations)
    by_type = kernel.rules.by_type
    concerned = [i for kind in by_type for i in kernel.lookup.of_type(kind)]
    if not concerned:
        return
    concerned.sort()
    propose = DirectEdges(kernel).propose
    rows, resources, lookup = kernel.rules.rows, kernel.resources, kernel.lookup
    for i in concerned:
        resource = resources[i]
        for index in by_type[resource.type]:
            row = rows[index]
            inward = row.kind in INWARD
            for title in row.selector(resource, lookup):
                other = title if type(title) is int else lookup.find(row.target, str(title))
                if other is not None:
                    source, target = (other, i) if inward else (i, other)
                    propose(source, target, row.kind, index)


class DirectEdges:
    """Which pairs have a direct edge already, seen through junctions.

    At this point `succ` holds just these edges. Most of its lists are short and quickly looked
    through; of the long ones, as of a user with many files, sets are kept beside them.
    """

    LONG = 16

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.sets: dict[int, set[int]] = {}
        self.many: dict[int, list[set[int]]] = {}
        for label, members, targets in kernel.junctions:
            sources, sinks = (targets, members) if label in INWARD else (members, targets)
            sink_set = set(sinks)
            for s in sources:
                self.many.setdefault(s, []).append(sink_set)

    def has(self, source: int, target: int) -> bool:
        """Tell whether source -> target is there."""
        node = self.kernel.completed[source]
        known: Collection[int] = self.sets.get(node) or self.kernel.succ[node]
        if target in known:
            return True
        if type(known) is list and len(known) > self.LONG:
            self.sets[node] = set(known)
        return source in self.many and any(target in sinks for sinks in self.many[source])

    def propose(self, source: int, target: int, kind: int, row: int) -> None:
        """Add the edge, or note that and why it is left out."""
        kernel = self.kernel
        if self.has(source, target):
            kernel.dropped.append((source, target, kind, row, False))
        elif self.has(target, source):
            kernel.dropped.append((source, target, kind, row, True))
        else:
            node = kernel.completed[source]
            kernel.automatic.append((source, target, kind, row))
            kernel.succ[node].append(target)
            if node in self.sets:
                self.sets[node].add(target)


__all__ = ["AUTOBEFORE", "AUTONOTIFY", "AUTOREQUIRE", "AUTOSUBSCRIBE", "AutoRelation", "Rules"]
