"""The contents of a report: the causes of a fleet, and the nodes with incomplete catalogs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.fleet.causes import CauseCollector, ClusteredCause, Reason, text_of
from analyzer.fleet.run import FleetProgress
from analyzer.model.nouns import counted

# Nodes of a cause that a line names.
NAMED = 3

# What the codes of the fleet's own causes are called.
TITLES = {"CG301": "dependency cycle", "CG201": "missing resource"}


# What a question finds, where that is no cause of something wrong.
WORDS = {
    "query": "statement",
    "why": "explanation",
    "impact": "affected statement",
    "diff": "difference",
}


@dataclass(frozen=True, slots=True)
class FleetReport:
    """The answer of a question: `total` nodes are in the source, `seen` of them were looked at.

    `affected` of them have a cause, `lacking` do not have the resource that the question names;
    `lacks` is about it.
    `root` is the folder that the paths of statements are relative to, if it is at hand.
    `nodes` are their names and `graphs` the data of some graphs (`pictures`), for the page.
    """

    question: str
    source: str
    total: int
    seen: int
    reused: int
    seconds: float
    causes: tuple[ClusteredCause, ...]
    failed: tuple[Reason, ...]
    affected: int = 0
    lacking: int = 0
    lacks: str = ""
    root: str = ""
    nodes: tuple[str, ...] = ()
    graphs: Mapping[str, str] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Return whether every node was looked at, and all of it is known."""
        return self.seen == self.total and not self.failed

    @property
    def counts(self) -> tuple[int, int]:
        """Return the number of nodes that failed, and of those that are incomplete."""
        partial = sum(len(one.nodes) for one in self.failed if one.incomplete)
        return sum(len(one.nodes) for one in self.failed) - partial, partial

    @property
    def summary(self) -> str:
        """Return the numbers in a line."""
        nodes = counted(self.total, "node")
        what = WORDS.get(self.question, "cause")
        if not self.causes:
            parts = [f"no {what} in {nodes}"]
        else:
            parts = [f"{counted(len(self.causes), what)} in {self.affected:,} of {nodes}"]
        lacking = f"{counted(self.lacking, 'node')} without a requested resource"
        parts += [lacking] if self.lacking else []
        failed, partial = self.counts
        parts += [f"{counted(failed, 'node')} failed"] if failed else []
        parts += [f"{counted(partial, 'node')} incomplete"] if partial else []
        left = self.total - self.seen
        parts += [f"{counted(left, 'node')} not examined"] if left else []
        return "; ".join(parts)


def report_of(
    question: str,
    source: str,
    causes: CauseCollector,
    progress: FleetProgress,
    seconds: float,
    root: str = ".",
) -> FleetReport:
    """Return the report of a run."""
    return FleetReport(
        question,
        source,
        progress.total,
        progress.done,
        progress.reused,
        seconds,
        tuple(causes.together()),
        tuple(causes.failed()),
        causes.affected,
        causes.lacking,
        causes.lacks,
        "" if root == "." else root,
    )


def some(nodes: Sequence[str]) -> str:
    """Return the first names, and that there are more."""
    return ", ".join(nodes[:NAMED]) + (", ..." if len(nodes) > NAMED else "")


def headline(cause: ClusteredCause) -> str:
    """Return a cause in words."""
    return TITLES.get(cause.code) or text_of(cause.statements[0])
