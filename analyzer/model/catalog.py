"""A compiled catalog: resources in order and what contains what."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from analyzer.model.completeness import Gap
    from analyzer.model.resource import Resource
    from analyzer.model.statements import Record


class Catalog:
    """What a compile yields (Puppet::Resource::Catalog).

    `resources` are in catalog order, which is the order of declaration that Puppet's priorities
    rest on. `containment` are pairs of references, container first, spelled as in the catalog.
    `extra_edges` are relationships that stand in no parameter (source, target, label), as PuppetDB
    and DOT files have them; which `edges_from` names; `reasons` tell of some of them by
    (source, target) why they are.
    `ordered` is False where the resources are not in manifest order,
    `automatic` is False where the automatic relationships are already among the edges.
    `record` is what its manifests said besides, where it was compiled here. `namevars` and
    `refreshable` are what a compile has read of types in modules: the parameter that is a second
    name (empty where there is none), which types refresh, which do so after their own changes too,
    and which parameters are properties; `aliases` are references of relationships to resources by
    their keys, with the references by title. `alone` says that it is one class by itself: what it
    relates to and does not declare may well be there on a node. `warnings` tell what was odd in
    the input and was survived.
    """

    __slots__ = (
        "aliases",
        "alone",
        "automatic",
        "classes",
        "containment",
        "edges_from",
        "environment",
        "extra_edges",
        "format",
        "gaps",
        "name",
        "namevars",
        "ordered",
        "path",
        "properties",
        "reasons",
        "record",
        "refreshable",
        "resources",
        "self_refreshing",
        "version",
        "warnings",
    )

    def __init__(self, resources: list[Resource], containment: list[tuple[str, str]]) -> None:
        self.resources = resources
        self.containment = containment
        self.extra_edges: list[tuple[str, str, str]] = []
        self.edges_from = ""
        self.reasons: dict[tuple[str, str], str] = {}
        self.name = ""
        self.environment = ""
        self.version: Any = None
        self.format = 0
        self.classes: list[str] = []
        self.path = ""
        self.alone = False
        self.ordered = True
        self.automatic = True
        self.record: Record | None = None
        self.namevars: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.refreshable: frozenset[str] = frozenset()
        self.self_refreshing: frozenset[str] = frozenset()
        self.properties: dict[str, frozenset[str]] = {}
        self.warnings: list[str] = []
        self.gaps: list[Gap] = []
