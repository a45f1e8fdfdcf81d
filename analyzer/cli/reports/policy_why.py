"""`impact` and `why` for promises of a CFEngine policy."""

from __future__ import annotations

from analyzer.cli.shared.output import emit, emit_json, usage_error, warn
from analyzer.cli.shared.policies import request_of
from analyzer.escape import joined

HEADS = {
    "before": "{a} is evaluated before {b}:",
    "after": "{a} is evaluated after {b}, not before it:",
    "cycle": "{a} and {b} wait for each other, so neither is ever evaluated. One path:",
    "contains": "{a} and {b} are not ordered, because one contains the other:",
    "unordered": "{a} and {b} are unordered: no path leads from one to the other.",
}
BY_POSITION = "In this run, {} is evaluated first."

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from analyzer.cli.shared.options import Options
    from analyzer.frontends.cfengine.agent.events import Event
    from analyzer.frontends.cfengine.agent.run import Run
    from analyzer.frontends.cfengine.agent.steps import Step
    from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise


def print_impact(paths: Sequence[str], ref: str, options: Options) -> int:
    """Print the dependents of a promise: by classes and variables, and in a run where it fails."""
    from analyzer.frontends.cfengine.agent.catalog import nodes_of
    from analyzer.session.policies import events_of, failed

    request = request_of(options)
    events, warnings = events_of(paths, request)
    warn(paths[0], warnings)
    nodes = nodes_of(events)
    if ref not in nodes:
        return usage_error("impact", not_kept(ref, nodes, events, paths))
    number = nodes[ref]
    needs = needs_of(number, nodes, events)
    other = nodes_of(failed(paths, events[number], request))
    lost = [name for name in nodes if name not in other]
    gained = [name for name in other if name not in nodes]
    if options.format == "json":
        document = {"promise": ref, "needed_by": needs, "not_kept": lost, "kept_instead": gained}
        emit_json(document, options.output)
        return 0
    shown = [f"{name}  {', '.join(causes)}" for name, causes in needs.items()]
    lines = [ref, *listed("promises that need what it sets", shown)]
    lines += listed("no longer kept if it fails", lost)
    lines += listed("kept instead if it fails", gained)
    emit(joined(lines), options.output)
    return 0


def not_kept(ref: str, nodes: dict[str, int], events: Sequence[Event], paths: Sequence[str]) -> str:
    """Report that a promise is not kept in the run, or suggest a similar name."""
    from difflib import get_close_matches

    looked = {literal((event.bundle, event.type, event.promise)) for event in events}
    near = get_close_matches(ref, nodes, 1)
    if ref in looked or not near:
        files = " ".join(paths)
        return f"{ref} is not kept in this run; 'catgraph why {files} REF' explains why"
    return f"{ref} is not kept in this run; did you mean '{near[0]}'?"


def needs_of(number: int, nodes: dict[str, int], events: Sequence[Event]) -> dict[str, list[str]]:
    """Return the promises that need a class or variable of a promise, with its name."""
    needs = {
        name: [f"{cause.kind} {cause.name}" for cause in events[i].causes if cause.event == number]
        for name, i in nodes.items()
    }
    return {name: causes for name, causes in needs.items() if causes}


def listed(head: str, entries: Sequence[str]) -> list[str]:
    """Return a head line with a number, and the entries."""
    return [f"  {head}: {len(entries)}", *(f"    {entry}" for entry in entries)]


