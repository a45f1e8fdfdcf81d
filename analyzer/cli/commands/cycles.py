"""`catgraph cycles`: every dependency cycle of the catalogs, explained; the gate."""

from __future__ import annotations

import sys

from analyzer.cli.shared.completeness import ALLOW, gaps_of, hides, statement_lines, tell
from analyzer.cli.shared.inputs import read_catalogs, settings_for
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    Option,
    format_option,
    usage_error,
)
from analyzer.cli.shared.output import emit, ticker, warn
from analyzer.cli.shared.policies import SIMULATE
from analyzer.escape import one_line
from analyzer.model.catalog import size_of
from analyzer.model.nouns import CFENGINE, counted, nouns_of
from analyzer.session import (
    compile_manifests,
    config_for,
    graph_of,
    is_policy,
    rules_for,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.config import Config
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.model.completeness import Gap

USAGE = "INPUT..."
INPUTS = (1, None)
HELP = """Explain every dependency cycle: a shortest closed path, who wrote each edge of it, and
the fewest statements to remove. References to resources that are not there are reported too, as
Puppet stops for them. Exit code 1 if anything is found in any of the inputs, else 3 if something
is not known of a compiled catalog that may hide a relationship: the output ends with what, why,
and what to do. Of a CFEngine policy (.cf) the cycles are those of promises that wait for each
other by depends_on."""
OPTIONS = (
    format_option("text", "json", "sarif", "junit", "github", "markdown"),
    Option("--puppet-text", "print the message that Puppet itself would log", flag=True),
    ALLOW,
    OUTPUT,
    CONFIG,
    *SIMULATE,
    *COMPILE,
    COLOR,
)


def run(options: Options) -> int:
    """Check each input; one that cannot be read does not keep the others from being checked."""
    checked, unreadable, worst = check_all(options, options.inputs)
    gaps = gaps_of(graph for _, graph in checked)
    if options.puppet_text:
        if any(graph.catalog.nouns is CFENGINE for _, graph in checked):
            return usage_error("cycles", "--puppet-text does not go with a policy")
        emit(
            "\n".join(text for _, graph in checked if (text := graph.puppet_text())), options.output
        )
        bad = any(graph.has_cycle for _, graph in checked)
    elif options.format == "text":
        bad = report_text(options, checked, gaps)
    else:
        bad = report_format(options, checked, unreadable)
    if options.puppet_text or options.format != "text":
        tell(gaps, options)
    return worst or int(bad) or (0 if options.allow_incomplete else verdict_of(gaps))


def verdict_of(gaps: list[Gap]) -> int:
    """Return the exit code of finding nothing: 0 only where nothing can be hidden."""
    from analyzer.cli import CANNOT_COMPILE

    return CANNOT_COMPILE if hides(gaps) else 0


def check_all(
    options: Options, inputs: Sequence[str]
) -> tuple[list[tuple[str, RelationshipGraph]], list[tuple[str, str]], int]:
    """Return each catalog's name and graph, the inputs that could not be read, with reasons, and
    the exit code of the worst of these, 0 if there are none.
    """
    checked = []
    unreadable = []
    worst = 0
    show = len(inputs) > 20 and sys.stderr.isatty()
    for number, path in enumerate(inputs, 1):
        if show:
            ticker(f"{number} of {len(inputs)}")
        catalogs: Sequence[Catalog] = ()
        failure: Exception | None = None
        try:
            config = config_for(path, options.config)
            catalogs, failure = read(path, options, config)
            for catalog in catalogs:
                graph = graph_of(catalog, rules_for(catalog, config))
                warn(path, catalog.warnings + graph.warnings)
                single = len(catalogs) == 1 and failure is None and not catalog.alone
                checked.append((path if single else f"{path} ({catalog.name})", graph))
            if failure is not None:
                raise failure
        except Exception as error:
            from analyzer.cli import explain

            if getattr(error, "code", "") == "nothing-to-compile":
                print(f"{path}: {error.args[0]}", file=sys.stderr)
                continue
            if len(inputs) == 1 and not (catalogs and error is failure):
                raise
            unreadable.append((path, str(error)))
            worst = max(worst, explain(error))
    if show:
        ticker("")
    return checked, unreadable, worst


def read(
    path: str, options: Options, config: Config | None
) -> tuple[Sequence[Catalog], Exception | None]:
    """Read the catalogs of a file, or compile a manifest; and why some nodes have none."""
    if is_policy(path):
        from analyzer.cli.shared.policies import request_of
        from analyzer.session.policies import policy_catalog

        return [policy_catalog(path, request_of(options), loops=True)], None
    if not is_manifest(path):
        return load_catalogs(path), None
    outcome = compile_manifests(path, settings_for(path, options, config))
    return outcome.catalogs, outcome.error


def report_text(
    options: Options, checked: list[tuple[str, RelationshipGraph]], gaps: list[Gap]
) -> bool:
    """Print the report for people, with what is not known; return whether anything was found."""
    # Each report or line with the catalogs that it is about.
    told: dict[str, list[str]] = {}
    cyclic = broken = partial = 0
    several = len(checked) > 1
    for name, graph in checked:
        if (graph.missing_count and not graph.catalog.alone) or graph.has_cycle:
            from analyzer.cli.reports.cycle_text import catalog_report
            from analyzer.cli.shared.output import style_for

            text = catalog_report("" if several else name, graph, style_for(options))
            told.setdefault(text, []).append(name)
            cyclic += graph.has_cycle
            broken += not graph.has_cycle
        else:
            told.setdefault(clean_line(name, graph), [])
            partial += not graph.is_complete
    parts = [with_names(text, names) if several else text for text, names in told.items()]
    if len(checked) > 1:
        from analyzer.graph.summary import summary

        noun = nouns_of(graph.catalog.nouns for _, graph in checked).whole
        parts.append(summary(noun, len(checked), cyclic, broken, partial))
    parts += statement_lines(gaps, options)
    emit("\n".join(parts), options.output)
    return bool(cyclic or broken)


def with_names(text: str, names: list[str]) -> str:
    """Return a report with the catalogs that it is about."""
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
) -> bool:
    """Print what was found in a format for programs; return whether anything was."""
    from analyzer.export.reports.formats import render
    from analyzer.graph.findings import Report, check, finding_text

    report = Report(tuple(check(name, graph) for name, graph in checked), tuple(unreadable))
    emit(render(options.format, report), options.output)
    if options.format == "json":
        missing = [finding for finding in report.findings if finding.code == "CG201"]
        for finding in missing:
            print(finding_text(finding), file=sys.stderr)
    return bool(report.findings)


def clean_line(name: str, graph: RelationshipGraph) -> str:
    """Say that a catalog has an order, as far as it is known, and how much was looked at."""
    absent = len(graph.missing())
    others = f", {counted(absent, 'reference')} to what other classes may declare" if absent else ""
    size = size_of(graph.catalog, graph.relationship_count)
    return one_line(f"{name}: {graph.verdict} ({size}{others})")
