"""Builds the graph on integers, in the order of Puppet's passes (populate_from)."""

from __future__ import annotations

from analyzer.graph.algorithms.components import is_cyclic
from analyzer.graph.kernel import JUNCTION_LENGTH, Kernel
from analyzer.graph.labels import INWARD, METAPARAMETERS
from analyzer.graph.lookup import CatalogLookup, as_list, namevars_of
from analyzer.model.nouns import PUPPET
from analyzer.model.resource import Resource, is_container
from analyzer.model.types import BUILT_IN, GENERATING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.graph.automatic.rules import Rules
    from analyzer.model.catalog import Catalog

    # Tuples, because they take less memory than lists.
    Ids = tuple[int, ...]


def build(catalog: Catalog, rules: Rules | None = None) -> Kernel:
    """Return the graph of a catalog; `rules` are automatic rules other than the standard ones.

    A catalog with a cycle is not applied, so its folders generate no files.
    """
    kernel = build_once(catalog, rules)
    if catalog.served and not is_cyclic(kernel.succ):
        kernel = build_once(catalog, rules, recurse=True)
    return kernel


def build_once(catalog: Catalog, rules: Rules | None, *, recurse: bool = False) -> Kernel:
    """Return the graph of a catalog; with `recurse`, add the files that its folders generate."""
    kernel = empty_kernel(catalog, rules, recurse=recurse)
    read_containment(kernel)
    files = None
    if recurse:
        from analyzer.graph.recursed import Recursed

        files = Recursed(kernel)
        files.hide()
    shared = read_metaparameters(kernel)
    if kernel.catalog.generated:
        from analyzer.graph.generated import miss_generated

        miss_generated(kernel)
    read_extra_edges(kernel)
    kernel.succ = [[] for _ in range(kernel.vertices + len(kernel.owner))]
    connect_declared(kernel, shared)
    if kernel.catalog.automatic and (
        kernel.rules is None or kernel.rules.wanted(kernel.lookup.typed)
    ):
        from analyzer.graph.autorelations import relate_automatically

        relate_automatically(kernel)
    if files is not None:
        files.connect()
    connect_containers(kernel)
    kernel.size = len(kernel.succ)
    return kernel


def empty_kernel(catalog: Catalog, rules: Rules | None, *, recurse: bool) -> Kernel:
    """Return a graph of the catalog's resources, and of those they generate, without edges."""
    namevars: Mapping[str, str] = rules.namevars if rules else namevars_of(catalog)
    lookup = CatalogLookup(with_built_in(catalog), namevars, catalog.aliases)
    if lookup.repeated:
        leave_out_repeated(catalog)
        lookup = CatalogLookup(with_built_in(catalog), namevars, catalog.aliases)
    generating = GENERATING.difference(
        one.type for one in catalog.relations if one.kind == "generate" and not one.unknown
    )
    if catalog.automatic and not generating.isdisjoint(lookup.typed):
        from analyzer.graph.generated import with_generated

        catalog = with_generated(catalog, lookup, types=generating)
        lookup = CatalogLookup(with_built_in(catalog), namevars, catalog.aliases)
    if recurse:
        from analyzer.graph.recursed import with_recursed

        catalog = with_recursed(catalog)
        lookup = CatalogLookup(with_built_in(catalog), namevars, catalog.aliases)
    return Kernel(catalog, lookup, rules)


def with_built_in(catalog: Catalog) -> list[Resource]:
    """Return the catalog's resources followed by the defaults that it does not declare itself."""
    if catalog.nouns is not PUPPET:
        return catalog.resources
    kinds = dict.fromkeys(kind for kind, _ in BUILT_IN)
    present = {(r.type, r.title) for r in catalog.resources if r.type in kinds}
    added = [
        Resource(kind, title, {}, kind="compilable_type")
        for kind, title in BUILT_IN
        if (kind, title) not in present
    ]
    return catalog.resources + added


def leave_out_repeated(catalog: Catalog) -> None:
    """Keep the first of several resources with one reference; Puppet refuses such a catalog."""
    found: dict[str, Resource] = {}
    again: dict[str, None] = {}
    for resource in catalog.resources:
        ref = str(resource)
        if found.setdefault(ref, resource) is not resource:
            again[ref] = None
    catalog.resources = list(found.values())
    more = f" and {len(again) - 3} more" if len(again) > 3 else ""
    catalog.warnings.append(
        f"declared more than once: {', '.join([*again][:3])}{more}; the first counts"
    )


def read_containment(kernel: Kernel) -> None:
    """Fill `contents` (in the order of the contents, as in Puppet's tables) and the containers."""
    by_ref, find = kernel.lookup.by_ref, kernel.lookup.find_declared
    contents: dict[int, list[int]] = {}
    lost = 0
    for source, target in kernel.catalog.containment:
        s = by_ref.get(source)
        t = by_ref.get(target)
        if s is None or t is None:
            s, t = find(source), find(target)
            if s is None or t is None:
                lost += 1
                continue
        if s in contents:
            contents[s].append(t)
        else:
            contents[s] = [t]
    if lost:
        edges = "containment edge names" if lost == 1 else "containment edges name"
        kernel.warnings.append(f"{lost} {edges} resources that are not there")
    for ids in contents.values():
        ids.sort()
    if kernel.catalog.generated:
        from analyzer.graph.generated import contain_generated

        contain_generated(kernel, contents)
    kernel.contents = contents
    warn_of_shared(kernel)
    kernel.completed = completed = kernel.lookup.ids.copy()
    for i, resource in zip(kernel.lookup.ids, kernel.resources, strict=True):
        if is_container(resource, i in contents):
            completed[i] = kernel.vertices + len(kernel.owner)
            kernel.owner.append(i)


