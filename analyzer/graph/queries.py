"""Questions about a graph: why, what waits, and the effects of a failure or a change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from analyzer.graph.algorithms.walks import Walker
from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import EVENTFUL, INWARD, NAMES
from analyzer.graph.provenance import Hop, Provenance
from analyzer.model.catalog import Catalog
from analyzer.model.names import canonical_ref, split_ref
from analyzer.model.refs import ResourceRef
from analyzer.model.resource import REDACTED, Resource, is_sensitive
from analyzer.source import Span

# The resources that a message names.
EXAMPLES = 3
# The most missing targets with a "did you mean": comparing all names takes time.
SUGGESTED = 20


@dataclass(frozen=True, slots=True)
class Why:
    """The order of two resources, with the edges that it follows from.

    `verdict` is `before`, `after`, `cycle` (both), or `unordered`. `hops` are a shortest path in
    the direction of the verdict. For `unordered`, `by_place` is the one that is applied first only
    because of its place in the catalog.
    """

    first: ResourceRef
    second: ResourceRef
    verdict: str
    hops: tuple[Hop, ...]
    by_place: ResourceRef | None = None


@dataclass(frozen=True, slots=True)
class Impact:
    """The resources that depend on one resource.

    `waits`: applied directly after it. `skipped`: all that Puppet skips if it fails. `refreshed`:
    all that a change of it refreshes, directly or through restarts. `ignored`: receive its events,
    but their type cannot refresh. `in_cycle`: it depends on itself, so that Puppet applies nothing
    of the catalog.
    """

    ref: ResourceRef
    waits: tuple[ResourceRef, ...]
    skipped: tuple[ResourceRef, ...]
    refreshed: tuple[ResourceRef, ...]
    ignored: tuple[ResourceRef, ...]
    in_cycle: bool


@dataclass(frozen=True, slots=True)
class MissingTarget:
    """A reference in a relationship parameter to a resource that does not exist.

    `virtual`: the resource is declared, but virtual, and nothing realizes it.
    """

    declared_by: ResourceRef
    parameter: str
    target: str
    message: str
    span: Span | None
    suggestions: tuple[str, ...]
    virtual: bool = False

    @property
    def hint(self) -> str:
        """Return the hint at a name that was not found; empty if there is none."""
        if self.virtual:
            return f"{self.target} is virtual and nothing realizes it"
        return f"did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""


def locate(kernel: Kernel, ref: str) -> int:
    """Return the id of a resource given by reference.

    Raises:
        KeyError: it is not in the catalog; the message has similar names.
    """
    found = kernel.lookup.find_ref(ref)
    if found is None:
        near = did_you_mean(kernel, ref)
        hint = f"; did you mean {' or '.join(near)}?" if near else of_the_type(kernel, ref)
        raise KeyError(f"{ref} is not in {inside(kernel.catalog)}{hint}")
    return found


def of_the_type(kernel: Kernel, ref: str) -> str:
    """Return the end of a message that names some resources of the type of a reference."""
    kind = ref.partition("[")[0]
    same = [str(one) for one in kernel.resources if one.type.lower() == kind.lower()]
    if len(same) > EXAMPLES:
        same[EXAMPLES:] = [f"{len(same) - EXAMPLES:,} more"]
    return f", which has {', '.join(same)}" if same else f", which has no {kind}"


def inside(catalog: Catalog) -> str:
    """Return the gaps of the catalog that a missing resource may be in."""
    return f"the {catalog.nouns.whole}"


def did_you_mean(kernel: Kernel, ref: object) -> tuple[str, ...]:
    """Return up to three references similar to a given one, the best first."""
    from difflib import get_close_matches

    text = str(ref)
    kind = text.partition("[")[0]
    known = list(kernel.lookup.by_ref)
    same = [k for k in known if k.startswith(f"{kind}[")]
    near = get_close_matches(text, same, 3, 0.75) or get_close_matches(text, known, 2, 0.8)
    near = [one for one in near if is_spelling(text, one)]
    title = text.partition("[")[2]
    elsewhere = [k for k in known if title and k.partition("[")[2] == title]
    return tuple(dict.fromkeys([*near, *elsewhere]))[:3]


def is_spelling(text: str, other: str) -> bool:
    """Return whether the parts of two names that differ are similar.

    In a path they may be other users' folders, which no spelling mistake leads to.
    """
    from difflib import SequenceMatcher

    parts, others = text.split("/"), other.split("/")
    differing = [(one, two) for one, two in zip(parts, others, strict=False) if one != two]
    if len(parts) < 2 or len(parts) != len(others):
        return True
    return all(SequenceMatcher(None, one, two).ratio() >= 0.6 for one, two in differing)


def missing_targets(
    kernel: Kernel, provenance: Provenance, suggested: int = SUGGESTED
) -> list[MissingTarget]:
    """Return every relationship target that is missing, in Puppet's words (finalize).

    The first `suggested` of them have suggestions.
    """
    found: list[MissingTarget] = []
    record = kernel.catalog.record
    virtual = record.virtual if record else frozenset()
    for i, label, _, value in kernel.missing:
        resource = kernel.resources[i]
        parts = split_ref(value) if isinstance(value, str) else None
        near: tuple[str, ...] = ()
        if parts:
            target = canonical_ref(*parts)
            role = "dependency" if label in INWARD else "dependent"
            message = f"Could not find {role} {target} for {resource}"
            if target not in virtual and len(found) < suggested:
                near = tuple(x for x in did_you_mean(kernel, target) if x != str(resource))
        else:
            secret = NAMES[label] in (resource.sensitive or ()) or is_sensitive(value)
            target = REDACTED if secret else str(value)
            shown = f'"{target}"' if isinstance(value, str) and not secret else target
            message = (
                f"Parameter {NAMES[label]} failed on {resource}: "
                f"No title provided and {shown} is not a valid resource reference"
            )
        message += error_location(resource)
        declared, span = provenance.refs[i], resource.span
        is_virtual = target in virtual
        found.append(MissingTarget(declared, NAMES[label], target, message, span, near, is_virtual))
    return found


def error_location(resource: Resource) -> str:
    """Return where a resource was declared, as Puppet ends its messages (Util::Errors)."""
    parts = []
    if resource.file:
        parts.append(f"file: {resource.file}")
    if resource.line:
        parts.append(f"line: {resource.line}")
    return f" ({', '.join(parts)})" if parts else ""


def whole_graph(kernel: Kernel) -> Walker:
    """Return a walker over all nodes."""
    return Walker(kernel.succ, kernel.vertices + len(kernel.owner), lambda _: True)


def explain_order(kernel: Kernel, provenance: Provenance, first: str, second: str) -> Why:
    """Explain how two resources are ordered.

    A container is before a resource if its completed end is, and after it if its admitted end is:
    "before the class" is before all of its contents.
    """
    a, b = locate(kernel, first), locate(kernel, second)
    walker = whole_graph(kernel)
    ahead = walker.path(kernel.completed[a], b)
    back = walker.path(kernel.completed[b], a)
    verdict = "cycle" if ahead and back else "before" if ahead else "after" if back else ""
    path = ahead or back
    if not verdict:
        path = inside_path(kernel, walker, a, b)
        verdict = "contains" if path else "unordered"
    hops = tuple(provenance.hop(s, t) for s, t in pairwise(path or ()))
    by_place = None
    if verdict == "unordered":
        by_place = first_in_order(kernel, provenance, a, b)
    return Why(provenance.refs[a], provenance.refs[b], verdict, hops, by_place)


def inside_path(kernel: Kernel, walker: Walker, a: int, b: int) -> list[int] | None:
    """Return the path from a container's admitted end to a resource in it, if it is there."""
    for outer, inner in ((a, b), (b, a)):
        if kernel.completed[outer] == outer:
            continue
        down = walker.path(outer, inner)
        if down and walker.path(kernel.completed[inner], kernel.completed[outer]):
            return down
    return None


