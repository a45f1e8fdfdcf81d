"""The text report of `catgraph cycles`."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.cli.shared.output import OutputStyle
from analyzer.escape import joined
from analyzer.graph.cycles.cuts import Cut
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.findings import Check, loop_words, names_itself
from analyzer.graph.phrases import hop_lines, statement_line
from analyzer.graph.provenance import Hop
from analyzer.graph.queries import MissingTarget
from analyzer.model.nouns import CFENGINE, counted

# The reason why a resource may wait for itself without such code (relationship_operator.rb).
SELF_EDGE = (
    "",
    "  The resource depends on itself. Puppet creates such an edge for a reversed arrow (A <- B,",
    "  A <~ B) whose collector B matches nothing. Reverse the arrow or correct the collector.",
)

# The most members, lost pairs and missing targets that are listed; the rest is counted.
SHOWN = 20


def catalog_report(name: str, check: Check, style: OutputStyle) -> str:
    """Return the report of one catalog."""
    parts = [missing_report(target, style) for target in check.missing]
    cycles = check.cycles
    policy = check.graph.catalog.nouns is CFENGINE
    for number, cycle in enumerate(cycles, 1):
        which = f" {number} of {len(cycles)}" if len(cycles) > 1 else ""
        count = counted(len(cycle.members), "member")
        what = f"dependency cycle{which}, {count} (CG301)"
        if policy:
            what = f"{loop_words(cycle)} (CG511)"
        parts.append(cycle_report(name, cycle, what, style))
    return "\n".join(parts)


def missing_report(target: MissingTarget, style: OutputStyle) -> str:
    """Return the report of a reference that matches nothing."""
    place = f"{target.span}: " if target.span else ""
    lines = [f"{style('bold', place)}{style('red', 'error')}: {target.message} (CG201)"]
    if target.hint:
        lines.append(f"  {target.hint}")
    return joined(lines) + "\n"


def cycle_report(name: str, cycle: Cycle, what: str, style: OutputStyle) -> str:
    """Return the report of one cycle; `what` is its headline."""
    where = cycle.place or name
    head = f"{where}: " if where else ""
    lines = [
        f"{style('bold', head)}{style('red', 'error')}: {what}",
        f"  {style('bold', str(cycle))}",
        "",
    ]
    lines += edge_table(cycle.hops, style)
    if len(cycle.hops) == 1 and not names_itself(cycle):
        lines += SELF_EDGE
    if not cycle.shortest:
        lines.append("  (large strongly connected component: a shorter cycle may exist)")
    others = [str(member) for member in cycle.others]
    if others:
        lines += [
            "",
            *listed(
                f"  {counted(len(others), 'other member')} of this strongly connected component:",
                others,
            ),
        ]
    lines += ["", *cut_report(cycle.cut, style)]
    return joined(lines) + "\n"


def edge_table(hops: Sequence[Hop], style: OutputStyle) -> list[str]:
    """Return one line for each edge: its ends, place, kind and remark."""
    rows = hop_lines(hops)
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = []
    for edge, place, word, text in rows:
        shown = f"{edge:<{widths[0]}}  {style('dim', f'{place:<{widths[1]}}')}"
        lines.append(f"  {shown}  {style('cyan', f'{word:<{widths[2]}}')}  {text}".rstrip())
    return lines


def cut_report(cut: Cut, style: OutputStyle) -> list[str]:
    """Return the statements to remove, and the orderings lost."""
    fewest = "" if cut.exact else " (approximation; fewer may be enough)"
    count = counted(len(cut.statements), "statement")
    lines = [f"  {style('green', 'to break the cycle')}, remove {count}{fewest}:"]
    lines += [f"    {statement_line(statement)}" for statement in cut.statements]
    if cut.lost_count:
        lost = [f"{first} before {second}" for first, second in cut.lost]
        lines += listed(f"  ordering lost: {counted(cut.lost_count, 'pair')}", lost, cut.lost_count)
    else:
        lines.append("  no ordering is lost" + why_none(cut))
    return lines


def why_none(cut: Cut) -> str:
    """Return the reason why a cut loses no order: other edges imply it, or it was a self-edge."""
    examples = [statement.example for statement in cut.statements]
    itself = all(example.source == example.target for example in examples)
    return "" if itself else ": other relationships imply it"


def listed(head: str, entries: list[str], total: int | None = None) -> list[str]:
    """Return a head line and the first entries, with the number of the others."""
    total = len(entries) if total is None else total
    lines = [head, *(f"    {entry}" for entry in entries[:SHOWN])]
    if total > SHOWN:
        lines.append(f"    ... and {total - SHOWN:,} more")
    return lines
