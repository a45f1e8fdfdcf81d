"""Tests proposed fixes in memory: the finding must go and no cycle may come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from analyzer.diagnostics import Edit, Finding, Fix
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.graph.algorithms.reduction import Condensation
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.linter.puppet.presence import absence_reason
from analyzer.linter.puppet.subjects import Compiled, manifest_of
from analyzer.linter.rule import Proposal
from analyzer.linter.run import Found, apply

# Compiles all inputs again with other texts for some files, in the same order; what cannot be
# compiled is left out.
Recompile = Callable[[Mapping[str, str]], Sequence[Compiled]]

# What comes after a resource, by reference: bits of the numbers of others.
Later = dict[str, int]

# The graph from before a fix, and the one from after it.
Change = tuple[RelationshipGraph, RelationshipGraph]

# Pairs that a fix names.
SHOWN = 20

# Resources beyond which pairs are not compared: they grow with the square.
LARGE = 20_000


def verify(
    found: Found,
    texts: Mapping[str, str],
    before: Sequence[Compiled],
    recompile: Recompile,
) -> tuple[Fix, ...]:
    """Return the fixes among the proposals of a finding, safe ones and those that lose least first.

    `texts` are those of the edited files. Where nothing was compiled, nothing is verified.
    """
    fixes = []
    for proposal in [with_line_ends(p, texts) for p in found.proposals] if before else ():
        changed = edited(proposal.edits, texts)
        if not all(is_program(file, text) for file, text in changed.items()):
            continue
        after = recompile(changed)
        if len(after) == len(before) and removes_finding(found, texts, changed, before, after):
            graphs = [[one.graph for one in side] for side in (before, after)]
            changes = list(zip(*graphs, strict=True))
            fixes.append(fix_of(proposal, changes, doubts(proposal, before)))
    return tuple(sorted(fixes, key=lambda fix: (fix.unsafe, fix.lost_count)))


def doubts(proposal: Proposal, before: Sequence[Compiled]) -> str:
    """Return why a proposal may be wrong with other facts or parameters, empty if it is not."""
    if proposal.needs is None:
        return ""
    referrer, referenced = proposal.needs
    return next(filter(None, (absence_reason(one, referrer, referenced) for one in before)), "")


def is_program(file: str, text: str) -> bool:
    """Return whether Puppet would accept a manifest; its tree is kept for the compile."""
    return check_cached(text, file, cache=user_cache()).ok


def with_line_ends(proposal: Proposal, texts: Mapping[str, str]) -> Proposal:
    """Return a proposal whose new lines end as those of its files do."""
    edits = tuple(
        replace(edit, text=edit.text.replace("\r\n", "\n").replace("\n", "\r\n"))
        if "\r\n" in texts[edit.file]
        else edit
        for edit in proposal.edits
    )
    return replace(proposal, edits=edits)


def edited(edits: Iterable[Edit], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of files after edits, which count characters of the texts before."""
    changed: dict[str, str] = {}
    for edit in sorted(edits, key=lambda e: (e.file, e.start), reverse=True):
        text = changed.get(edit.file, texts[edit.file])
        changed[edit.file] = text[: edit.start] + edit.text + text[edit.end :]
    return changed


def removes_finding(
    found: Found,
    texts: Mapping[str, str],
    changed: Mapping[str, str],
    before: Sequence[Compiled],
    after: Sequence[Compiled],
) -> bool:
    """Return whether the finding is gone and nothing worse has come."""
    if any(is_worse(old, new) for old, new in zip(before, after, strict=True)):
        return False
    if found.rule.on is Compiled:
        return not any(
            is_same(found.finding, one.finding) for c in after for one in apply(found.rule, c)
        )
    file = found.finding.path
    return count(found, file, changed[file]) < count(found, file, texts[file])


def count(found: Found, file: str, text: str) -> int:
    """Return how often a rule finds something in a manifest."""
    manifest = manifest_of(file, text)
    return sum(1 for _ in apply(found.rule, manifest)) if manifest else 0


