"""A compiled catalog: resources in order, and their containment."""

from __future__ import annotations

from analyzer.model.nouns import BUNDLE, PUPPET, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

    from analyzer.model.automatic import TypeRelation
    from analyzer.model.completeness import Gap
    from analyzer.model.resource import Resource
    from analyzer.model.statements import Record
    from analyzer.source import Span


class Catalog:
    """The result of a compile (Puppet::Resource::Catalog).

    - `resources`: in catalog order, the order of declaration that Puppet's priorities rest on.
    - `containment`: pairs of references, container first, spelled as in the catalog.
    - `extra_edges`: relationships that are in no parameter (source, target, label), as in PuppetDB
      and DOT files; `edges_from` names that source.
    - `reasons`: the reasons for some of them, by (source, target).
    - `promised`: for a policy, their spelling and places; `nouns` are CFEngine's then.
    - `generated`: relationships (source, target) of generated resources.
    - `relations`: relationships that types of modules declare in Ruby, if the compile has read it.
    - `ordered`: False if the resources are not in manifest order.
    - `automatic`: False if the edges already include the automatic relationships.
    - `record`: further statements of its manifests, if it was compiled here.
    - `namevars`: by type, the parameter that is a second name; empty if there is none.
    - `refreshable`, `self_refreshing`: types that refresh; types that refresh after their own
      changes.
    - `properties`: by type, the parameters that are properties.
    - `aliases`: references to resources by their keys, with the references by title.
    - `alone`: it is one class by itself; a node may declare the missing targets of its
      relationships.
    - `warnings`: oddities of the input that were accepted.
    - `gaps`: the unknown parts of the catalog.
    - `modules`: if it was compiled here, the folders of modules, and the folders that may be read.
    - `placeholders`: the classes and defined types, in small letters, whose definitions are not
      there; an empty one stands for each.
    - `served`: by folder with `recurse`, the files that modules hold for it, as relative paths with
      parameters; `unserved`: why the files of other folders are not known. Both are filled for
      graphs that show them.
    - `writer`: the exporter that makes the JSON of `to_json`; it needs the graph.
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
        "generated",
        "modules",
        "name",
        "namevars",
        "nouns",
        "ordered",
        "path",
        "placeholders",
        "promised",
        "properties",
        "reasons",
        "record",
        "refreshable",
        "relations",
        "resources",
        "self_refreshing",
        "served",
        "unserved",
        "version",
        "warnings",
        "writer",
    )

    def __init__(self, resources: list[Resource], containment: list[tuple[str, str]]) -> None:
        self.resources = resources
        self.containment = containment
        self.extra_edges: list[tuple[str, str, str]] = []
        self.edges_from = ""
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
        self.placeholders: frozenset[str] = frozenset()
        self.modules: tuple[Sequence[str], Collection[str] | None] | None = None
        self.served: Mapping[str, Sequence[tuple[str, dict[str, object]]]] = {}
        self.unserved: tuple[Gap, ...] = ()
        self.writer: Callable[[Catalog], str] | None = None

    def to_json(self) -> str:
        """Return the catalog in the JSON that Puppet prints, as `catgraph compile` does.

        Raises:
            ValueError: the catalog comes from neither `compile` nor `load_catalog`.
        """
        if self.writer is None:
            raise ValueError("only catalogs of compile() and load_catalog() can be written")
        return self.writer(self)

    def __repr__(self) -> str:
        name = self.name or self.path or "without a name"
        count = len(self.resources)
        gaps = f", {len(self.gaps)} unknown" if self.gaps else ""
        return f"<Catalog {name}: {count} resource{'s' * (count != 1)}{gaps}>"


def recurses(catalog: Catalog) -> bool:
    """Return whether folders may generate files in a run."""
    return any(one.type == "File" and "recurse" in one.parameters for one in catalog.resources)


def size_of(catalog: Catalog, edges: int) -> str:
    """Return the size of a catalog, or of the run of a policy, in words."""
    nouns, total = catalog.nouns, len(catalog.resources)
    if nouns is PUPPET:
        return f"{counted(total, nouns.node)}, {counted(edges, nouns.edge)}"
    bundles = sum(resource.type == BUNDLE for resource in catalog.resources)
    return f"{counted(total - bundles, nouns.node)} in {counted(bundles, 'bundle')}"
