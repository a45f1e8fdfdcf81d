"""CFEngine policies on the command line: a simulated run, and what it shows of the order."""

from __future__ import annotations

from analyzer.cli.options import Option
from analyzer.cli.output import emit, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.cli.options import Options
    from analyzer.frontends.cfengine.events import Event

POLICY = ".cf"
# How a policy is simulated.
DEFINE = Option(
    "--define", "classes that are set, with commas between (CFEngine)", metavar="CLASSES"
)
OUTCOME = Option(
    "--outcome",
    "what commands and files do: events as 'order --format json' prints them (CFEngine)",
    metavar="FILE",
)
SIMULATE = (
    DEFINE,
    OUTCOME,
    Option(
        "--normal-order",
        "sequence of promise types: of the running agent, or as documented (CFEngine)",
        "running",
        ("running", "documented"),
    ),
)
COLUMNS = 5


def is_policy(path: str) -> bool:
    """Tell whether an input is a policy of CFEngine."""
    return path.endswith(POLICY)


def simulated(path: str, options: Options) -> list[Event]:
    """Return what happens in a run of a policy, with warnings on standard error.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.session.policies import simulate

    classes = (options.define or "").split(",")
    events, warnings = simulate(path, classes, options.outcome, options.normal_order)
    warn(path, warnings)
    return events


def print_order(options: Options) -> int:
    """Print the promises of a policy in the order in which they are evaluated."""
    events = simulated(options.inputs[0], options)
    if options.format == "json":
        from json import dumps

        rows = ",\n".join(" " + dumps(as_row(event), ensure_ascii=False) for event in events)
        emit(f"[\n{rows}\n]" if rows else "[]", options.output)
    else:
        emit("\n".join([*begun_lines(events), *never_lines(events)]), options.output)
    return 0


def as_row(event: Event) -> dict[str, object]:
    """Return an event as JSON has it; `line` is CFEngine's."""
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
    """Return a line for each promise that was kept, or tried, with its pass and place."""
    seen = set()
    rows = []
    for event in events:
        key = (event.bundle.name, event.type, event.promise.span, event.promiser, event.within)
        again = event.type in ("vars", "meta", "defaults") and key in seen
        if event.begun and not again and event.outcome != "not_set":
            seen.add(key)
            rows.append(cells(event, str(event.number), event.outcome))
    return aligned(rows)


def never_lines(events: Sequence[Event]) -> list[str]:
    """Return a line for each promise that was looked at and never begun, with the last reason."""
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


def cells(event: Event, number: str, outcome: str) -> tuple[str, ...]:
    """Return the columns of a line."""
    name = event.bundle.name
    space = event.bundle.namespace
    bundle = name if space == "default" else f"{space}:{name}"
    shown = " ".join(event.promiser.split())
    place = f"{event.promise.span.file}:{event.promise.span.line}"
    return (number, bundle, event.type, shown, outcome, place)


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows with their columns below each other."""
    widths = [max((len(row[c]) for row in rows), default=0) for c in range(COLUMNS)]
    return [
        "  ".join([*(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    ]


def print_impact(path: str, ref: str, options: Options) -> int:
    """Print what rests on a promise: by what it sets, and in a run in which it fails."""
    from analyzer.cli.options import usage_error
    from analyzer.frontends.cfengine.catalog import nodes_of
    from analyzer.session.policies import failed, simulate

    events, warnings = simulate(path)
    warn(path, warnings)
    nodes = nodes_of(events)
    if ref not in nodes:
        return usage_error("impact", f"{ref} is not among the promises that are kept")
    number = nodes[ref]
    needs = {
        name: [f"{cause.kind} {cause.name}" for cause in events[i].causes if cause.event == number]
        for name, i in nodes.items()
    }
    needs = {name: causes for name, causes in needs.items() if causes}
    other = nodes_of(failed(path, events[number]))
    lost = [name for name in nodes if name not in other]
    gained = [name for name in other if name not in nodes]
    if options.format == "json":
        from json import dumps

        document = {"promise": ref, "needed_by": needs, "not_kept": lost, "kept_instead": gained}
        emit(dumps(document, indent=1, ensure_ascii=False), options.output)
        return 0
    shown = [f"{name}  {', '.join(causes)}" for name, causes in needs.items()]
    lines = [ref, *listed("what it sets is needed by", shown)]
    lines += listed("if it fails, these are not kept", lost)
    lines += listed("if it fails, these are kept instead", gained)
    emit("\n".join(lines), options.output)
    return 0


def listed(head: str, entries: Sequence[str]) -> list[str]:
    """Return a head line and what it counts."""
    return [f"  {head}: {len(entries)}", *(f"    {entry}" for entry in entries)]