def first_in_order(kernel: Kernel, provenance: Provenance, a: int, b: int) -> ResourceRef | None:
    """Return the one of two resources that Puppet applies first; None if a cycle prevents that."""
    from analyzer.graph.order import traverse

    places = {node: place for place, node in enumerate(traverse(kernel))}
    if a not in places or b not in places:
        return None
    return provenance.refs[min(a, b, key=places.__getitem__)]


def predecessors(kernel: Kernel) -> list[list[int]]:
    """Return the expanded graph with its edges reversed."""
    backward: list[list[int]] = [[] for _ in kernel.succ]
    for s, targets in enumerate(kernel.succ):
        for t in targets:
            backward[t].append(s)
    return backward


def reachable(succ: list[list[int]], start: int) -> set[int]:
    """Return the nodes that are reachable from `start` in one or more steps."""
    seen: set[int] = set()
    open_nodes = [start]
    while open_nodes:
        for t in succ[open_nodes.pop()]:
            if t not in seen:
                seen.add(t)
                open_nodes.append(t)
    return seen


def plain_resources(kernel: Kernel, provenance: Provenance, nodes: set[int]) -> list[ResourceRef]:
    """Return the resources among the nodes, in catalog order, without ends of containers."""
    return [
        provenance.refs[v]
        for v in sorted(nodes)
        if v < kernel.vertices and kernel.completed[v] == v
    ]


