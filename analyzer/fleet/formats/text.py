"""The answer as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.escape import joined
from analyzer.fleet.causes import ClusteredCause, Reason, text_of
from analyzer.fleet.report import TITLES, WORDS, FleetReport, some
from analyzer.fleet.values import CauseStatement

# Statements of a cause, and reasons of failures, which are shown before the rest is counted.
STATEMENTS, FAILED = 12, 10


def render(report: FleetReport) -> str:
    """Return each cause with its statements and an example, what failed, and the numbers."""
    lines = [line for cause in report.causes for line in cause_lines(cause, report.total)]
    lines += failed_lines(report.failed)
    return joined([*lines, report.summary]) + "\n"


def cause_lines(cause: ClusteredCause, total: int) -> Iterator[str]:
    """Yield a cause as lines, with an empty one behind it."""
    count = f"{len(cause.nodes):,} of {total:,} nodes" if total > 1 else "the node"
    first, title = cause.statements[:1], TITLES.get(cause.code)
    # A finding of the lint is its first statement.
    head = title or f"{place_of(first[0])}{text_of(first[0])}"
    kind = "" if cause.code in WORDS else f"{cause.severity} {cause.code}: "
    spent = f", {cause.seconds:,.1f} s in all" if cause.seconds else ""
    yield f"{kind}{head}: {count} ({some(cause.nodes)}){spent}"
    for statement in cause.statements[0 if title else 1 : STATEMENTS]:
        yield f"  {place_of(statement)}{text_of(statement)}".rstrip(": ")
    if len(cause.statements) > STATEMENTS:
        yield f"  ... and {len(cause.statements) - STATEMENTS:,} more statements"
    for place, text in cause.lines:
        yield f"  caused by {place}: {text}"
    for place, text in cause.places:
        yield f"  now from {place}: {text}"
    if cause.path:
        yield f"  for example {cause.example}: {' => '.join(cause.path[:STATEMENTS])}"
    yield ""


def place_of(statement: CauseStatement) -> str:
    """Return the place of a statement in its environment, as a prefix; empty if it has none."""
    if not statement.relative:
        return ""
    line = f":{statement.line}" if statement.line else ""
    return f"{statement.relative}{line}: "


def failed_lines(failed: Sequence[Reason]) -> Iterator[str]:
    """Yield the nodes that were not seen whole, by reason."""
    for one in failed[:FAILED]:
        nodes = one.nodes
        who = nodes[0] if len(nodes) == 1 else f"{len(nodes):,} nodes ({some(nodes)})"
        yield f"{'incomplete' if one.incomplete else 'failed'}: {who}: {one.reason}"
    if len(failed) > FAILED:
        yield f"... and {len(failed) - FAILED:,} more reasons; --format json lists all nodes"
    if failed:
        yield ""