def is_same(finding: Finding, other: Finding) -> bool:
    """Return whether a finding after an edit is the one from before: lines may have moved."""
    if finding.refs or other.refs:
        return set(finding.refs) <= set(other.refs) or set(other.refs) <= set(finding.refs)
    return finding.message == other.message


def is_worse(old: Compiled, new: Compiled) -> bool:
    """Return whether there are cycles or missing targets that were not there."""
    if new.graph.missing_count > old.graph.missing_count:
        return True
    known = {ref: n for n, cycle in enumerate(old.graph.cycles()) for ref in cycle.members}
    components = ({known.get(ref) for ref in cycle.members} for cycle in new.graph.cycles())
    return any(len(parts) > 1 or None in parts for parts in components)


def fix_of(proposal: Proposal, changes: Sequence[Change], unsure: str = "") -> Fix:
    """Return a proposal that was verified, with the order that comes and goes with it.

    `unsure` tells why it may be wrong elsewhere. `changes` are the graphs from before, each with
    the one from after.
    """
    names = sorted({name for graphs in changes for graph in graphs for name in plain(graph)})
    bits = {name: 1 << n for n, name in enumerate(names)}
    gained: Later = {}
    lost: Later = {}
    for old, new in changes:
        compare(old, new, bits, gained, lost)
    gone = tuple(islice(pairs(lost, names), SHOWN)), sum(map(int.bit_count, lost.values()))
    shown, count = proposal.lost or gone
    return Fix(
        proposal.what,
        proposal.edits,
        tuple(islice(pairs(gained, names), SHOWN)),
        shown[:SHOWN],
        sum(map(int.bit_count, gained.values())),
        count,
        proposal.unsafe or bool(lost) or bool(unsure),
        unsure,
    )


def compare(
    old: RelationshipGraph,
    new: RelationshipGraph,
    bits: Mapping[str, int],
    gained: Later,
    lost: Later,
) -> None:
    """Add the resources that are ordered after each one only now, and only before."""
    both = plain(old).keys() & plain(new).keys()
    if len(both) > LARGE:
        return
    shared = {name: bits[name] for name in both}
    was, now = closure(old, shared), closure(new, shared)
    circles = together(old, shared)
    for name in both:
        if was[name] != now[name]:
            # What a cycle demands in both directions is not gained once the cycle is broken.
            more = now[name] & ~was[name] & ~circles.get(name, 0)
            for found, others in ((gained, more), (lost, was[name] & ~now[name])):
                if others:
                    found[name] = found.get(name, 0) | others


def together(graph: RelationshipGraph, bits: Mapping[str, int]) -> dict[str, int]:
    """Return the resources that are on a cycle with each one, as a set of bits."""
    found: dict[str, int] = {}
    for nodes in graph.components() if graph.has_cycle else ():
        names = {str(graph.resources[graph.end_of(v)[1]]) for v in nodes if v < graph.ends}
        held = sum(bits.get(name, 0) for name in names)
        found.update((name, found.get(name, 0) | held) for name in names)
    return found


def pairs(later: Later, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs (first, second), sorted."""
    for name in sorted(later):
        left = later[name]
        while left:
            lowest = left & -left
            yield name, names[lowest.bit_length() - 1]
            left ^= lowest


def plain(graph: RelationshipGraph) -> dict[str, int]:
    """Return the resources that are no containers, by reference."""
    return {str(r): i for i, r in enumerate(graph.resources) if graph.completed[i] == i}


def closure(graph: RelationshipGraph, bits: Mapping[str, int]) -> dict[str, int]:
    """Return the successors of each resource, as a set of bits."""
    condensed = Condensation(graph.successors)
    own = [0] * len(graph.successors)
    nodes = plain(graph)
    for name, node in nodes.items():
        own[condensed.rep[node]] |= bits.get(name, 0)
    below = [0] * len(graph.successors)
    for v in condensed.order:
        for t in condensed.succ[v]:
            below[v] |= below[t] | own[t]
    return {name: below[condensed.rep[node]] for name, node in nodes.items()}