def reach(kernel: Kernel, provenance: Provenance, ref: str, *, upstream: bool) -> list[ResourceRef]:
    """Return the resources before or after one; the contents of a container are neither."""
    i = locate(kernel, ref)
    if upstream:
        return plain_resources(kernel, provenance, reachable(predecessors(kernel), i))
    return plain_resources(kernel, provenance, reachable(kernel.succ, kernel.completed[i]))


def impact_of(kernel: Kernel, provenance: Provenance, ref: str) -> Impact:
    """Return the dependents of a resource or a container."""
    i = locate(kernel, ref)
    start = kernel.completed[i]
    refreshed, ignored = refreshes(kernel, start)
    reached = set(reachable(kernel.succ, start))
    return Impact(
        provenance.refs[i],
        tuple(plain_resources(kernel, provenance, next_resources(kernel, start))),
        tuple(plain_resources(kernel, provenance, reached)),
        tuple(plain_resources(kernel, provenance, refreshed)),
        tuple(plain_resources(kernel, provenance, ignored)),
        not reached.isdisjoint({i, start}),
    )


def next_resources(kernel: Kernel, start: int) -> set[int]:
    """Return the first resources on all paths from a node, beyond ends and junctions."""
    found: set[int] = set()
    seen: set[int] = set()
    open_nodes = [start]
    while open_nodes:
        for t in kernel.succ[open_nodes.pop()]:
            if t in seen:
                continue
            seen.add(t)
            if t < kernel.vertices and kernel.completed[t] == t:
                found.add(t)
            else:
                open_nodes.append(t)
    return found


def event_edges(kernel: Kernel) -> list[list[int]]:
    """Return the edges of the expanded graph that pass events on, with junctions."""
    succ: list[list[int]] = [[] for _ in kernel.succ]
    completed = kernel.completed
    for s, t in event_pairs(kernel):
        succ[completed[s]].append(t)
    first = kernel.vertices + len(kernel.owner)
    for node, (label, members, targets) in enumerate(kernel.junctions, first):
        if label in EVENTFUL:
            sources, sinks = (targets, members) if label in INWARD else (members, targets)
            succ[node].extend(sinks)
            for s in sources:
                succ[completed[s]].append(node)
    for x, contents in kernel.contents.items():
        for v in contents:
            succ[x].append(v)
            succ[completed[v]].append(completed[x])
    return succ


def event_pairs(kernel: Kernel) -> Iterator[tuple[int, int]]:
    """Yield the ends of the relationships that send events, without those of junctions."""
    joined = {id(targets) for _, _, targets in kernel.junctions}
    for i, label, ids in kernel.declared:
        if label in EVENTFUL and id(ids) not in joined:
            for other in ids:
                yield (other, i) if label in INWARD else (i, other)
    for s, t, label, _ in kernel.automatic:
        if label in EVENTFUL:
            yield s, t


def refreshes(kernel: Kernel, start: int) -> tuple[set[int], set[int]]:
    """Return the resources that a change refreshes, and those that receive events but cannot
    refresh.

    A refreshed resource sends `restarted` along its own event edges. The ends of containers pass
    events on, but not from one end of an empty container to the other.
    """
    succ = event_edges(kernel)
    refreshed: set[int] = set()
    ignored: set[int] = set()
    open_nodes = [start]
    while open_nodes:
        for t in succ[open_nodes.pop()]:
            if t in refreshed or t in ignored:
                continue
            role, i = kernel.end_of(t)
            if role != "resource" or kernel.resources[i].type in kernel.refreshable:
                refreshed.add(t)
                open_nodes.append(t)
            else:
                ignored.add(t)
    refreshed.discard(start)
    return refreshed, ignored