def warn_of_shared(kernel: Kernel) -> None:
    """Warn of resources with several containers; in Puppet's catalogs only classes have them."""
    contents = kernel.contents.values()
    if sum(map(len, contents)) == len(set().union(*contents)):
        return
    seen: set[int] = set()
    again: dict[str, None] = {}
    for ids in contents:
        for i in ids:
            if i in seen and kernel.resources[i].type != "Class":
                again[str(kernel.resources[i])] = None
            seen.add(i)
    if again:
        more = f" and {len(again) - 3} more" if len(again) > 3 else ""
        kernel.warnings.append(
            f"contained more than once: {', '.join([*again][:3])}{more}; Puppet makes that of "
            "classes only"
        )


def read_metaparameters(kernel: Kernel) -> dict[tuple[int, Ids], list[int]]:
    """Resolve require, subscribe, before and notify; return long equal lists with their owners."""
    by_ref, declared = kernel.lookup.by_ref, kernel.declared
    find = by_ref.__getitem__
    long_lists = LongLists(kernel)
    for i, resource in zip(kernel.lookup.ids, kernel.resources, strict=True):
        parameters = resource.parameters
        for name, label in METAPARAMETERS:
            if name not in parameters:
                continue
            value = parameters[name]
            if type(value) is list and len(value) >= JUNCTION_LENGTH:
                ids = long_lists.resolve(i, label, value)
            else:
                try:
                    ids = (*map(find, value),) if type(value) is list else (by_ref[value],)
                except (KeyError, TypeError):
                    ids = resolve(kernel, i, label, value)
            if ids:
                declared.append((i, label, ids))
    return long_lists.rows


class LongLists:
    """The rows of `declared` with the same long list of targets, which a collector chain made.

    The resources of a chain are mostly adjacent. So a list is first compared with the previous one,
    which takes far less time than resolving its references.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.rows: dict[tuple[int, Ids], list[int]] = {}
        self.last: dict[int, tuple[list[object], Ids, list[int]]] = {}

    def resolve(self, i: int, label: int, value: list[object]) -> Ids:
        """Return the ids that a list refers to, and record the resource that has the list."""
        last = self.last.get(label)
        if last is not None and value == last[0]:
            _, ids, rows = last
        else:
            ids = resolve(self.kernel, i, label, value)
            if len(ids) < JUNCTION_LENGTH:
                return ids
            rows = self.rows.setdefault((label, ids), [])
            # Missing targets are resolved each time, so that every resource reports them.
            if len(ids) == len(value):
                self.last[label] = value, ids, rows
        rows.append(len(self.kernel.declared))
        return ids


def resolve(kernel: Kernel, i: int, label: int, value: object) -> Ids:
    """Return the ids of a parameter's references; record references that match nothing."""
    by_ref = kernel.lookup.by_ref
    ids = []
    for position, entry in enumerate(as_list(value)):
        try:
            ids.append(by_ref[entry])
        except (KeyError, TypeError):
            found = kernel.lookup.find_ref(entry)
            if found is None:
                kernel.missing.append((i, label, position, entry))
            else:
                ids.append(found)
    return tuple(ids)


def read_extra_edges(kernel: Kernel) -> None:
    """Add relationships that are in no parameter, unless a parameter has the same."""
    if not kernel.catalog.extra_edges:
        return
    known = {(i, label, t) for i, label, ids in kernel.declared for t in ids}
    labels = dict(METAPARAMETERS)
    for source, target, name in kernel.catalog.extra_edges:
        s, t = kernel.lookup.find_ref(source), kernel.lookup.find_ref(target)
        label = labels[name]
        if s is None or t is None:
            kernel.warnings.append(
                f"an edge names a resource that is not there: {source}, {target}"
            )
            continue
        if label in INWARD:
            s, t = t, s
        if (s, label, t) not in known:
            kernel.declared.append((s, label, (t,)))
            kernel.unowned.add((s, label, t))


def connect_declared(kernel: Kernel, shared: dict[tuple[int, Ids], list[int]]) -> None:
    """Add the explicit edges; equal lists of several resources share one junction."""
    succ, completed, declared = kernel.succ, kernel.completed, kernel.declared
    joined: set[int] = set()
    for (label, _), rows in shared.items():
        if len(rows) > 1:
            joined.update(rows)
            targets = declared[rows[0]][2]
            kernel.junctions.append((label, [declared[row][0] for row in rows], targets))
            for row in rows:
                declared[row] = (declared[row][0], label, targets)
    for row, (i, label, ids) in enumerate(declared):
        if row in joined:
            continue
        if label in INWARD:
            for s in ids:
                succ[completed[s]].append(i)
        else:
            succ[completed[i]].extend(ids)
    for label, members, targets in kernel.junctions:
        node = len(succ)
        sources, sinks = (targets, members) if label in INWARD else (members, targets)
        succ.append(list(sinks))
        for s in sources:
            succ[completed[s]].append(node)


def connect_containers(kernel: Kernel) -> None:
    """Add the edges of containers: admitted before contents before completed."""
    succ, completed = kernel.succ, kernel.completed
    for x in kernel.owner:
        contents = kernel.contents.get(x)
        end = completed[x]
        if contents is None:
            succ[x].append(end)
            continue
        succ[x].extend(contents)
        for v in contents:
            succ[completed[v]].append(end)
