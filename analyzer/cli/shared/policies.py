"""Simulated CFEngine runs, and the output of `catgraph order` for policies."""

from __future__ import annotations

from analyzer.cli.shared.output import emit, usage_error, warn
from analyzer.escape import joined
from analyzer.session.inputs import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.frontends.cfengine.agent.events import Event
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.session.policies import PolicyRunOptions

COLUMNS, WIDEST = 5, 80


def all_policies(inputs: Sequence[str]) -> bool:
    """Return whether all inputs are policies: then the others are inputs of the first."""
    return bool(inputs) and all(kind_of(path) == "policy" for path in inputs)


def request_of(options: Options) -> PolicyRunOptions:
    """Return the request for a simulation with the options."""
    from analyzer.session.policies import request_from
    from analyzer.session.settings import config_for

    config = config_for(options.inputs[0], options.config)
    folders = (*(options.allow_read or ()), *(config.program("allow_read") if config else ()))
    return request_from({**vars(options), "allow_read": folders})


def simulated(paths: Sequence[str], options: Options) -> list[Event]:
    """Return the events of a simulated policy, with warnings on standard error.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.session.policies import events_of

    events, warnings = events_of(paths, request_of(options))
    warn(paths[0], warnings)
    return events


def policy_graph(paths: Sequence[str], options: Options) -> RelationshipGraph:
    """Return the graph of a simulated run, with warnings on standard error.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.session.inputs import graph_of
    from analyzer.session.policies import policy_catalog

    catalog = policy_catalog(paths, request_of(options))
    graph = graph_of(catalog)
    warn(paths[0], catalog.warnings + graph.warnings)
    return graph


def one_input(command: str, options: Options) -> int:
    """Return the exit code of a usage error if several inputs are not one policy, else 0."""
    if len(options.inputs) == 1 or all_policies(options.inputs):
        return 0
    return usage_error(command, "expected one INPUT; only a policy may have several files")


def print_order(options: Options) -> int:
    """Print the promises of a policy in the order in which they are evaluated."""
    events = simulated(options.inputs, options)
    if options.format == "json":
        from json import dumps

        rows = ",\n".join(" " + dumps(as_row(event), ensure_ascii=False) for event in events)
        emit(f"[\n{rows}\n]" if rows else "[]", options.output)
    else:
        lines = [*begun_lines(events), *never_lines(events), *unknown_lines(events)]
        emit(joined(lines), options.output)
    return 0


def as_row(event: Event) -> dict[str, object]:
    """Return an event in JSON form; `line` is CFEngine's line."""
    row: dict[str, object] = {
        "bundle": event.bundle.name,
        "namespace": event.bundle.namespace,
        "type": event.type,
        "promiser": event.promiser,
        "file": event.promise.span.file,
        "line": event.promise.line,
        "iteration": event.iteration,
        "pass": event.number,
        "outcome": event.outcome,
    }
    if event.reason:
        row["reason"] = event.reason
    if event.detail:
        row["detail"] = event.detail
    return row


def begun_lines(events: Sequence[Event]) -> list[str]:
    """Return a line for each promise that was kept or tried, with its pass and place."""
    seen = set()
    rows = []
    for event in events:
        key = (event.bundle.name, event.type, event.promise.span, event.promiser, event.within)
        again = event.type in ("vars", "meta", "defaults", "classes") and key in seen
        if event.begun and not again and event.outcome != "not_set":
            seen.add(key)
            rows.append(cells(event, str(event.number), event.outcome))
    return aligned(rows)


def never_lines(events: Sequence[Event]) -> list[str]:
    """Return a line for each promise that was skipped in all passes, with the last reason."""
    last: dict[object, Event] = {}
    begun = set()
    for event in events:
        last[event.promise.span] = event
        if event.begun and event.outcome != "not_set":
            begun.add(event.promise.span)
    rows = [
        cells(event, "-", f"{event.reason or event.outcome} {event.detail}".strip())
        for span, event in last.items()
        if span not in begun
    ]
    return ["", "never:", *aligned(rows)] if rows else []


def unknown_lines(events: Sequence[Event]) -> list[str]:
    """Return a line for each thing that only the machine knows, and how to settle it."""
    places: dict[str, tuple[str, ...]] = {}
    for event in events:
        if event.outcome != "unknown" or not event.detail or event.detail in places:
            continue
        names = settling(event)
        words = f"--define {names} or --define '!{names}' settles it" if names else ""
        place = f"{event.promise.span.file}:{event.promise.span.line}"
        places[event.detail] = (event.detail, words, place)
    rows = list(places.values())
    widths = [max((len(row[c]) for row in rows), default=0) for c in range(2)]
    lines = [f"{a.ljust(widths[0])}  {b.ljust(widths[1])}  {c}" for a, b, c in rows]
    return ["", "unknown:", *lines] if lines else []


def settling(event: Event) -> str:
    """Return the class that settles why an event is unknown: it depends on the machine, or a
    promise sets it by what the machine knows."""
    words = event.detail.split()
    if event.detail.startswith("class ") and "depends on the machine" in event.detail:
        return words[1]
    return event.promiser if event.type == "classes" and event.promiser.isidentifier() else ""


def cells(event: Event, number: str, outcome: str) -> tuple[str, ...]:
    """Return the columns of a line."""
    name = event.bundle.name
    space = event.bundle.namespace
    bundle = name if space == "default" else f"{space}:{name}"
    shown = cut(" ".join(event.promiser.split()))
    place = f"{event.promise.span.file}:{event.promise.span.line}"
    return (number, bundle, event.type, shown, outcome, place)


def cut(text: str) -> str:
    """Return a text for a column, shortened if it is too long."""
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows with their columns below each other."""
    widths = [max((len(row[c]) for row in rows), default=0) for c in range(COLUMNS)]
    return [
        "  ".join([*(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    ]
