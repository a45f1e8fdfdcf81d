"""`catgraph explore`: what holds on each node under which unknown facts and parameters."""

from __future__ import annotations

from analyzer.cli.reports.cycle_text import cycle_report
from analyzer.cli.reports.exploration_json import document
from analyzer.cli.shared.inputs import settings_for
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    Option,
    format_option,
    positive,
)
from analyzer.cli.shared.output import Style, emit, print_error, style_for, usage_error
from analyzer.escape import joined, shown
from analyzer.model.nouns import counted
from analyzer.session import config_for, graph_of, kind_of, rules_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.cli.shared.options import Options
    from analyzer.frontends.puppet.worlds.conditions import Conjunct
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.session.exploring import Exploration
    from analyzer.session.searching import ConditionalFinding, ExploredNode

USAGE = "PATH"
INPUTS = (1, 1)
HELP = """Compile each node of a control repo, or each class of a module, in each world that its
code tells apart. A world is a set of values for the facts that you do not give, for trusted
extensions, and for the parameters of a module's classes; typical systems come first ('catgraph
facts'). Each cycle, duplicate declaration, missing target and error is reported once, with the
smallest condition under which it occurs; what fail() refuses is no finding. Exit code 1 if there
is a finding in any world, 3 if a node is incomplete or refused in every world, or if the search
stopped before it had tried everything."""
OPTIONS: tuple[Option, ...] = (
    format_option("text", "json"),
    Option("--worlds", "compile each node at most N times (64)", metavar="N", type=positive),
    Option("--seconds", "explore each node for at most N seconds (60)", metavar="N", type=positive),
    Option("--write-facts", "write the facts of the first finding's world to FILE", metavar="FILE"),
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)

STATES = ("ok", "cycle", "refused", "incomplete")

# Arms that are listed in text.
SHOWN = 10


def run(options: Options) -> int:
    """Explore, and print the table of nodes and worlds with the cycles of each."""
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.frontends.puppet.worlds.explorer import Budget
    from analyzer.session.exploring import explore

    path = options.inputs[0]
    if kind_of(path) != "manifests":
        return usage_error("explore", f"{path} is neither a manifest (.pp) nor a folder")
    config = config_for(path, options.config)
    settings = settings_for("manifests", options, config) or Settings()

    def graph(catalog: Catalog) -> RelationshipGraph:
        return graph_of(catalog, rules_for(catalog, config))

    budget = Budget(options.worlds or 64, options.seconds or 60)
    found = explore(path, settings, graph, budget, keep=False)
    if options.write_facts:
        write_facts(found, options.write_facts)
    if options.format == "json":
        emit(document(found), options.output)
    else:
        style = style_for(options)
        emit("\n".join(lines(found, style)), options.output)
    return exit_code(found)


def exit_code(found: Exploration) -> int:
    """Return 1 for a finding in any world, 3 where nothing was found but not all was seen."""
    if any(node.findings for node in found.nodes):
        return 1
    unseen = {"refused", "incomplete"}
    return 3 if any(n.state in unseen or not n.exhausted for n in found.nodes) else 0


def lines(found: Exploration, style: Style) -> Iterator[str]:
    """Yield the lines of the text: the table, the cycles, and arms that were never taken."""
    width = max([4, *(len(shown(node.name)) for node in found.nodes)])
    yield f"{'node':<{width}}  worlds  " + "  ".join(f"{state:>10}" for state in STATES)
    for node in found.nodes:
        states = [world.state for world in node.worlds]
        counts = "  ".join(f"{states.count(state) or '-':>10}" for state in STATES)
        more = "" if node.exhausted else "  (the search stopped at --worlds or --seconds)"
        more = f"  (does the same as {shown(node.like)})" if node.like else more
        yield f"{shown(node.name):<{width}}  {len(states):>6}  {counts}{more}"
    for node in found.nodes:
        for one in node.findings:
            yield ""
            yield from finding_lines(node, one, style)
    yield from refused_lines(found)
    if found.private:
        count = counted(len(found.private), "class", "classes")
        yield ""
        yield f"{count} cannot be compiled alone: {shown(', '.join(found.private))}"
    yield from never_lines(found)


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


def condition_text(condition: tuple[Conjunct, ...]) -> str:
    """Return a condition in words."""
    return f"if {' and '.join(map(str, condition))}" if condition else "in every world"


def refused_lines(found: Exploration) -> Iterator[str]:
    """Yield the errors of nodes that compile in no world."""
    for node in found.nodes:
        if node.state == "refused" and node.worlds[0].error is not None and not node.findings:
            yield ""
            text = f"{shown(node.name)}: does not compile in any world: {node.worlds[0].error}"
            yield joined(text.split("\n"))


def never_lines(found: Exploration) -> Iterator[str]:
    """Yield how many arms were taken, and constructs with one that never was."""
    total = found.taken + len(found.never)
    if not total:
        return
    yield ""
    yield f"{found.taken} of {counted(total, 'branch', 'branches')} were taken"
    for one in found.never[:SHOWN]:
        yield f"  {shown(str(one.span))}: never taken: {one.reason}"
    if len(found.never) > SHOWN:
        yield f"  ... and {len(found.never) - SHOWN:,} more (--format json has all)"


def write_facts(found: Exploration, path: str) -> None:
    """Write the facts of the world in which the first finding holds."""
    from json import dumps

    findings = [one for node in found.nodes for one in node.findings]
    if not findings:
        print_error("--write-facts: there is no finding, so no facts were written")
    else:
        others = {part.input for part in findings[0].condition if "::" in part.input}
        if others:
            names = ", ".join(sorted(others))
            print_error(f"--write-facts: the finding also depends on parameters: {names}")
        emit(dumps(findings[0].world.facts, indent=2, sort_keys=True, ensure_ascii=False), path)
