"""What a format writes: the causes of a fleet, and the nodes that were not seen whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.fleet.causes import Cause, Failure, text_of
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
class Report:
    """The answer of a question: `total` nodes are in the source, `seen` of them were looked at.

    `lacking` of them do not have the resource that the question names; `lacks` is about it.
    `nodes` are their names and `graphs` the data of some graphs (`pictures`), for the page.
    """

    question: str
    source: str
    total: int
    seen: int
    reused: int
    seconds: float
    causes: tuple[Cause, ...]
    failed: tuple[Failure, ...]
    lacking: int = 0
    lacks: str = ""
    nodes: tuple[str, ...] = ()
    graphs: Mapping[str, str] = field(default_factory=dict)

    @property
    def affected(self) -> int:
        """Return the number of nodes that have a cause."""
        return len({node for cause in self.causes for node in cause.nodes})

    @property
    def whole(self) -> bool:
        """Return whether every node was looked at, and all of it is known."""
        return self.seen == self.total and not self.failed

    @property
    def summary(self) -> str:
        """Return the numbers in a line."""
        nodes = counted(self.total, "node")
        what = WORDS.get(self.question, "cause")
        if not self.causes:
            parts = [f"no {what} in {nodes}"]
        else:
            parts = [f"{counted(len(self.causes), what)} in {self.affected:,} of {nodes}"]
        lacking = f"{counted(self.lacking, 'node')} without a resource that is asked for"
        parts += [lacking] if self.lacking else []
        failed = sum(not one.incomplete for one in self.failed)
        parts += [f"{counted(failed, 'node')} failed"] if failed else []
        partial = len(self.failed) - failed
        parts += [f"{counted(partial, 'node')} incomplete"] if partial else []
        left = self.total - self.seen
        parts += [f"{counted(left, 'node')} not looked at"] if left else []
        return "; ".join(parts)


def some(nodes: Sequence[str]) -> str:
    """Return the first names, and that there are more."""
    return ", ".join(nodes[:NAMED]) + (", ..." if len(nodes) > NAMED else "")


def headline(cause: Cause) -> str:
    """Return a cause in words."""
    return TITLES.get(cause.code) or text_of(cause.statements[0])
