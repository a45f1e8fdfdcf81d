"""Checks proposals for policies in memory: they must remove the finding and add no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from analyzer.diagnostics import Fix
from analyzer.linter.policies import PolicyRun
from analyzer.linter.rule import Rule
from analyzer.linter.run import Found, apply
from analyzer.linter.verify import Change, edited, fix_of, with_line_ends

# Loads the policies again with changed texts of some files, in the same order.
Reload = Callable[[Mapping[str, str]], Sequence[PolicyRun]]

# A code and a message, because lines move.
FindingKey = tuple[str, str]

# The orders of runs with more events are not compared.
LARGE = 5_000


def verify(
    found: Found,
    texts: Mapping[str, str],
    before: Sequence[PolicyRun],
    reload: Reload,
    rules: Sequence[Rule],
    known_findings: dict[str, set[FindingKey]],
) -> tuple[Fix, ...]:
    """Return the fixes among the proposals of a finding, safe ones with few losses first.

    `known_findings` has the findings of the unchanged policies by name, and is filled as needed.
    """
    fixes = []
    own = [rule for rule in rules if rule.on is PolicyRun]
    for run in before:
        if run.name not in known_findings:
            known_findings[run.name] = findings(own, [run])
    known = set().union(*(known_findings[run.name] for run in before))
    for proposal in [with_line_ends(p, texts) for p in found.proposals] if before else ():
        after = reload(edited(proposal.edits, texts))
        if len(after) != len(before) or any(run.loaded.refused for run in after):
            continue
        now = findings(own, after)
        key = (found.rule.code, found.finding.message)
        if key not in now and now <= known:
            fixes.append(fix_of(proposal, comparable(before, after)))
    return tuple(sorted(fixes, key=lambda fix: (fix.unsafe, fix.lost_count)))


def comparable(before: Sequence[PolicyRun], after: Sequence[PolicyRun]) -> list[Change]:
    """Return the graphs of runs before and after a change, except of very long runs."""
    return [
        (old.graph, new.graph)
        for old, new in zip(before, after, strict=True)
        if max(len(old.events), len(new.events)) <= LARGE
    ]


def findings(rules: Sequence[Rule], runs: Sequence[PolicyRun]) -> set[FindingKey]:
    """Return the findings of some rules in some runs."""
    return {
        (rule.code, one.finding.message)
        for rule in rules
        for run in runs
        for one in apply(rule, run)
    }