def print_why_not(paths: Sequence[str], ref: str, options: Options) -> int:
    """Print when a promise is kept, or why it is not; return exit code 1 then."""
    from difflib import get_close_matches

    from analyzer.session.policies import run_policy

    run = run_policy(paths, request_of(options))
    warn(paths[0], run.warnings)
    found = [row for row in run.promises() if ref in (literal(row), ref_with_place(row))]
    if not found:
        near = get_close_matches(ref, map(literal, run.promises()), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return usage_error("why", f"there is no promise {ref} in the policy{hint}")
    answers = [answer_of(run, row) for row in found]
    if options.format == "json":
        document = answers[0] if len(answers) == 1 else answers
        emit_json(document, options.output)
    else:
        emit(joined(line for answer in answers for line in as_lines(answer)), options.output)
    return int(any(answer["step"] is None for answer in answers))


def print_order_of_two(paths: Sequence[str], refs: Sequence[str], options: Options) -> int:
    """Print why one promise is evaluated before another, or why one of them never is."""
    from analyzer.cli.reports.why_text import print_why
    from analyzer.session.inputs import graph_of
    from analyzer.session.policies import policy_catalog

    request = request_of(options)
    for loops in (False, True):
        catalog = policy_catalog(paths, request, loops=loops)
        graph = graph_of(catalog)
        absent = [ref for ref in refs if graph.find(ref) is None]
        if absent:
            continue
        why = graph.why(*refs)
        if not loops or why.verdict == "cycle":
            warn(paths[0], catalog.warnings)
            return print_why([("", graph, why)], options, HEADS, BY_POSITION)
    begun = graph_of(policy_catalog(paths, request))
    for ref in refs:
        if begun.find(ref) is None:
            return print_why_not(paths, ref, options)
    return 1


def literal(row: tuple[Bundle, str, Promise]) -> str:
    """Return the original reference of a promise, with its variables."""
    from analyzer.model.names import capitalize_type

    bundle, kind, promise = row
    shown = " ".join(promise.promiser.split())
    return f"{capitalize_type(kind)}[{bundle.name}:{shown}]"


def ref_with_place(row: tuple[Bundle, str, Promise]) -> str:
    """Return a reference with its line: several promises may have equal text."""
    return f"{literal(row)[:-1]}#{row[2].span.line}]"


def answer_of(run: Run, row: tuple[Bundle, str, Promise]) -> dict[str, Any]:
    """Return the answer about one promise as JSON."""
    from analyzer.frontends.cfengine.agent.why_not import why_not

    found = why_not(run, row[2])
    step = run.steps[found.step] if found.step is not None else None
    return {
        "promise": literal(row),
        "place": str(row[2].span),
        "step": found.step,
        "pass": step.pass_number if step else None,
        "outcome": step.event.outcome if step and step.event else None,
        "detail": step.event.detail if step and step.event else "",
        "settle": settle_lines(run, step),
        "missed": found.missed,
        "obstacles": [
            {"kind": o.kind, "text": o.text, "step": o.step, "place": str(o.place or "")}
            for o in found.obstacles
        ],
        "came": [
            {"depth": depth, "text": text, "place": str(place or "")}
            for depth, text, place in found.chain
        ],
    }


def settle_lines(run: Run, step: Step | None) -> list[str]:
    """Return how to settle what is not known of a promise."""
    from analyzer.cli.shared.policies import settling

    detail = step.event.detail if step and step.event and step.event.outcome == "unknown" else ""
    for event in run.events if detail else ():
        name = settling(event) if event.detail == detail else ""
        if name:
            return [f"  --define {name} or --define '!{name}' settles it"]
    return []


def as_lines(answer: dict[str, Any]) -> list[str]:
    """Return an answer as text."""
    head = f"{answer['promise']} at {answer['place']}"
    obstacles = [placed(2, row) for row in answer["obstacles"]]
    if answer["step"] is None:
        return [f"{head} is never kept:", *obstacles]
    when = f"pass {answer['pass']}, step {answer['step']}"
    if answer["outcome"] == "unknown":
        return [f"{head}: not known in {when}:", f"  {answer['detail']}", *answer["settle"]]
    lines = [f"{head}: {answer['outcome']} in {when}"]
    if answer["missed"] is not None:
        lines += [f"  not in pass {answer['missed']}:", *(f"  {line}" for line in obstacles)]
    if answer["came"]:
        lines += ["  what came after that:"]
        lines += [placed(4 + 2 * row["depth"], row) for row in answer["came"]]
    return lines


def placed(indent: int, row: dict[str, Any]) -> str:
    """Return a line with its place."""
    return f"{' ' * indent}{row['text']}" + (f"  {row['place']}" if row["place"] else "")
