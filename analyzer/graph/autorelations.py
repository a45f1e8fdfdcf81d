"""Makes the automatic relationships of a graph (build_autorelation_dependencies)."""

from __future__ import annotations

from analyzer.graph.automatic.tables import standard_rules
from analyzer.graph.labels import INWARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.graph.kernel import Kernel


def relate_automatically(kernel: Kernel) -> None:
    """Add the automatic relationships, resource by resource in catalog order.

    Puppet's rule: a relationship is skipped if the same edge or its direct opposite exists,
    explicit or automatic. Longer paths are not checked.
    """
    if kernel.rules is None:
        kernel.rules = standard_rules(kernel.lookup.typed, kernel.catalog.relations)
    resources, lookup = kernel.resources, kernel.lookup
    by_type = {k: rows for k, rows in kernel.rules.by_type.items() if k in lookup.typed}
    if not by_type:
        return
    concerned = sorted(i for kind in by_type for i in lookup.of_type(kind))
    add = DirectEdges(kernel).add
    rows = kernel.rules.rows
    # A cache of the results for titles, by type: most titles occur often.
    named: dict[str, dict[str | int, int | None]] = {}
    steps = {
        kind: [
            (n, rows[n], rows[n].selector, named.setdefault(rows[n].target, {})) for n in indices
        ]
        for kind, indices in by_type.items()
    }
    for i in concerned:
        resource = resources[i]
        for index, row, selector, known in steps[resource.type]:
            for title in selector(resource, lookup):
                try:
                    other = known[title]
                except KeyError:
                    found = title if type(title) is int else lookup.find(row.target, str(title))
                    other = known[title] = found
                if other is None:
                    continue
                kind = row.kind
                if kind in INWARD:
                    add(other, i, kind, index)
                else:
                    add(i, other, kind, index)


class DirectEdges:
    """The pairs that already have a direct edge, perhaps through a junction.

    At this point, `succ` holds exactly these edges. Most of its lists are short and quickly
    searched; `near` has sets for the long ones, such as those of a user with many files.
    """

    LONG = 16

    def __init__(self, kernel: Kernel) -> None:
        self.completed, self.succ = kernel.completed, kernel.succ
        self.automatic, self.dropped = kernel.automatic, kernel.dropped
        self.near: list[list[int] | set[int]] = [
            set(targets) if len(targets) > self.LONG else targets for targets in kernel.succ
        ]
        self.many: dict[int, list[set[int]]] = {}
        for label, members, targets in kernel.junctions:
            sources, sinks = (targets, members) if label in INWARD else (members, targets)
            sink_set = set(sinks)
            for s in sources:
                self.many.setdefault(s, []).append(sink_set)

    def joins(self, source: int, target: int) -> bool:
        """Return whether an edge from source to target exists through a junction."""
        return any(target in sinks for sinks in self.many.get(source, ()))

    def add(self, source: int, target: int, kind: int, row: int) -> None:
        """Add the edge, or record it as left out, with the reason."""
        completed, many = self.completed, self.many
        node = completed[source]
        near = self.near[node]
        if target in near or (many and self.joins(source, target)):
            self.dropped.append((source, target, kind, row, False))
        elif source in self.near[completed[target]] or (many and self.joins(target, source)):
            self.dropped.append((source, target, kind, row, True))
        else:
            self.automatic.append((source, target, kind, row))
            ahead = self.succ[node]
            ahead.append(target)
            if type(near) is set:
                near.add(target)
            elif len(ahead) > self.LONG:
                self.near[node] = set(ahead)
