"""Tests proposed fixes in memory: the finding must disappear, and no cycle may appear."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from analyzer.diagnostics import Edit, Finding, Fix
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.graph.diff.order import Graph, OrderComparison, ones
from analyzer.graph.diff.values import OrderChange
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.linter.puppet.presence import absence_reason
from analyzer.linter.puppet.subjects import Compiled, manifest_of
from analyzer.linter.rule import Proposal
from analyzer.linter.run import Found, apply

# Compiles all inputs again with changed texts of some files, in the same order, without those that
# fail.
Recompile = Callable[[Mapping[str, str]], Sequence[Compiled]]

# The graph from before a fix, and the one from after it.
Change = tuple[RelationshipGraph, RelationshipGraph]

# The most pairs that a fix names.
SHOWN = 20


def verify(
    found: Found,
    texts: Mapping[str, str],
    before: Sequence[Compiled],
    recompile: Recompile,
) -> tuple[Fix, ...]:
    """Return the fixes among the proposals of a finding, safe ones and those that lose least first.

    `texts` are those of the edited files. Without compiled catalogs, nothing is verified.
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
    """Return why a proposal may be wrong with other facts or parameters, or an empty string."""
    if proposal.needs is None:
        return ""
    referrer, referenced = proposal.needs
    return next(filter(None, (absence_reason(one, referrer, referenced) for one in before)), "")


def is_program(file: str, text: str) -> bool:
    """Return whether Puppet would accept a manifest; keep its tree for the compilation."""
    return check_cached(text, file, cache=user_cache()).ok


def with_line_ends(proposal: Proposal, texts: Mapping[str, str]) -> Proposal:
    """Return a proposal with the line ends of its files."""
    edits = tuple(
        replace(edit, text=edit.text.replace("\r\n", "\n").replace("\n", "\r\n"))
        if "\r\n" in texts[edit.file]
        else edit
        for edit in proposal.edits
    )
    return replace(proposal, edits=edits)


def edited(edits: Iterable[Edit], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of files after edits, whose offsets refer to the old texts."""
    parts: dict[str, list[str]] = {}
    done: dict[str, int] = {}
    # Of several edits at one place, the last one is applied first.
    from_the_end = sorted(edits, key=lambda e: (e.file, e.start), reverse=True)
    for edit in reversed(from_the_end):
        before = texts[edit.file][done.get(edit.file, 0) : edit.start]
        parts.setdefault(edit.file, []).extend((before, edit.text))
        done[edit.file] = edit.end
    return {file: "".join([*found, texts[file][done[file] :]]) for file, found in parts.items()}


def removes_finding(
    found: Found,
    texts: Mapping[str, str],
    changed: Mapping[str, str],
    before: Sequence[Compiled],
    after: Sequence[Compiled],
) -> bool:
    """Return whether the finding disappeared and nothing worse appeared."""
    if any(is_worse(old, new) for old, new in zip(before, after, strict=True)):
        return False
    if found.rule.on is Compiled:
        return not any(
            is_same(found.finding, one.finding) for c in after for one in apply(found.rule, c)
        )
    file = found.finding.path
    return count(found, file, changed[file]) < count(found, file, texts[file])


def count(found: Found, file: str, text: str) -> int:
    """Return the number of findings of a rule in a manifest."""
    manifest = manifest_of(file, text)
    return sum(1 for _ in apply(found.rule, manifest)) if manifest else 0


def is_same(finding: Finding, other: Finding) -> bool:
    """Return whether findings before and after an edit are the same, although lines may move."""
    if finding.refs or other.refs:
        return set(finding.refs) <= set(other.refs) or set(other.refs) <= set(finding.refs)
    return finding.message == other.message


def is_worse(old: Compiled, new: Compiled) -> bool:
    """Return whether there are new cycles or missing targets."""
    if new.graph.missing_count > old.graph.missing_count:
        return True
    known = {ref: n for n, cycle in enumerate(old.graph.cycles()) for ref in cycle.members}
    components = ({known.get(ref) for ref in cycle.members} for cycle in new.graph.cycles())
    return any(len(parts) > 1 or None in parts for parts in components)


def fix_of(proposal: Proposal, changes: Sequence[Change], unsure: str = "") -> Fix:
    """Return a verified proposal, with the orderings that it adds and removes.

    `unsure` is the reason why it may be wrong elsewhere. `changes` are pairs of graphs, before and
    after the fix. As in `catgraph diff`, an ordering counts only if no other one implies it, and a
    container counts as a whole.
    """
    return effect_of(changes).fix(proposal, unsure)


def effect_of(changes: Sequence[Change]) -> OrderingEffect:
    """Return the orderings that a change of manifests adds and removes."""
    found = OrderingEffect(Orderings(), Orderings())
    for old, new in changes:
        was, now = (Graph(one.kernel, one.provenance) for one in (old, new))
        gained, lost = OrderComparison(was, now).changes()
        found.gained.add(gained)
        found.lost.add(lost)
    return found


class OrderingEffect(NamedTuple):
    """The orderings that a change of manifests adds and removes."""

    gained: Orderings
    lost: Orderings

    def fix(self, proposal: Proposal, unsure: str = "") -> Fix:
        """Return a proposal with this effect as a fix."""
        lost, count = proposal.lost or (self.lost.first(SHOWN), self.lost.count)
        return Fix(
            proposal.what,
            proposal.edits,
            self.gained.first(SHOWN),
            lost[:SHOWN],
            self.gained.count,
            count,
            proposal.unsafe or bool(unsure) or count > 0 or self.lost.any,
            unsure,
        )


class Orderings:
    """The orderings of several catalogs, each once: second resources by the first one, as bits.

    `any` also counts orderings inside a cycle, which are not named.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.after: dict[str, int] = {}
        self.any = False

    def __contains__(self, pair: tuple[str, str]) -> bool:
        number = self.numbers.get(pair[1])
        return number is not None and bool(self.after.get(pair[0], 0) >> number & 1)

    def add(self, change: OrderChange) -> None:
        """Add the orderings that one catalog gains or loses."""
        self.any = self.any or change.count > 0
        for pairs in change.pairs:
            later = 0
            for ref in pairs.second:
                later |= 1 << self.numbers.setdefault(str(ref), len(self.numbers))
            for ref in pairs.first:
                self.after[str(ref)] = self.after.get(str(ref), 0) | later

    @property
    def count(self) -> int:
        """Return the number of orderings."""
        return sum(map(int.bit_count, self.after.values()))

    def first(self, most: int) -> tuple[tuple[str, str], ...]:
        """Return the first of the pairs (first, second), sorted."""
        names = list(self.numbers)
        found = (
            (name, other)
            for name in sorted(self.after)
            for other in sorted(names[n] for n in ones(self.after[name]))
        )
        return tuple(islice(found, most))
