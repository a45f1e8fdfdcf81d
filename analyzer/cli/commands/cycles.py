"""`catgraph cycles`: find and explain every dependency cycle."""

from __future__ import annotations

import sys
from os.path import isdir

from analyzer.cli.shared.completeness import ALLOW, exit_code, gaps_of, print_gaps, statement_lines
from analyzer.cli.shared.inputs import check_all
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    JOBS,
    OUTPUT,
    SIMULATE,
    WORLDS,
    Option,
    format_option,
)
from analyzer.cli.shared.output import emit, usage_error
from analyzer.escape import one_line
from analyzer.model.nouns import CFENGINE, counted, nouns_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import Any

    from analyzer.cli.shared.accepted import Accepted
    from analyzer.cli.shared.inputs import CheckedInputs
    from analyzer.cli.shared.options import Options
    from analyzer.graph.findings import FindingInWorld
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.completeness import Gap
    from analyzer.session.workers import Workers
    from analyzer.session.worlds.of_inputs import Row

USAGE = "INPUT..."
INPUTS = (1, None)
HELP = """Find every dependency cycle and explain it: a shortest closed path, the
statement that made each edge, and the fewest statements to remove. References to resources that
are not in the catalog are reported too, because Puppet stops at them.

Of a site, each node is compiled, and each class of its own code that no node has, unless you choose
with --node or --class. They are also compiled with facts and parameters that take other branches of
the code. Problems that only some of these have are reported with their condition; --worlds 1 turns
this off.

Exit codes: 1 if any input has a cycle or a missing resource, even one that does not compile
completely; 3 if none was found but something did not compile, or something unknown may hide a
relationship of a catalog. The output then ends with a list of the unknown values, the reasons, and
what you can do about them.

In a CFEngine policy (.cf), cycles are promises that wait for each other through depends_on."""
OPTIONS = (
    format_option("text", "json", "sarif", "junit", "github", "markdown"),
    Option("--puppet-text", "print the message that Puppet logs", flag=True),
    Option("--baseline", "accept what the baseline of 'catgraph check' lists", metavar="FILE"),
    WORLDS,
    JOBS,
    ALLOW,
    OUTPUT,
    CONFIG,
    *SIMULATE,
    *COMPILE,
    COLOR,
)


def run(options: Options) -> int:
    """Check all inputs; an unreadable input does not stop the others."""
    if not options.no_cache and all(map(isdir, options.inputs)):
        from analyzer.cli.shared.kept import kept

        return kept("cycles", options, report_all)
    return report_all(options)


def report_all(options: Options) -> int:
    """Check all inputs and print the findings; return the exit code."""
    from analyzer.session.inputs import is_manifest

    # The parts of inputs, by the path of each part.
    vars(options)["divided"] = {}
    if any(map(isdir, options.inputs)) and not options.puppet_text:
        options.inputs = [one for path in options.inputs for one in apart(path, options)]
    if options.jobs == 1 or not any(map(is_manifest, options.inputs)):
        return report_with(options, None)
    from analyzer.cli.reports.world_cycles import answering
    from analyzer.cli.shared.workers import workers_for

    workers = workers_for(options, answering)
    try:
        return report_with(options, workers)
    finally:
        workers.close()


def apart(path: str, options: Options) -> Sequence[str]:
    """Return the sites and modules of an input that are compiled apart from each other."""
    from analyzer.cli.shared.inputs import settings_for
    from analyzer.session.inputs import kind_of
    from analyzer.session.settings import config_for
    from analyzer.session.sites import parts_of

    settings = settings_for(kind_of(path), options, config_for(path, options.config))
    if settings is None:
        return [path]
    parts = parts_of(path, settings)
    options.divided.update(dict.fromkeys(parts.paths, parts))
    return parts.paths


