"""The rows of the report on two catalogs."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice

from analyzer.export.redact import HIDDEN, data, text_of
from analyzer.graph.diff.values import (
    CatalogDiff,
    CatalogSide,
    ChangeEffect,
    ParameterChange,
    ResourceChange,
)
from analyzer.graph.phrases import remark, word
from analyzer.model.nouns import counted
from analyzer.model.relationship import Relationship
from analyzer.model.resource import REDACTED
from analyzer.model.secrets import is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.refs import ResourceRef

# The most references of a list, characters of a value, and lines of a change in a text.
NAMED, LONG, LINES = 3, 60, 40

# Longer texts (in lines) are not compared line by line: the time grows with their square.
MOST_LINES = 5_000


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A row: subject, place and note, then lines of `details`, and `patches` of longer texts."""

    what: str
    place: str = ""
    note: str = ""
    details: tuple[str, ...] = ()
    patches: tuple[tuple[str, tuple[str, ...]], ...] = ()


def resource_rows(side: CatalogSide, found: CatalogDiff) -> Iterator[DiffRow]:
    """Yield the resources that only one catalog has."""
    effects = {one.ref: one for one in found.effects}
    for ref, span in side.resources:
        yield DiffRow(str(ref), str(span or ""), "", tuple(effect_lines(effects.get(ref))))


def changed_rows(found: CatalogDiff) -> Iterator[DiffRow]:
    """Yield the resources that changed, with the effects of a run."""
    effects = {one.ref: one for one in found.effects}
    for one in found.changed:
        short = [p for p in one.parameters if not is_text(p)]
        yield DiffRow(
            str(one.ref),
            str(one.new or ""),
            "",
            (*map(parameter_line, short), *other_lines(one), *effect_lines(effects.get(one.ref))),
            tuple((p.name, patch(p)) for p in one.parameters if is_text(p)),
        )


def is_text(change: ParameterChange) -> bool:
    """Return whether a change is shown line by line."""
    values = (change.old, change.new)
    return (
        all(isinstance(value, str) for value in values)
        and any("\n" in value.rstrip("\n") for value in values)
        and not is_hidden(change)
    )


def is_hidden(change: ParameterChange) -> bool:
    """Return whether values must be hidden."""
    return is_secret(change.name) or REDACTED in (change.old, change.new)


def parameter_line(change: ParameterChange) -> str:
    """Return a change of a parameter in one line."""
    hidden = is_hidden(change)
    old, new = (
        None if v is None else HIDDEN if hidden else cut(v) for v in (change.old, change.new)
    )
    if old is None:
        return f"{change.name}: {new} (new)"
    return f"{change.name}: {old} -> {new}" if new is not None else f"{change.name}: {old} (gone)"


def cut(value: object) -> str:
    """Return a value, cut if it is long; quote a text that looks like another value."""
    text = text_of(data(value))
    if isinstance(value, str) and (not value or value != value.strip()):
        text = f"'{text}'"
    return text if len(text) <= LONG else f"{text[:LONG]}..."


def patch(change: ParameterChange) -> tuple[str, ...]:
    """Return the changed lines of a text."""
    old, new = change.old.splitlines(), change.new.splitlines()
    if max(len(old), len(new)) > MOST_LINES:
        return (f"{counted(len(old), 'line')} -> {counted(len(new), 'line')}",)
    if old == new:
        return ("only the line endings differ",)
    lines = [*islice(unified_diff(old, new, lineterm="", n=2), 2, LINES + 3)]
    return (*lines[:LINES], "...") if len(lines) > LINES else tuple(lines)


def other_lines(one: ResourceChange) -> Iterator[str]:
    """Yield changes other than those of parameters."""
    if one.entered:
        left = f", no longer in {listed(one.left)}" if one.left else ""
        yield f"now in {listed(one.entered)}{left}"
    elif one.left:
        yield f"no longer in {listed(one.left)}"
    if one.exported is not None:
        yield "now exported" if one.exported else "no longer exported"
    tags = [*(f"+{tag}" for tag in one.tags_gained), *(f"-{tag}" for tag in one.tags_lost)]
    if tags:
        yield f"tags: {' '.join(tags)}"


def effect_lines(effect: ChangeEffect | None) -> Iterator[str]:
    """Yield the effects of a change of a resource."""
    if effect is None:
        return
    if effect.refreshed:
        yield f"refreshes {listed(effect.refreshed)}"
    if effect.waiting:
        verb = "waits" if effect.waiting == 1 else "wait"
        yield f"{counted(effect.waiting, 'resource')} {verb} for it"


def listed(refs: Sequence[ResourceRef]) -> str:
    """Return the first references in one line, with the number of the others."""
    shown = ", ".join(map(str, refs[:NAMED]))
    return f"{shown} and {len(refs) - NAMED:,} more" if len(refs) > NAMED else shown


def relationship_rows(side: CatalogSide) -> Iterator[DiffRow]:
    """Yield the relationships of one catalog, with their statements."""
    for one in side.relationships:
        yield edge_row(f"{listed(one.sources)} => {listed(one.targets)}", one.example)


def edge_row(what: str, made: Relationship | None) -> DiffRow:
    """Return a row about an edge, with its origin."""
    if made is None:
        return DiffRow(what)
    said = remark(made)
    return DiffRow(
        what, str(made.origin.span or "-"), f"{word(made)}  {said}" if said else word(made)
    )


def order_rows(
    side: CatalogSide, found: CatalogDiff, graph: RelationshipGraph
) -> Iterator[DiffRow]:
    """Yield the pairs of an order, each with a statement on the path between them."""
    only: dict[ResourceRef, list[frozenset[ResourceRef]]] = {}
    for edges in side.relationships:
        targets = frozenset(edges.targets)
        for source in edges.sources:
            only.setdefault(source, []).append(targets)
    is_gained = side is found.gained
    held = {
        (holder, one.ref)
        for one in found.changed
        for holder in (one.entered if is_gained else one.left)
    }
    alone = {ref for ref, _ in side.resources}

    def is_new(made: Relationship) -> bool:
        ends = (made.source, made.target)
        if made.kind == "contains":
            return ends in held or not alone.isdisjoint(ends)
        return any(made.target in targets for targets in only.get(made.source, ()))

    for pairs in side.order.pairs:
        hops = graph.why(pairs.first[0], pairs.second[0]).hops
        made = [hop.relationships[0] for hop in hops if hop.relationships]
        cause = next((one for one in made if is_new(one)), made[0] if made else None)
        yield edge_row(f"{listed(pairs.first)} before {listed(pairs.second)}", cause)
