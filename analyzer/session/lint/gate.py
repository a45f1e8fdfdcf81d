"""Compares the results of a lint with a baseline: the gate fails for what is new.

New are findings, gaps, and nodes that were complete when the baseline was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analyzer.diagnostics import Finding, Results
from analyzer.linter.baseline import (
    STATES,
    Baseline,
    Row,
    finding_rows,
    folder_of,
    gap_rows,
    split,
    split_gaps,
)
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.linter.texts import Texts
from analyzer.model.completeness import Gap, hiding, unseen
from analyzer.session.lint.coverage import Coverage
from analyzer.session.lint.own_code import not_in
from analyzer.session.lint.results import Linted
from analyzer.source import Span

NOT_COMPILED, PARTLY_KNOWN, COMPLETE = STATES

# The name of a compile in parentheses behind its input: `. (web1, debian.json)`.
NODE = re.compile(r".*? \((.*)\)", re.DOTALL)

# The kind of gaps that say what is assumed.
ASSUMPTION = "assumption"

# Why a definition is in no catalog, if its own compile has no error.
NOWHERE = "is in no catalog: Puppet does not find it by its name, or what declares it is not known"

LineAt = Callable[[Span], str]


@dataclass(frozen=True, slots=True)
class Decline:
    """A node that is worse than in the baseline, with the first gap that made it so, if any."""

    node: str
    before: str
    now: str
    gap: Gap | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The comparison of a check with a baseline.

    `findings` and `gaps` are new, `accepted` and `accepted_gaps` are the numbers of the others;
    `stale_findings` and `stale_gaps` are entries of the baseline that were not found. `nodes` are
    the states of all nodes. `assumptions` stand for what a checkout cannot have. `has_unseen` is
    true if an input was not checked and that is new.
    """

    findings: tuple[Finding, ...]
    gaps: tuple[Gap, ...]
    has_unseen: bool
    declines: tuple[Decline, ...] = ()
    accepted: int = 0
    accepted_gaps: int = 0
    assumptions: tuple[Gap, ...] = ()
    stale_findings: tuple[Row, ...] = ()
    stale_gaps: tuple[Row, ...] = ()
    nodes: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_unknown(self) -> bool:
        """Return whether something is newly unknown, or newly not compiled."""
        return bool(self.gaps or self.declines)


def with_uncompiled(linted: Linted) -> Linted:
    """Return a check with a gap for each class and defined type of the code that no catalog has."""
    done, seen = linted.done, linted.seen
    told = {gap.name for gap in seen.gaps}
    gaps = tuple(
        Gap("class", f"{one.kind} {one.name}", NOWHERE, one.span)
        for one in not_in(done.sources.definitions, seen.catalogs, done.sources.names)
        if f"class {one.name}" not in told
    )
    if not gaps:
        return linted
    seen = replace(seen, worlds=(*seen.worlds, *gaps))
    return Linted(done, replace(linted.results, gaps=seen.gaps), seen)


def judge(
    results: Results,
    coverage: Coverage,
    baseline: Baseline,
    line_at: LineAt,
    *,
    assume: bool = True,
) -> Verdict:
    """Return the comparison of results with a baseline.

    `line_at` returns the text of the line at a place. Without `assume`, assumptions are gaps as
    others are.
    """
    findings, stale = split(results.findings, baseline)
    hidden = hiding(coverage.gaps)
    assumptions = [gap for gap in hidden if assume and gap.kind == ASSUMPTION]
    hidden = [gap for gap in hidden if gap not in set(assumptions)]
    gaps, stale_gaps = split_gaps(hidden, baseline, line_at)
    return Verdict(
        tuple(findings),
        tuple(gaps),
        # Each refusal is a finding or a gap, which the baseline accepts or not.
        coverage.has_unseen if baseline.gaps is None else bool(unseen(gaps)),
        tuple(declines(coverage, baseline.nodes, gaps)),
        len(results.findings) - len(findings),
        len(hidden) - len(gaps),
        tuple(assumptions),
        tuple(stale),
        tuple(stale_gaps),
        states(coverage),
    )


def declines(
    coverage: Coverage, before: Mapping[str, str], reported: Sequence[Gap]
) -> Iterator[Decline]:
    """Yield the nodes that are worse than before, unless a new gap is reported for them."""
    new = set(reported)
    first: dict[str, Gap] = {}
    for run in coverage.catalogs:
        gaps = hiding(map(coverage.placed, run.gaps))
        for gap in (gap for gap in gaps if gap.kind != ASSUMPTION):
            first.setdefault(node_of(run.name), gap)
            if gap in new:
                first[node_of(run.name)] = gap
    for node, now in states(coverage).items():
        cause = first.get(node)
        worse = STATES.index(now) < STATES.index(before.get(node, now))
        if worse and cause not in new:
            yield Decline(node, before[node], now, cause)


def states(coverage: Coverage) -> dict[str, str]:
    """Return the state of each node and class that was compiled by itself."""
    found: dict[str, str] = {}
    for run in coverage.runs:
        if isinstance(run, Compiled | CheckedCatalog):
            known = all(gap.kind == ASSUMPTION for gap in hiding(run.gaps))
            state = COMPLETE if known else PARTLY_KNOWN
        elif isinstance(run, Refusal):
            state = NOT_COMPILED
        else:
            continue
        name = node_of(run.name)
        # A node with an error in one class has a catalog of the rest, too.
        found[name] = min(state, found.get(name, state), key=STATES.index)
    return found


def node_of(name: str) -> str:
    """Return the node in the name of a compile; its input has other names elsewhere."""
    match = NODE.fullmatch(name)
    if name.startswith("class "):
        return name
    return match[1] if match else "default"


def line_in(texts: Texts) -> LineAt:
    """Return a function that returns the text of the line at a place, empty if it is unknown."""

    def line_at(span: Span) -> str:
        lines = (texts.get(span.file) or "").split("\n")
        return lines[span.line - 1] if 0 < span.line <= len(lines) else ""

    return line_at


def baseline_of(results: Results, coverage: Coverage, path: str, line_at: LineAt) -> Baseline:
    """Return the baseline at a path that accepts everything that was found."""
    folder = folder_of(path)
    findings = finding_rows(results.findings, folder)
    gaps = {row["fingerprint"]: row for row in gap_rows(hiding(coverage.gaps), folder, line_at)}
    return Baseline(folder, tuple(findings), tuple(gaps.values()), states(coverage))
