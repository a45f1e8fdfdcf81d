"""An exploration as text: the table of nodes, the findings, and branches that were never taken."""

from __future__ import annotations

from functools import partial

from analyzer.cli.reports.cycle_text import cycle_report
from analyzer.cli.shared.output import OutputStyle
from analyzer.escape import joined, shown
from analyzer.model.nouns import counted
from analyzer.session.worlds.untaken import NOT_EXPLORED, ONLY_REFUSED
from analyzer.worlds.conditional import condition_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from analyzer.diagnostics import CompileError
    from analyzer.worlds.explored import (
        ConditionalFinding,
        ExploredNode,
        RepositoryExploration,
        UntakenArm,
    )

STATES = ("ok", "cycle", "missing", "refused", "incomplete")

# The most arms that are listed.
SHOWN = 10


def lines(
    found: RepositoryExploration, statement: Sequence[str], style: OutputStyle
) -> Iterator[str]:
    """Yield the lines of the text: the table, the cycles, and arms that were never taken.

    `statement` are lines about the gaps.
    """
    width = max([4, *(len(shown(node.name)) for node in found.nodes)])
    yield f"{'node':<{width}}  worlds  " + "  ".join(f"{state:>10}" for state in STATES)
    for node in found.nodes:
        states = [world.state for world in node.worlds]
        counts = "  ".join(f"{states.count(state) or '-':>10}" for state in STATES)
        more = "" if node.exhausted else "  (the search stopped at a limit)"
        more = f"  (does the same as {shown(node.like)})" if node.like else more
        yield f"{shown(node.name):<{width}}  {len(states):>6}  {counts}{more}"
    yield from each_once(
        (node.name, partial(finding_report, one, style))
        for node in found.nodes
        for one in node.findings
    )
    yield from each_once(refusals(found))
    yield from ["", *statement] if statement else []
    if found.left:
        yield ""
        reason = "you interrupted it" if found.interrupted else "--total was used up"
        yield f"not explored because {reason}: {left_text(found)}"
    if found.private:
        count = counted(len(found.private), "class", "classes")
        yield ""
        yield f"{count} cannot be compiled alone: {shown(', '.join(found.private))}"
    yield from never_lines(found)


def left_text(found: RepositoryExploration) -> str:
    """Return the number of nodes that were not explored, with a few names."""
    count = f"{len(found.left):,} of {counted(len(found.nodes) + len(found.left), 'node')}"
    more = ", ..." if len(found.left) > SHOWN else ""
    return f"{count}: {shown(', '.join(found.left[:SHOWN]))}{more}"


def each_once(reports: Iterable[tuple[str, Callable[[str], str]]]) -> Iterator[str]:
    """Yield each report once, for its first node, with the names of its other nodes.

    A report is a node and the function that returns the text for a name.
    """
    groups: dict[str, tuple[Callable[[str], str], dict[str, None]]] = {}
    for node, report in reports:
        groups.setdefault(report(""), (report, {}))[1][node] = None
    for report, known in groups.values():
        nodes = list(known)
        yield ""
        yield report(nodes[0])
        if len(nodes) > 1:
            more = f" and {len(nodes) - SHOWN:,} more" if len(nodes) > SHOWN else ""
            yield f"  in {len(nodes):,} nodes: {shown(', '.join(nodes[:SHOWN]))}{more}"


def first_lines(node: ExploredNode) -> Iterator[tuple[str, str]]:
    """Yield a line for each finding of a node, and what it has in common in all nodes."""
    style = OutputStyle(False)
    for one in node.findings:
        common, line = (finding_report(one, style, name) for name in ("", node.name))
        yield common, line.partition("\n")[0]


def finding_report(found: ConditionalFinding, style: OutputStyle, node: str) -> str:
    """Return the report of a finding of a node, which begins with its condition."""
    condition, finding = condition_text(found.condition), found.finding
    if finding.cycle is not None:
        members = counted(len(finding.cycle.members), "member")
        what = f"{shown(node)}: dependency cycle {condition}, {members} (CG301)"
        return cycle_report(node, finding.cycle, what, style).rstrip()
    place = f"{shown(str(finding.span))}: " if finding.span else ""
    what = f"{shown(node)}: {finding.kind} {condition}"
    return f"{place}error: {what}: {shown(finding.message)}"


def refusals(found: RepositoryExploration) -> Iterator[tuple[str, Callable[[str], str]]]:
    """Yield each node that compiles in no world, with the report of its error."""
    for node in found.nodes:
        error = node.worlds[0].error if node.worlds else None
        if node.state == "refused" and error is not None and not node.findings:
            yield node.name, partial(refusal, error)


def refusal(error: CompileError, node: str) -> str:
    """Return the report of an error of a node in every world."""
    return joined(f"{shown(node)}: does not compile in any world: {error}".split("\n"))


def never_lines(found: RepositoryExploration) -> Iterator[str]:
    """Yield the number of arms that were taken, and the constructs with an untaken arm."""
    total = found.taken + len(found.never)
    if not total:
        return
    yield ""
    yield f"{found.taken} of {counted(total, 'branch', 'branches')} were taken"
    rows = list(dict.fromkeys(map(never_line, found.never)))
    yield from rows[:SHOWN]
    if len(rows) > SHOWN:
        yield f"  ... and {len(rows) - SHOWN:,} more (--format json has all)"


def never_line(one: UntakenArm) -> str:
    """Return the line about a construct with an arm that was never taken."""
    is_sentence = one.reason == ONLY_REFUSED or one.reason.startswith(NOT_EXPLORED)
    what = "" if is_sentence else "never taken: "
    return f"  {shown(str(one.span))}: {what}{shown(one.reason)}"
