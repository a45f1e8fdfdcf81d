"""Makes the automatic relationships of a graph (build_autorelation_dependencies)."""

from __future__ import annotations

from analyzer.graph.automatic.tables import standard_rules
from analyzer.graph.labels import INWARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.kernel import Kernel
    from analyzer.graph.lookup import Lookup


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
    resources, lookup = kernel.resources, kernel.lookup
    rows = kernel.rules.rows
    named = {row.target: Named(lookup, row.target) for row in rows}
    steps = {
        kind: [
            (n, rows[n].kind, rows[n].selector, rows[n].kind in INWARD, named[rows[n].target])
            for n in indices
        ]
        for kind, indices in by_type.items()
    }
    for i in concerned:
        resource = resources[i]
        for index, kind, selector, inward, ids in steps[resource.type]:
            for title in selector(resource, lookup):
                other = title if type(title) is int else ids[title]
                if other is None:
                    continue
                if inward:
                    propose(other, i, kind, index)
                else:
                    propose(i, other, kind, index)


class Named(dict[str | int, int | None]):
    """The resources of a type by title, as far as they were asked for: the same few, mostly."""

    def __init__(self, lookup: Lookup, kind: str) -> None:
        self.lookup, self.kind = lookup, kind

    def __missing__(self, title: str | int) -> int | None:
        self[title] = found = self.lookup.find(self.kind, str(title))
        return found


class DirectEdges:
    """The pairs that have a direct edge already, seen through junctions.

    At this point `succ` holds just these edges. Most of its lists are short and quickly looked
    through; of the long ones, as of a user with many files, sets are kept as well.
    """

    LONG = 16

    def __init__(self, kernel: Kernel) -> None:
        self.completed, self.succ = kernel.completed, kernel.succ
        self.automatic, self.dropped = kernel.automatic, kernel.dropped
        self.sets: dict[int, set[int]] = {}
        self.many: dict[int, list[set[int]]] = {}
        for label, members, targets in kernel.junctions:
            sources, sinks = (targets, members) if label in INWARD else (members, targets)
            sink_set = set(sinks)
            for s in sources:
                self.many.setdefault(s, []).append(sink_set)

    def has(self, source: int, target: int) -> bool:
        """Return whether source -> target is there."""
        node = self.completed[source]
        known = self.succ[node]
        if len(known) > self.LONG:
            found = self.sets.get(node)
            if found is None:
                found = self.sets[node] = set(known)
            if target in found:
                return True
        elif target in known:
            return True
        return source in self.many and any(target in sinks for sinks in self.many[source])

    def propose(self, source: int, target: int, kind: int, row: int) -> None:
        """Add the edge, or note that and why it is left out."""
        node = self.completed[source]
        ahead, back = self.succ[node], self.succ[self.completed[target]]
        longest = -1 if self.many else self.LONG
        if target in ahead if len(ahead) <= longest else self.has(source, target):
            self.dropped.append((source, target, kind, row, False))
        elif source in back if len(back) <= longest else self.has(target, source):
            self.dropped.append((source, target, kind, row, True))
        else:
            self.automatic.append((source, target, kind, row))
            ahead.append(target)
            if node in self.sets:
                self.sets[node].add(target)
