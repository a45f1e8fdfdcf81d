"""`catgraph cycles --worlds N`: the cycles of manifests, each with its condition."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from analyzer.cli.reports.exploration_text import finding_lines
from analyzer.cli.shared.inputs import settings_for
from analyzer.cli.shared.output import emit, style_for, usage_error
from analyzer.diagnostics import ISSUES, Results
from analyzer.escape import shown
from analyzer.export.encode import json_text
from analyzer.export.reports.cycles_json import cycle_row
from analyzer.export.reports.formats import render_results
from analyzer.export.reports.lint_json import condition_row
from analyzer.export.values import gap_row
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.model.nouns import counted
from analyzer.session import config_for, kind_of, rules_for
from analyzer.session.conditional import findings_of, row_of
from analyzer.session.exploring import Exploration, explore_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import Style
    from analyzer.model.completeness import Gap
    from analyzer.session.searching import ExploredNode

# What `cycles` reports.
KINDS = ("cycle", "missing target")


def report_worlds(options: Options) -> int:
    """Explore all inputs and print the cycles; return the exit code."""
    found: list[tuple[str, Exploration]] = []
    for path in options.inputs:
        if kind_of(path) != "manifests":
            return usage_error("cycles", f"--worlds needs manifests, and {path} is none")
        config = config_for(path, options.config)
        settings = settings_for("manifests", options, config) or Settings()
        explored = explore_in(path, settings, partial(rules_for, config=config), options.worlds)
        for node in explored.nodes:
            node.findings = [one for one in node.findings if one.finding.kind in KINDS]
        found.append((path, explored))
    emit(text_of(options, found), options.output)
    nodes = [node for _, one in found for node in one.nodes]
    if any(node.findings for node in nodes):
        return 1
    open_ones = any(n.state in ("refused", "incomplete") or not n.exhausted for n in nodes)
    return 3 if open_ones and not options.allow_incomplete else 0


def text_of(options: Options, found: list[tuple[str, Exploration]]) -> str:
    """Return the report in the format that is wanted."""
    nodes = [(path, node) for path, one in found for node in one.nodes]
    if options.format == "text":
        return "\n".join(lines(nodes, style_for(options)))
    if options.format == "json":
        cycles = [
            {
                **cycle_row(node.name, one.finding.cycle),
                "condition": [condition_row(*row_of(part)) for part in one.condition],
            }
            for _, node in nodes
            for one in node.findings
            if one.finding.cycle is not None
        ]
        incomplete = [gap_row(gap) for gap in gaps_in(node for _, node in nodes)]
        return json_text({"cycles": cycles, "incomplete": incomplete})
    findings = tuple(f for path, one in found for f in findings_of(one, path))
    issues = (ISSUES["CG201"], ISSUES["CG301"])
    inputs = tuple(path for path, _ in found)
    gaps = tuple(gaps_in(node for _, node in nodes))
    return render_results(options.format, Results(findings, issues, inputs, (), "", gaps))


def gaps_in(nodes: Iterator[ExploredNode]) -> list[Gap]:
    """Return the gaps in the worlds of nodes, each once."""
    return list(dict.fromkeys(gap for node in nodes for one in node.worlds for gap in one.gaps))


def lines(nodes: list[tuple[str, ExploredNode]], style: Style) -> Iterator[str]:
    """Yield the cycles of each node, and a line for each that has none."""
    for path, node in nodes:
        for one in node.findings:
            yield from finding_lines(node, one, style)
            yield ""
        if not node.findings:
            yield f"{shown(path)} ({shown(node.name)}): {verdict(node)}"
    cyclic = sum(bool(node.findings) for _, node in nodes)
    worlds = counted(sum(node.runs for _, node in nodes), "world")
    about = f"{counted(len(nodes), 'node')} in {worlds}"
    yield f"{about}: {len(nodes) - cyclic} without a cycle, {cyclic} with cycles"


def verdict(node: ExploredNode) -> str:
    """Return the verdict on a node without cycles."""
    worlds = counted(node.runs, "world")
    if node.state == "refused":
        return f"does not compile in any of {worlds}: {node.worlds[0].error}"
    if node.state == "incomplete":
        return f"incomplete; no cycle in the known part of {worlds}"
    more = "" if node.exhausted else "; the search stopped at --worlds or after 20 s"
    return f"no dependency cycle in {worlds}{more}"