def report_with(options: Options, workers: Workers[Any, Any] | None) -> int:
    """Check all inputs, with other processes, and print the findings; return the exit code."""
    from analyzer.cli.shared.exit_codes import CANNOT_COMPILE, FINDINGS

    accepted = accepted_by(options)
    has_refused = accepted.has_refused if accepted else None
    done = check_all(options, options.inputs, workers, has_refused, whole=not options.puppet_text)
    checked, unreadable, worst = done.graphs, done.unreadable, done.worst
    for _, graph in checked:
        if graph.has_cycle:
            from analyzer.session.locating import locate

            locate(graph)
    rows, left = other_worlds(options, done, workers)
    left += [gap for _, one in done.unreached for gap in one.gaps]
    gaps = [*gaps_of(graph for _, graph in checked), *left]
    if accepted is not None:
        rows = [row for row in rows if not accepted.has(row[2].finding)]
        gaps = accepted.new_gaps(gaps)
    if options.puppet_text:
        if any(graph.catalog.nouns is CFENGINE for _, graph in checked):
            return usage_error("cycles", "--puppet-text cannot be used with a policy")
        emit(
            "\n".join(text for _, graph in checked if (text := graph.puppet_text())), options.output
        )
        bad = any(graph.has_cycle for _, graph in checked)
    elif options.format == "text":
        bad = report_text(options, done, gaps, rows, accepted)
    else:
        worlds = tuple(one for *_, one in rows)
        bad = report_format(options, checked, unreadable, worlds, tuple(left), accepted)
    if options.puppet_text or options.format != "text":
        print_gaps(gaps, options)
    # A cycle is reported beside the errors of nodes that do not compile.
    found = FINDINGS if worst in (0, CANNOT_COMPILE) and bad else worst
    return exit_code(found, gaps, options)


def accepted_by(options: Options) -> Accepted | None:
    """Return the entries of the baseline of the options or the configuration, None without one.

    Raises:
        InputError: it cannot be read.
    """
    from analyzer.session.settings import config_for

    config = config_for(options.inputs[0], options.config)
    path = options.baseline or (config and config.paths("baseline"))
    if not path or options.puppet_text:
        return None
    from analyzer.cli.shared.accepted import Accepted
    from analyzer.linter.baseline import read

    return Accepted(read(path))


def other_worlds(
    options: Options, checked: CheckedInputs, workers: Workers[Any, Any] | None
) -> tuple[list[Row], list[Gap]]:
    """Return the findings that need other facts or parameters, and the gaps of the search."""
    from analyzer.session.inputs import is_manifest

    if options.puppet_text or options.worlds == 1 or not any(map(is_manifest, options.inputs)):
        return [], []
    from analyzer.cli.reports.world_cycles import in_other_worlds

    return in_other_worlds(options, checked, workers)


def report_text(
    options: Options,
    done: CheckedInputs,
    gaps: list[Gap],
    rows: list[Row],
    accepted: Accepted | None,
) -> bool:
    """Print the text report with the gaps; return whether anything was found."""
    checked = done.graphs
    # Each report or line, with its catalogs.
    told: dict[str, list[str]] = {}
    cyclic = broken = partial = 0
    several = len(checked) > 1
    lines = clean_lines(done, {node.name for node, *_ in rows})
    for name, graph in checked:
        if not is_bad(graph):
            told.setdefault(lines[name], [])
            partial += not graph.is_complete
            continue
        from analyzer.cli.reports.cycle_text import catalog_report
        from analyzer.cli.shared.output import style_for
        from analyzer.graph.findings import check

        every = check(name, graph)
        new = accepted.new_in(every) if accepted else every
        if not new.findings:
            line = f"{name}: only what the baseline accepts ({every.verdict})"
            told.setdefault(one_line(line), [])
            continue
        text = catalog_report("" if several else name, new, style_for(options))
        told.setdefault(text, []).append(name)
        cyclic += bool(new.cycles)
        broken += not new.cycles
    parts = [with_names(text, names) if several else text for text, names in told.items()]
    if rows:
        from analyzer.cli.reports.world_cycles import texts_of
        from analyzer.cli.shared.output import style_for

        others = texts_of(rows, style_for(options)).items()
        parts += [with_names(text, names[1:] and names) for text, names in others]
    if several:
        from analyzer.graph.summary import summary

        noun = nouns_of(graph.catalog.nouns for _, graph in checked).whole
        more = f"; {counted(len(rows), 'finding')} with other facts or parameters" if rows else ""
        parts.append(summary(noun, len(checked), cyclic, broken, partial) + more)
    parts += [*(accepted.lines if accepted else ()), *statement_lines(gaps, options)]
    emit("\n".join(parts), options.output)
    return bool(cyclic or broken or rows)


