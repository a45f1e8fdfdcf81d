"""Recorded runs: `catgraph order REPORT`, and `order CATALOG --times REPORT`."""

from __future__ import annotations

from analyzer.apply.report.chain import Timing, timing
from analyzer.apply.report.run import ReportedRun
from analyzer.cli.shared.output import OutputStyle, emit, emit_json, style_for, warn
from analyzer.escape import joined, shown
from analyzer.export.runs.recorded_json import run_document, timing_document
from analyzer.model.catalog import run_size
from analyzer.model.nouns import counted
from analyzer.session.inputs import load_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph

# The most references in a list.
SHOWN = 20
OUTCOME = "outcome"
COLOURS = {"failed": "red", "failed_to_restart": "red", "skipped": "yellow", "changed": "green"}


def print_recorded_run(run: ReportedRun, options: Options) -> int:
    """Print a run in its order."""
    if options.format == "json":
        emit_json(run_document(run), options.output)
        return 0
    style = style_for(options)
    width = max([len(OUTCOME), *(len(" ".join(turn.words)) for turn in run.turns)])
    lines = [headline(run), "", f"   start  seconds  {OUTCOME:<{width}}  resource"]
    for turn in run.turns:
        outcome = f"{' '.join(turn.words) or '-':<{width}}"
        colour = next((COLOURS[word] for word in turn.words if word in COLOURS), "")
        outcome = style(colour, outcome) if colour else outcome
        lines.append(f"{figure(turn.start)} {figure(turn.seconds)}  {outcome}  {shown(turn.ref)}")
    emit(joined(lines), options.output)
    return 0


def print_timing(graph: RelationshipGraph, options: Options) -> int:
    """Print the times of a run on the graph of its catalog."""
    run = load_run(options.times)
    if not run.measured:
        from analyzer.cli.shared.output import usage_error

        return usage_error(
            "order", f"{options.times} has no durations of resources (PuppetDB does not store them)"
        )
    found = timing(graph, run)
    if options.format == "json":
        emit_json(timing_document(found, options.slowest), options.output)
    else:
        emit(joined(report(found, options.slowest, style_for(options))), options.output)
    warn(options.times, remarks(found))
    return 0


def report(found: Timing, count: int, style: OutputStyle) -> list[str]:
    """Return the report as text."""
    run = found.run
    share = f"{found.bound / run.seconds:.0%}" if run.seconds else "0%"
    chain_of = f"{found.bound:.3f} s of {run.seconds:.3f} s ({share})"
    lines = [
        headline(run),
        "",
        f"{style('bold', 'critical chain')}: {chain_of}; even a parallel run takes that long",
        "    done  seconds  resource",
    ]
    lines += [f"{figure(x.done)} {figure(x.seconds)}  {shown(x.ref)}" for x in found.chain]
    lines += ["", style("bold", "slowest resources"), " seconds    share  resource"]
    chain = {link.ref for link in found.chain}
    for turn in found.slowest(count):
        part = f"{(turn.seconds or 0.0) / run.seconds:8.1%}"
        mark = "  (critical)" if turn.ref in chain else ""
        lines.append(f"{figure(turn.seconds)} {part}  {shown(turn.ref)}{mark}")
    return lines


def remarks(found: Timing) -> list[str]:
    """Return the differences between run and catalog."""
    told = []
    if found.unmatched:
        count = counted(len(found.unmatched), "resource")
        told.append(f"{count} of the run are not in the catalog: {listed(found.unmatched)}")
    if found.absent:
        why = "" if found.run.complete else " (the report leaves out unchanged resources)"
        count = counted(len(found.absent), "resource")
        told.append(f"{count} of the catalog are not in the run{why}: {listed(found.absent)}")
    return told


def headline(run: ReportedRun) -> str:
    """Return one line about a run."""
    when = f", {run.time[:19].replace('T', ' ')}" if run.time else ""
    sums = f", {run.seconds:.3f} s measured" if run.measured else ""
    status = f": {run.status}" if run.status else ""
    return f"run of {shown(run.name)}{when}{status}, {run_size(len(run.turns), run.added)}{sums}"


def figure(seconds: float | None) -> str:
    """Return seconds in a column of eight."""
    return "       -" if seconds is None else f"{seconds:8.3f}"


def listed(refs: tuple[str, ...]) -> str:
    """Return the first references in one line, with the number of the others."""
    more = f" and {len(refs) - SHOWN:,} more" if len(refs) > SHOWN else ""
    return ", ".join(map(shown, refs[:SHOWN])) + more
