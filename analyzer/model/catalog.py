"""A compiled catalog: resources in order and what contains what."""

from __future__ import annotations

from analyzer.model.nouns import PUPPET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from analyzer.model.automatic import TypeRelation
    from analyzer.model.completeness import Gap
    from analyzer.model.resource import Resource
    from analyzer.model.statements import Record
    from analyzer.source import Span


class Catalog:
    """What a compile yields (Puppet::Resource::Catalog).

    `resources` are in catalog order, which is the order of declaration that Puppet's priorities
    rest on. `containment` are pairs of references, container first, spelled as in the catalog.
    `extra_edges` are relationships that stand in no parameter (source, target, label), as PuppetDB
    and DOT files have them; `reasons` tell of some of them by (source, target) why they are, and
    `promised` for those of a policy, whose `nouns` are CFEngine's, how they are written and where.
    `generated` are the relationships, as (source, target), that come with a resource which another
    one brings. `relations` are what types of modules say of relationships in Ruby, where a compile
    has read it. `ordered` is False where the resources are not in manifest order, `automatic` is
    False where the automatic relationships are already among the edges. `record` is what its
    manifests said besides, where it was compiled here. `namevars` and `refreshable` are what a
    compile has read of types in modules: the parameter that is a second name (empty where there is
    none), which types refresh, which do so after their own changes too, and which parameters are
    properties; `aliases` are references of relationships to resources by their keys, with the
    references by title. `alone` says that it is one class by itself: what it relates to and does
    not declare may well be there on a node. `warnings` tell what was odd in the input and was
    survived; `gaps` are what is not known about the catalog.
    """

    __slots__ = (
        "aliases",
        "alone",
        "automatic",
        "classes",
        "containment",
        "environment",
        "extra_edges",
        "format",
        "gaps",
        "generated",
        "name",
        "namevars",
        "nouns",
        "ordered",
        "path",
        "promised",
        "properties",
        "reasons",
        "record",
        "refreshable",
        "relations",
        "resources",
        "self_refreshing",
        "version",
        "warnings",
    )

    def __init__(self, resources: list[Resource], containment: list[tuple[str, str]]) -> None:
        self.resources = resources
        self.containment = containment
        self.extra_edges: list[tuple[str, str, str]] = []
        self.reasons: dict[tuple[str, str], str] = {}
        self.promised: dict[tuple[str, str], tuple[str, Span | None]] = {}
        self.nouns = PUPPET
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
        self.relations: tuple[TypeRelation, ...] = ()
        self.generated: frozenset[tuple[str, str]] = frozenset()
