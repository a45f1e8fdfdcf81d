"""An exploration as text: the table of nodes, the findings, and branches that were never taken."""

from __future__ import annotations

from analyzer.cli.reports.cycle_text import cycle_report
from analyzer.cli.shared.output import Style
from analyzer.escape import joined, shown
from analyzer.model.nouns import counted
from analyzer.session.conditional import condition_text
from analyzer.session.untaken import ONLY_REFUSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.session.exploring import Exploration
    from analyzer.session.searching import ConditionalFinding, ExploredNode

STATES = ("ok", "cycle", "refused", "incomplete")

# The most arms that are listed.
SHOWN = 10


def lines(found: Exploration, style: Style) -> Iterator[str]:
    """Yield the lines of the text: the table, the cycles, and arms that were never taken."""
    width = max([4, *(len(shown(node.name)) for node in found.nodes)])
    yield f"{'node':<{width}}  worlds  " + "  ".join(f"{state:>10}" for state in STATES)
    for node in found.nodes:
        states = [world.state for world in node.worlds]
        counts = "  ".join(f"{states.count(state) or '-':>10}" for state in STATES)
        more = "" if node.exhausted else "  (the search stopped at a limit)"
        more = f"  (does the same as {shown(node.like)})" if node.like else more
        yield f"{shown(node.name):<{width}}  {len(states):>6}  {counts}{more}"
    for node in found.nodes:
        for one in node.findings:
            yield ""
            yield from finding_lines(node, one, style)
    yield from refused_lines(found)
    if found.left:
        yield ""
        yield f"not explored because --total was used up: {left_text(found)}"
    if found.private:
        count = counted(len(found.private), "class", "classes")
        yield ""
        yield f"{count} cannot be compiled alone: {shown(', '.join(found.private))}"
    yield from never_lines(found)


def left_text(found: Exploration) -> str:
    """Return the number of nodes that were not explored, with a few names."""
    count = f"{len(found.left):,} of {counted(len(found.nodes) + len(found.left), 'node')}"
    more = ", ..." if len(found.left) > SHOWN else ""
    return f"{count}: {shown(', '.join(found.left[:SHOWN]))}{more}"


def finding_lines(node: ExploredNode, found: ConditionalFinding, style: Style) -> Iterator[str]:
    """Yield the report of a finding, which begins with its condition."""
    condition, finding = condition_text(found.condition), found.finding
    if finding.cycle is not None:
        members = counted(len(finding.cycle.members), "member")
        what = f"{shown(node.name)}: dependency cycle {condition}, {members} (CG301)"
        yield cycle_report(node.name, finding.cycle, what, style).rstrip()
    else:
        place = f"{shown(str(finding.span))}: " if finding.span else ""
        what = f"{shown(node.name)}: {finding.kind} {condition}"
        yield f"{place}error: {what}: {shown(finding.message)}"


def refused_lines(found: Exploration) -> Iterator[str]:
    """Yield the errors of nodes that compile in no world."""
    for node in found.nodes:
        if node.state == "refused" and node.worlds[0].error is not None and not node.findings:
            yield ""
            text = f"{shown(node.name)}: does not compile in any world: {node.worlds[0].error}"
            yield joined(text.split("\n"))


def never_lines(found: Exploration) -> Iterator[str]:
    """Yield the number of arms that were taken, and the constructs with an untaken arm."""
    total = found.taken + len(found.never)
    if not total:
        return
    yield ""
    yield f"{found.taken} of {counted(total, 'branch', 'branches')} were taken"
    for one in found.never[:SHOWN]:
        what = "" if one.reason == ONLY_REFUSED else "never taken: "
        yield f"  {shown(str(one.span))}: {what}{one.reason}"
    if len(found.never) > SHOWN:
        yield f"  ... and {len(found.never) - SHOWN:,} more (--format json has all)"
