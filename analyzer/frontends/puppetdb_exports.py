"""Leaves out what a catalog of PuppetDB has and no agent applies: exports not collected.

Puppet stores a catalog with all its exported resources, and `exported` is true for those that the
node collects itself too. Only these are applied. The terminus
(puppet/indirector/catalog/puppetdb.rb) makes edges of the relationships of applied resources only,
and refuses a relationship to an export that is not collected; a defined type has contents only if
it was collected.
"""

from __future__ import annotations

from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.model.resource import Resource
from analyzer.source import Span

RELATIONSHIPS = ("before", "notify", "require", "subscribe")

# Types of which no automatic relationship begins or ends: without relationships of their own they
# change no order.
UNRELATED = frozenset({"Host", "Mailalias", "Notify", "Schedule", "Sshkey"})

REASON = "is exported, and PuppetDB does not keep whether this node collects it"


def leave_out_exports(catalog: Catalog) -> None:
    """Remove the exported resources that the node does not collect, and note the doubtful ones."""
    connected = {end for source, target, _ in catalog.extra_edges for end in (source, target)}
    connected |= {source for source, _ in catalog.containment}
    gone = {
        f"{one.type}[{one.title}]": one
        for one in catalog.resources
        if one.exported and f"{one.type}[{one.title}]" not in connected
    }
    catalog.resources = [one for one in catalog.resources if f"{one.type}[{one.title}]" not in gone]
    catalog.containment = [pair for pair in catalog.containment if pair[1] not in gone]
    catalog.gaps += [gap_of(ref, one) for ref, one in gone.items() if is_doubtful(one)]


def is_doubtful(one: Resource) -> bool:
    """Return whether an export without edges may be collected all the same."""
    return "::" not in one.type and not any(one.parameters.get(name) for name in RELATIONSHIPS)


def gap_of(ref: str, one: Resource) -> Gap:
    """Return the gap of an export."""
    span = Span(one.file, one.line or 0) if one.file else None
    related = one.type not in UNRELATED and not one.type.startswith("Nagios_")
    return Gap("data", ref, REASON, span, hides=related)
