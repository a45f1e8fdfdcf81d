"""Causes of what an upgrade breaks or changes, each with its nodes and places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from analyzer.model.completeness import Gap
from analyzer.source import Span

# The groups of causes, with their heads; the first are those that need a change.
BREAKS, UNSET, CHANGES, ORDER, LEGACY, LACKS, MODULES, WARNS = (
    "breaks", "unset", "changes", "order", "legacy", "lacks", "modules", "warns",
)  # fmt: skip
GROUPS = {
    BREAKS: "no longer compiles",
    UNSET: "errors, unless a fact or a classifier sets the variable",
    CHANGES: "compiles to another catalog",
    ORDER: "changes in order or refreshes",
    LEGACY: "legacy facts, which agents no longer send",
    LACKS: "functions and types that are gone",
    MODULES: "modules that do not admit the target",
    WARNS: "only warns",
}
# The groups that make the exit code 1.
SERIOUS = frozenset({BREAKS, UNSET, CHANGES, ORDER, LEGACY, LACKS})


@dataclass(slots=True)
class Cause:
    """A cause: its group, a message, a remedy, the names of its nodes, and its places.

    `world` says in which other world it is seen, if it is not seen in the first ones.
    """

    group: str
    message: str
    hint: str = ""
    nodes: set[str] = field(default_factory=set)
    places: dict[Span, None] = field(default_factory=dict)
    details: dict[str, None] = field(default_factory=dict)
    world: str = ""


class Causes:
    """The causes, each once by its group and key."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, object], Cause] = {}

    def add(
        self,
        group: str,
        key: object,
        message: str,
        *,
        hint: str = "",
        nodes: Iterable[str] = (),
        span: Span | None = None,
        details: Iterable[str] = (),
    ) -> None:
        """Add nodes, a place and details to a cause."""
        cause = self.rows.setdefault((group, key), Cause(group, message, hint))
        cause.nodes.update(nodes)
        cause.details.update(dict.fromkeys(details))
        if span is not None:
            cause.places.setdefault(span)

    def drop(self, is_wrong: Callable[[Cause], bool]) -> None:
        """Remove some causes."""
        self.rows = {key: one for key, one in self.rows.items() if not is_wrong(one)}

    def nodes(self) -> set[str]:
        """Return the nodes of which something breaks or changes."""
        return {name for one in self.rows.values() if one.group in SERIOUS for name in one.nodes}

    def add_others(self, others: Causes, world: str) -> None:
        """Add the causes that another world shows, without those that are here already."""
        for key, cause in others.rows.items():
            cause.world = world
            mine = self.rows.setdefault(key, cause)
            if mine.world:
                mine.nodes |= cause.nodes

    def of(self, group: str) -> list[Cause]:
        """Return the causes of a group."""
        return [one for one in self.rows.values() if one.group == group]

    def ordered(self) -> list[Cause]:
        """Return the causes by group, those with most nodes first."""
        groups = list(GROUPS)

        def rank(cause: Cause) -> tuple[object, ...]:
            first = min(map(str, cause.places), default="")
            counts = -len(cause.nodes), -len(cause.places)
            return groups.index(cause.group), *counts, first, cause.message

        return sorted(self.rows.values(), key=rank)


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The result: the releases, the nodes by what happens to them, causes, and what is unknown.

    `facts` are the names of the sets of facts, `gaps` of the compiles under the target.
    `elsewhere` are nodes of which something breaks or changes in other worlds only.
    """

    before: str
    after: str
    facts: tuple[str, ...]
    nodes: tuple[str, ...]
    broken: frozenset[str]
    changed: frozenset[str]
    causes: Sequence[Cause]
    gaps: tuple[Gap, ...]
    elsewhere: frozenset[str] = frozenset()

    @property
    def is_serious(self) -> bool:
        """Return whether something breaks or changes."""
        return any(cause.group in SERIOUS for cause in self.causes)
