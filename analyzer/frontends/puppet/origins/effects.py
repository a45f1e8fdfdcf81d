"""The effects of a place: the resources that exist, and the values that are as they are, by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS, Entry, shown
from analyzer.frontends.puppet.origins.contributors import Contributor
from analyzer.frontends.puppet.origins.explanation import Explanation
from analyzer.frontends.puppet.origins.inputs import outwards
from analyzer.frontends.puppet.origins.telling import OriginRow, span_of, words_of
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.values import Value

# Whether a contributor is what was asked about.
Matches = Callable[[Contributor], bool]


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect on a resource: on its existence if no attribute is named.

    `targets` are the resources that a relationship parameter names; `rows` lead from the effect to
    the place. `container`: the resource is a class, or of a defined type.
    """

    ref: str
    attribute: str
    targets: tuple[str, ...]
    rows: tuple[OriginRow, ...]
    container: bool


class Effects:
    """Finds the effects of what `matches`, or is a `source`, in one catalog."""

    def __init__(self, explanation: Explanation, matches: Matches, source: str = "") -> None:
        self.explanation = explanation
        self.matches = matches
        self.source = source
        self.reached: dict[Contributor, bool] = {}

    def all(self) -> Iterator[Effect]:
        """Yield the effects in the order of the catalog."""
        for entry in self.explanation.entries():
            presence = self.explanation.presence_of(entry)
            exists = self.depends(presence)
            if exists:
                yield self.effect(entry, "", [presence], frozenset())
                # Its relationships exist by it, too.
                for name in RELATIONSHIPS:
                    if entry.parameters.get(name) not in (None, []):
                        yield self.effect(entry, name, [presence], frozenset())
            sources = entry.parameters.get("source")
            for one in sources if isinstance(sources, list) else [sources]:
                if self.source and isinstance(one, str) and one.endswith(self.source):
                    yield Effect(entry.ref, "source", (), (), container=False)
            own = frozenset(outwards(presence))
            for name, trail in self.explanation.trails(entry):
                if exists and name in RELATIONSHIPS:
                    continue
                several = [one for one in trail.everything() if one not in own]
                if any(map(self.depends, several)) and self.way(several, own):
                    yield self.effect(entry, name, several, own)

    def effect(
        self, entry: Entry, name: str, several: Iterable[Contributor], own: frozenset[Contributor]
    ) -> Effect:
        """Return an effect with the shortest way to the place."""
        value = entry.parameters.get(name)
        secrets = self.explanation.hidden_for(name, value)
        rows = tuple(
            OriginRow(depth, one.kind, words_of(one, secrets), span_of(one))
            for depth, one in enumerate(self.way(several, own))
        )
        targets = tuple(refs_in(value)) if name in RELATIONSHIPS else ()
        return Effect(entry.ref, name, targets, rows, entry.definition is not None)

    def depends(self, one: Contributor) -> bool:
        """Return whether a contributor is what was asked about, or depends on it."""
        pending = [one]
        while pending:
            at = pending[-1]
            if at in self.reached:
                pending.pop()
                continue
            if self.matches(at):
                self.reached[at] = True
                continue
            inner = list(at.next())
            unknown = [other for other in inner if other not in self.reached]
            if unknown:
                pending += unknown
                continue
            self.reached[at] = any(self.reached[other] for other in inner)
        return self.reached[one]

    def way(self, several: Iterable[Contributor], own: frozenset[Contributor]) -> list[Contributor]:
        """Return the shortest way to what was asked about, but not through `own`."""
        before: dict[Contributor, Contributor | None] = dict.fromkeys(several)
        pending = list(before)
        for one in pending:
            if self.matches(one):
                found, at = [one], before[one]
                while at is not None:
                    found.append(at)
                    at = before[at]
                return found[::-1]
            for other in one.next():
                if other not in before and other not in own and self.depends(other):
                    before[other] = one
                    pending.append(other)
        return []


def refs_in(value: Value) -> Iterator[str]:
    """Yield the references of a relationship parameter."""
    for one in value if isinstance(value, list) else [value]:
        yield shown(one) if isinstance(one, (ClassType, ResourceType)) else str(one)