# The most nodes without resources that have a line each.
FEW = 5
# One and several of what shares a line, and what they have in common.
CLASSES = "class", "classes", "that no node has"
NODES = "node", "nodes", "without resources"


def is_bad(graph: RelationshipGraph) -> bool:
    """Return whether a catalog has a cycle, or lacks the target of a relationship."""
    return graph.has_cycle or bool(graph.missing_count and not graph.catalog.alone)


def clean_lines(done: CheckedInputs, elsewhere: Container[str]) -> dict[str, str]:
    """Return the line of each catalog without a problem.

    Classes that no node has share one, and so do many nodes without resources. `elsewhere` are the
    names of those that have a problem with other facts or parameters.
    """
    alone = {
        f"{path} ({one.name})": path
        for path, some in done.unreached
        for one in some.catalogs
        if one.alone
    }
    for name, graph in done.graphs:
        path = name.removesuffix(f" ({graph.catalog.name})")
        if path in done.beside:
            alone[name] = done.beside[path]
    lines: dict[str, str] = {}
    together: dict[tuple[str, tuple[str, str, str], str], list[str]] = {}
    for name, graph in done.graphs:
        if is_bad(graph):
            continue
        if name in alone:
            key = alone[name], CLASSES, graph.verdict
            together.setdefault(key, []).append(name)
            continue
        if not graph.resource_count and graph.catalog.name not in elsewhere:
            path = name.removesuffix(f" ({graph.catalog.name})")
            together.setdefault((path, NODES, graph.verdict), []).append(name)
        lines[name] = clean_line(name, graph, as_given=graph.catalog.name in elsewhere)
    for (path, what, verdict), names in together.items():
        if what == CLASSES or len(names) > FEW:
            *nouns, more = what
            line = one_line(f"{path} ({counted(len(names), *nouns)} {more}): {verdict}")
            lines.update(dict.fromkeys(names, line))
    return lines


def with_names(text: str, names: list[str]) -> str:
    """Return a report with the names of its catalogs."""
    if not names:
        return text
    from analyzer.cli.reports.cycle_text import listed
    from analyzer.escape import joined

    lines = (
        [f"  in {names[0]}"] if len(names) == 1 else listed(f"  in {len(names):,} catalogs:", names)
    )
    return f"{text}{joined(lines)}\n"


def report_format(
    options: Options,
    checked: list[tuple[str, RelationshipGraph]],
    unreadable: list[tuple[str, str]],
    worlds: tuple[FindingInWorld, ...],
    left: tuple[Gap, ...],
    accepted: Accepted | None,
) -> bool:
    """Print the findings in a format for programs; return whether there are any."""
    from analyzer.export.reports.formats import render
    from analyzer.graph.findings import CyclesReport, check, finding_text

    checks = tuple(check(name, graph) for name, graph in checked)
    if accepted is not None:
        checks = tuple(map(accepted.new_in, checks))
    report = CyclesReport(checks, tuple(unreadable), worlds, left)
    emit(render(options.format, report), options.output)
    if options.format == "json":
        missing = [finding for finding in report.findings if finding.code == "CG201"]
        for finding in missing:
            print(finding_text(finding), file=sys.stderr)
    return bool(report.findings)


def clean_line(name: str, graph: RelationshipGraph, *, as_given: bool) -> str:
    """Report that a catalog has an order, as far as it is known, and its size.

    `as_given`: it has no order with other facts or parameters.
    """
    given = " with the facts and parameters as given" if as_given else ""
    absent = graph.absent_count
    others = (
        f", {counted(absent, 'reference')} to resources that other classes may declare"
        if absent
        else ""
    )
    return one_line(f"{name}: {graph.verdict}{given} ({graph.size}{others})")
