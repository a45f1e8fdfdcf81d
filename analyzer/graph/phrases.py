"""Edges in words, for reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.graph.provenance import Hop
from analyzer.graph.statements import Statement
from analyzer.model.relationship import Origin, Relationship

# form: (word for the kind of edge, sentence about source {0} and target {1})
PHRASES = {
    "require": ("require", "{1} requires {0}"),
    "subscribe": ("subscribe", "{1} subscribes to {0}"),
    "before": ("before", "{0} is before {1}"),
    "notify": ("notify", "{0} notifies {1}"),
    "autorequire": ("autorequire", "{1} autorequires {0}"),
    "autosubscribe": ("autosubscribe", "{1} subscribes to {0} by itself"),
    "autobefore": ("autobefore", "{0} is before {1} by itself"),
    "autonotify": ("autonotify", "{0} notifies {1} by itself"),
    "containment": ("contains", "{0} contains {1}"),
}


def sentence(relationship: Relationship) -> str:
    """Return what a relationship says, with the rule, the many it stands for, or its exporter."""
    origin = relationship.origin
    notes = [f"rule: {origin.rule}"] if origin.rule else [*many(origin)]
    notes = [*notes, *exported(origin), *known_from(origin)]
    return plain(relationship) + (f" ({', '.join(notes)})" if notes else "")


def remark(relationship: Relationship) -> str:
    """Return what its kind and place do not tell of an edge."""
    origin = relationship.origin
    if origin.form == "containment":
        notes = [plain(relationship)]
    elif origin.rule:
        notes = [origin.rule]
    else:
        notes = [*many(origin)]
        if origin.known_from:
            notes = [*known_from(origin)]
        elif not notes and not (origin.span and origin.span.line):
            notes = [f"in {origin.declared_by}"]
    return ", ".join([*notes, *exported(origin)])


def plain(relationship: Relationship) -> str:
    """Return what a relationship says."""
    phrase = PHRASES[relationship.origin.form][1]
    return phrase.format(relationship.source, relationship.target)


def many(origin: Origin) -> Iterator[str]:
    """Yield what is said of a list that several resources have."""
    if origin.many:
        yield f"one list of {origin.many[1]} in {origin.many[0]} resources"


def exported(origin: Origin) -> Iterator[str]:
    """Yield what is said of a statement in another node's code."""
    if origin.exported_by:
        yield f"exported by {origin.exported_by}"


def known_from(origin: Origin) -> Iterator[str]:
    """Yield what is said of an edge of which nobody knows who declared it."""
    if origin.known_from:
        yield f"an edge of {origin.known_from}"


def word(relationship: Relationship) -> str:
    """Return how an edge is written, in a word."""
    if relationship.origin.arrow:
        return "~>" if relationship.event else "->"
    return PHRASES[relationship.origin.form][0]


def hop_lines(hops: Sequence[Hop]) -> list[tuple[str, str, str, str]]:
    """Return for each edge: its two ends, its place, its kind, and a remark.

    The edge between the two ends of an empty container is folded away.
    """
    rows = []
    for hop in hops:
        if not hop.relationships:
            continue
        first = hop.relationships[0]
        edge = f"{hop.source_ref} => {hop.target_ref}"
        place = str(first.origin.span) if first.origin.span else "-"
        others = len(hop.relationships) - 1
        also = f" (and {others} more)" if others else ""
        rows.append((edge, place, word(first), remark(first) + also))
    return rows


def statement_line(statement: Statement) -> str:
    """Return what a person would look for in the code."""
    example = statement.example
    origin = example.origin
    place = f"{origin.span}: " if origin.span else ""
    more = f", and {statement.count - 1} alike" if statement.count > 1 else ""
    more += "".join(f" ({note})" for note in exported(origin))
    if origin.form == "containment":
        what = f"{example.source} contains {example.target}"
    elif origin.automatic:
        what = f"what makes {sentence(example)}"
    elif origin.known_from:
        what = f"{example}, an edge of {origin.known_from}"
    elif origin.arrow:
        what = f"{example.source} {word(example)} {example.target}"
    else:
        other = example.source if origin.form in ("require", "subscribe") else example.target
        what = f"{origin.form} => {other} in {origin.declared_by}"
    return f"{place}{what}{more}"
