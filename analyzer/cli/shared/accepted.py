"""What a baseline accepts of the answer of `cycles`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError
from analyzer.linter.baseline import STATES, file_of, fingerprint, split_gaps
from analyzer.linter.texts import Texts
from analyzer.model.nouns import counted
from analyzer.reach import may_read
from analyzer.session.lint.gate import line_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.diagnostics import Finding
    from analyzer.graph.findings import Check
    from analyzer.linter.baseline import Baseline
    from analyzer.model.completeness import Gap


class Accepted:
    """The findings, gaps and refused nodes of a baseline; an entry counts for all catalogs."""

    def __init__(self, baseline: Baseline) -> None:
        self.baseline = baseline
        self.marks = {row["fingerprint"] for row in baseline.findings}
        # Those that were met, and the number of gaps that were.
        self.met: set[str] = set()
        self.gaps = 0

    def has(self, finding: Finding) -> bool:
        """Return whether a finding is accepted."""
        folder = self.baseline.folder
        mark = fingerprint(finding, file_of(finding, folder), folder)
        self.met |= {mark} & self.marks
        return mark in self.marks

    def has_refused(self, error: Exception) -> bool:
        """Return whether the nodes that an error is about did not compile before either."""
        if not isinstance(error, CompileError):
            return False
        names = {name for one in (error, *error.others) for name in one.nodes or [one.node]}
        before = {name: state for name, state in self.baseline.nodes.items() if is_node(name)}
        # An input with one node has no need of its name.
        states = list(before.values()) if len(before) == 1 else map(before.get, names)
        return all(state == STATES[0] for state in states)

    def new_in(self, check: Check) -> Check:
        """Return the findings of a catalog without those that are accepted."""
        missing = check.findings[: len(check.missing)]
        cycles = check.findings[len(check.missing) :]
        return replace(
            check,
            missing=tuple(
                one for one, f in zip(check.missing, missing, strict=True) if not self.has(f)
            ),
            cycles=tuple(
                one for one, f in zip(check.cycles, cycles, strict=True) if not self.has(f)
            ),
            findings=tuple(one for one in check.findings if not self.has(one)),
        )

    def new_gaps(self, gaps: Iterable[Gap]) -> list[Gap]:
        """Return gaps without those that are accepted, and those that hide nothing."""
        hidden = [gap for gap in gaps if gap.hides]
        new = split_gaps(hidden, self.baseline, line_in(Texts(None, may_read)))[0]
        self.gaps += len(hidden) - len(new)
        return new

    @property
    def lines(self) -> list[str]:
        """Return a line with the numbers of accepted findings and gaps that were met."""
        counts = (len(self.met), "finding"), (self.gaps, "gap")
        words = " and ".join(counted(*one) for one in counts if one[0])
        return [f"in the baseline: {words}"] if words else []


def is_node(name: str) -> bool:
    """Return whether a name in a baseline is that of a node, not of a class by itself."""
    return not name.startswith("class ")
