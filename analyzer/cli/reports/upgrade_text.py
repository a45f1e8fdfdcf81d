"""The report of `catgraph upgrade`, as text and as JSON."""

from __future__ import annotations

from analyzer.cli.shared.output import OutputStyle
from analyzer.escape import joined, shown
from analyzer.model.nouns import counted
from analyzer.session.upgrade.causes import BREAKS, GROUPS, SERIOUS, Cause, Upgrade

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.source import Span

# The most causes of a group, and the most places, nodes and details of a cause, that are shown.
MOST_CAUSES, MOST_DETAILS = 20, 5


def text(found: Upgrade, style: OutputStyle, *, explain: bool) -> str:
    """Return the report as text: one line a cause; with `explain`, its places and nodes too."""
    lines = [head(found)]
    for group, title in GROUPS.items():
        causes = [one for one in found.causes if one.group == group]
        if not causes:
            continue
        colour = "red" if group in SERIOUS else "bold"
        lines += ["", style(colour, f"{title}: {counted(len(causes), 'cause')}")]
        shown_causes = causes if explain else causes[:MOST_CAUSES]
        width = max(len(who(one)) for one in shown_causes)
        for one in shown_causes:
            lines.append(f"  {who(one):<{width}}  {line_of(one)}".rstrip())
            lines += explained(one) if explain else ()
        if len(causes) > len(shown_causes):
            more = len(causes) - len(shown_causes)
            lines.append(f"  ... and {more:,} more (--explain lists them)")
    return joined([*lines, "", summary(found)])


def head(found: Upgrade) -> str:
    """Return the releases, and what was compiled."""
    count = counted(len(found.nodes), "node or class", "nodes and classes")
    facts = f" with the facts of {', '.join(map(shown, found.facts))}" if found.facts else ""
    return f"{found.before} to {found.after}: {count}{facts}"


def who(cause: Cause) -> str:
    """Return the number of nodes of a cause."""
    return counted(len(cause.nodes), "node") if cause.nodes else "-"


def line_of(cause: Cause) -> str:
    """Return a cause in one line: its first place, its message, and what to do."""
    places = list(cause.places)
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    where = f"{shown(str(places[0]))}{more}: " if places else ""
    hint = f"; {shown(cause.hint)}" if cause.hint else ""
    hint += f" (with {shown(cause.world)})" if cause.world else ""
    # A cause without a place of its own shows the first of its effects.
    first, *others = [*cause.details, ""] if not places else [""]
    rest = f" and {len(others) - 1} more" if len(others) > 1 else ""
    effect = f": {shown(first)}{rest}" if first else ""
    return f"{where}{shown(cause.message)}{effect}{hint}"


def explained(cause: Cause) -> Iterator[str]:
    """Yield the other places of a cause, its nodes, and details."""
    for place in list(cause.places)[1:]:
        yield f"      also {shown(str(place))}"
    details = list(cause.details)
    for detail in details[:MOST_CAUSES]:
        yield f"      {shown(detail)}"
    if len(details) > MOST_CAUSES:
        yield f"      ... and {len(details) - MOST_CAUSES:,} more"
    names = sorted(cause.nodes)
    if names:
        more = f" and {len(names) - MOST_DETAILS} more" if len(names) > MOST_DETAILS else ""
        yield f"      for {shown(', '.join(names[:MOST_DETAILS]))}{more}"


def summary(found: Upgrade) -> str:
    """Return the number of nodes that break, change and stay."""
    same = len(found.nodes) - len(found.broken) - len(found.changed)
    told = {name for one in found.causes if one.group == BREAKS for name in one.nodes}
    only = len(found.broken - told)
    why = f" ({only:,} only for legacy facts)" if only else ""
    parts = [f"{len(found.broken):,} no longer compile{why}", f"{len(found.changed):,} change"]
    others = f", {len(found.elsewhere):,} of them not in all worlds" if found.elsewhere else ""
    return f"{', '.join(parts)}, {same:,} compile to the same catalog{others}"


def as_json(found: Upgrade) -> str:
    """Return the result as JSON for programs."""
    from json import dumps

    document = {
        "before": found.before,
        "after": found.after,
        "facts": list(found.facts),
        "nodes": {
            "all": sorted(found.nodes),
            "broken": sorted(found.broken),
            "changed": sorted(found.changed),
            "elsewhere": sorted(found.elsewhere),
        },
        "causes": [
            {
                "group": one.group,
                "message": one.message,
                "hint": one.hint,
                "world": one.world,
                "nodes": sorted(one.nodes),
                "places": [place(span) for span in one.places],
                "details": list(one.details),
            }
            for one in found.causes
        ],
        "gaps": [str(gap) for gap in found.gaps],
    }
    return dumps(document, indent=1, ensure_ascii=False)


def place(span: Span) -> dict[str, object]:
    """Return a place as data."""
    return {"file": span.file, "line": span.line, "column": span.column}
