"""A compiled catalog: resources in order, and their containment."""

from __future__ import annotations

from analyzer.model.nouns import BUNDLE, PUPPET, counted
from analyzer.model.resource import is_container

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
    - `resolves_first`: True if the agent computes Deferred values before it relates resources (the
      setting preprocess_deferred); otherwise it makes no automatic relationship from them.
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
    - `graph`: its graph, where that is all that is known of it.
    - `explain`: the function that compiles it once more, to answer `why`.
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
        "explain",
        "extra_edges",
        "format",
        "gaps",
        "generated",
        "graph",
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
        "resolves_first",
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
        self.resolves_first = False
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
        self.modules: tuple[Sequence[str], Collection[str]] | None = None
        self.served: Mapping[str, Sequence[tuple[str, dict[str, object]]]] = {}
        self.unserved: tuple[Gap, ...] = ()
        self.graph: Any = None
        self.writer: Callable[[Catalog], str] | None = None
        self.explain: Callable[[str, str | None], list[Any]] | None = None

    @property
    def definitions(self) -> frozenset[str]:
        """Return the names of its classes, and of the defined types of its resources.

        A placeholder for a missing one does not count.
        """
        names = ((r.title if r.type == "Class" else r.type).lower() for r in self.resources)
        return frozenset(names) - self.placeholders

    def to_json(self) -> str:
        """Return the catalog in the JSON that Puppet prints, as `catgraph compile` does.

        Raises:
            ValueError: the catalog comes from neither `compile` nor `load_catalog`.
        """
        if self.writer is None:
            raise ValueError("only catalogs of compile() and load_catalog() can be written")
        return self.writer(self)

    def why(self, ref: str, parameter: str | None = None) -> list[Any]:
        """Return why a resource exists, or where the value of a parameter comes from.

        The rows have a `depth`, a `kind`, a `text` and a `span`; a deeper row is a cause of the one
        above it.

        Raises:
            KeyError: there is no such resource, or it has no such parameter.
            ValueError: the catalog does not come from `compile`.
        """
        if self.explain is None:
            raise ValueError("only catalogs of compile() can be explained")
        return self.explain(ref, parameter)

    def __repr__(self) -> str:
        name = self.name or self.path or "without a name"
        count = resource_count(self)
        gaps = f", {len(self.gaps)} unknown" if self.gaps else ""
        return f"<Catalog {name}: {count} resource{'s' * (count != 1)}{gaps}>"


def recurses(catalog: Catalog) -> bool:
    """Return whether folders may generate files in a run."""
    return any(one.type == "File" and "recurse" in one.parameters for one in catalog.resources)


def resource_count(catalog: Catalog) -> int:
    """Return the number of resources without containers, which Puppet's report does not count.

    A run adds Puppet's own: six schedules and a filebucket.
    """
    holders = {source for source, _ in catalog.containment}
    return sum(
        not is_container(one, f"{one.type}[{one.title}]" in holders) for one in catalog.resources
    )


def run_size(total: int, added: int, noun: str = PUPPET.node) -> str:
    """Return the number of resources of a run in words, with those that Puppet adds by itself."""
    own = counted(total - added, noun)
    return f"{own} and {added:,} of Puppet's own" if added else own


def size_of(catalog: Catalog, edges: int) -> str:
    """Return the size of a catalog, or of the run of a policy, in words."""
    nouns = catalog.nouns
    size = counted(resource_count(catalog), nouns.node)
    if nouns is PUPPET:
        return f"{size}, {counted(edges, nouns.edge)}"
    bundles = sum(resource.type == BUNDLE for resource in catalog.resources)
    return f"{size} in {counted(bundles, 'bundle')}"
