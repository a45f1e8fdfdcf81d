"""`catgraph fleet`: the same question over all catalogs of a site, by cause."""

from __future__ import annotations

import gc
import os
import sys
from datetime import UTC, datetime
from time import monotonic

from analyzer.cli.shared.fleet import (
    PUPPETDB,
    graphs_of,
    is_puppetdb,
    is_repo,
    is_source,
    question_of,
    repo_of,
    revision,
    source_of,
)
from analyzer.cli.shared.fleet_tools import Tools, progress_bar
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    Option,
    format_option,
    positive,
)
from analyzer.cli.shared.output import emit, print_error, show_progress, usage_error, warn
from analyzer.model.names import split_ref
from analyzer.model.nouns import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.cli.shared.options import Options
    from analyzer.fleet.causes import CauseCollector
    from analyzer.fleet.questions.graphs import Graphs
    from analyzer.fleet.reads import RepositoryCompiles
    from analyzer.fleet.report import FleetReport
    from analyzer.fleet.values import CatalogSource, FleetQuestion

USAGE = "QUESTION SOURCE"
INPUTS = (1, None)
HELP = """Ask a question of every node of a site, and group the answers by cause. Answers have the
same cause if the same statements lead to them, whatever the names of nodes and the titles of
resources.

Questions:
  cycles SOURCE         dependency cycles and missing resources
  lint SOURCE           lint findings in the catalogs
  query EXPR SOURCE     resources or edges that an expression finds (see 'catgraph query')
  why A B SOURCE        whether A comes before B on each node, and which statements order them
  impact REF SOURCE     resources that a failure or change of a resource affects
  diff REPO --rev REV   the effect of a change of a control repo on each node (REV, A..B, A...B)
  diff SOURCE REPO      differences between catalogs and a fresh compile of the nodes
  runs PUPPETDB         failures by first cause, changes in every run, times, critical chains
  log [SOURCE]          when each cause was first and last seen

SOURCE is a folder of catalogs (*.json, *.json.gz, at any depth), a control repo, or a PuppetDB:
puppetdb+https://HOST:8081, puppetdb+http://localhost:8080, or puppetdb, whose address and
certificates are those of client-tools/puppetdb.conf. Without these options and that file, the
certificates of this machine's agent are used. A control repo is compiled for each of its nodes,
with the facts of --facts-dir, which is a folder or a PuppetDB.

Results are kept in a store: a node that did not change is not examined again. After Ctrl-C,
finished results are kept.

Exit codes: 1 if there is a cause (see --fail-on); 3 if there is none, but a node failed or is
incomplete."""
OPTIONS = (
    format_option("text", "json", "jsonl", "sarif", "markdown", "html", "openmetrics"),
    Option(
        "--engine",
        "pool: processes of this machine; dask: a cluster of this machine, or of its scheduler",
        "pool",
        metavar="pool|dask|dask://HOST:PORT",
    ),
    Option("--workers", "processes on this machine (one per core)", 0, (), "N", positive),
    Option("--store", "keep results in FILE (~/.cache/catgraph/fleet.sqlite)", metavar="FILE"),
    Option("--no-store", "neither keep nor use results", flag=True),
    Option(
        "--graphs",
        "html: graphs of at most N nodes, those with causes first (100)",
        100,
        (),
        "N",
        positive,
    ),
    Option(
        "--exports",
        "control repo: exported resources, from 'catgraph compile REPO --store FILE'",
        metavar="FILE",
    ),
    Option("--rev", "diff: compare with a git revision: REV, A..B or A...B", metavar="REV"),
    Option("--no-causes", "diff: do not look for the changed lines behind differences", flag=True),
    *PUPPETDB,
    Option("--select", "lint: apply only these rules, by code or prefix", metavar="CODES"),
    Option("--ignore", "lint: do not apply these rules, by code or prefix", metavar="CODES"),
    Option(
        "--fail-on",
        "lowest severity that makes the command fail",
        "warning",
        ("note", "warning", "error"),
    ),
    OUTPUT,
    CONFIG,
    *(row for row in COMPILE if row.name != "store"),
    COLOR,
)

# Questions about catalogs, with the number of words that they take besides the source.
QUESTIONS = {"cycles": 0, "lint": 0, "query": 1, "why": 2, "impact": 1, "diff": 0, "runs": 0}


def run(options: Options) -> int:
    """Answer a question."""
    # `main` switches the garbage collector off for short runs, but this one may be long.
    gc.enable()
    if options.facts_dir and is_puppetdb(options.facts_dir):
        return with_facts(options)
    return answered(options)


def with_facts(options: Options) -> int:
    """Answer a question about a control repo with the facts of a PuppetDB."""
    from tempfile import TemporaryDirectory

    from analyzer.cli.shared.fleet import access_of
    from analyzer.fleet.sources.puppetdb_facts import write_facts

    with TemporaryDirectory(prefix="catgraph-facts-") as folder:
        write_facts(access_of(options.facts_dir, options), options.query or "", folder)
        vars(options)["facts_dir"] = folder
        return answered(options)


def answered(options: Options) -> int:
    """Answer a question."""
    name, *words = options.inputs
    if name == "log":
        return log(options, words)
    if name not in QUESTIONS:
        return usage_error("fleet", f"unknown question '{name}'; {', '.join((*QUESTIONS, 'log'))}")
    if name == "diff":
        return diff(options, words)
    if len(words) != QUESTIONS[name] + 1:
        return usage_error("fleet", f"'{name}' takes {TAKES[name]}")
    if name == "runs" and not is_puppetdb(words[0]):
        return usage_error("fleet", "'runs' needs a PuppetDB, which has the reports")
    # The source may be the first or the last word.
    place = words.pop(0 if is_source(words[0]) and not is_source(words[-1]) else -1)
    for word in words if name in ("why", "impact") else ():
        if split_ref(word) is None:
            return usage_error("fleet", f"'{word}' is not a reference, such as Package[nginx]")
    question = question_of(name, words, place, options)
    with Tools(options) as tools:
        if not is_repo(place):
            return ask(tools, question, source_of(place, options), name)
        repo = tools.exchanged(repo_of(place, options))
        reads = tools.reads(repo) if name in ("cycles", "lint") else None
        return ask(tools, question, repo, name, place, reads)


TAKES = {
    "cycles": "one source: catgraph fleet cycles SOURCE",
    "lint": "one source: catgraph fleet lint SOURCE",
    "query": "an expression and a source: catgraph fleet query EXPR SOURCE",
    "why": "two references and a source: catgraph fleet why A B SOURCE",
    "runs": "a PuppetDB: catgraph fleet runs puppetdb+https://HOST:8081",
    "impact": "a reference and a source: catgraph fleet impact REF SOURCE",
}


def diff(options: Options, words: list[str]) -> int:
    """Compare two revisions of a control repo, or catalogs with a fresh compile."""
    from analyzer.fleet.questions.diff import Diff
    from analyzer.fleet.sources.repo import Repo, SharedSite

    if len(words) != (1 if options.rev else 2):
        return usage_error("fleet", "'diff' takes REPO --rev REV, or SOURCE REPO")
    graphs = graphs_of(words[-1], options)[1]
    with Tools(options) as tools:
        if options.rev:
            return between_revisions(tools, words[0], graphs)
        if is_puppetdb(words[1]) or not is_repo(words[1]):
            return usage_error("fleet", f"'{words[1]}' is not a control repo; write SOURCE REPO")
        repo = tools.exchanged(repo_of(words[1], options))
        source = source_of(words[0], options)

        def attributed(report: FleetReport) -> FleetReport:
            from analyzer.cli.reports import fleet_causes

            if isinstance(source, Repo):
                return fleet_causes.with_lines(report, source, repo, options, graphs)
            return fleet_causes.with_places(report, repo, options)

        question = Diff(repo, SharedSite(repo).digest(), other_is_old=False, graphs=graphs)
        return ask(tools, question, source, "diff", words[1], completed=attributed)


def between_revisions(tools: Tools, path: str, graphs: Graphs) -> int:
    """Compare two revisions of a control repo."""
    from analyzer.fleet.questions.diff import Diff
    from analyzer.fleet.reads import RepositoryCompiles
    from analyzer.fleet.sources.changes import state_of
    from analyzer.fleet.sources.repo import SharedSite
    from analyzer.session.repository.revisions import older_and_newer

    options = tools.options
    older, newer = older_and_newer(options.rev)
    old = tools.exchanged(revision(path, older, options, tools.stack))
    new = tools.exchanged(revision(path, newer, options, tools.stack))
    before, after = SharedSite(old), SharedSite(new)
    states = state_of(before), state_of(after)
    changed, reads = None, None
    if states[0] is not None and states[1] is not None:
        changed = states[0].changed(states[1])
        reads = RepositoryCompiles(tools.store, os.path.realpath(path), states[1], states[0])
    question = Diff(old, before.digest(), graphs=graphs, own=new, changed=changed)

    def attributed(report: FleetReport) -> FleetReport:
        from analyzer.cli.reports.fleet_causes import with_lines

        return with_lines(report, old, new, options, graphs)

    return ask(tools, question, new, "diff", path, reads, attributed)


def ask(
    tools: Tools,
    question: FleetQuestion,
    source: CatalogSource,
    name: str,
    repo: str | None = None,
    reads: RepositoryCompiles | None = None,
    completed: Callable[[FleetReport], FleetReport] = lambda report: report,
) -> int:
    """Ask all nodes, print the answer, and record the causes; `repo` is their code.

    `completed` adds to the report what it shows besides.
    """
    from analyzer.fleet.report import report_of
    from analyzer.fleet.run import Fleet
    from analyzer.fleet.store import ResultStore

    options, store, started = tools.options, tools.store, monotonic()
    root = os.path.relpath(repo) if repo and os.path.isdir(repo) else "."
    # New runs may arrive at any time: their answers are not stored.
    kept = store if name != "runs" else ResultStore("")
    fleet = Fleet(source, question, kept, tools.engine(), show=progress_bar())
    fleet.reads = reads
    if options.format == "jsonl":
        from analyzer.fleet.formats.jsonl import line

        fleet.ended = lambda result: print(line(result), flush=True)
    causes, progress = fleet.run()
    if sys.stderr.isatty():
        show_progress("")
    report = report_of(name, source.name, causes, progress, monotonic() - started, root)
    if fleet.doubled:
        node, key = fleet.double
        count = counted(fleet.doubled, "catalog")
        text = f"{count} ignored: only the newest catalog of a node counts"
        warn(source.name, [f"{text} ('{key}' is an older one of {node})"])
    if report.seen and report.lacking == report.total:
        where = f"on none of the {report.total:,} nodes: " if report.total > 1 else ""
        return usage_error("fleet", f"{where}{report.lacks}")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    seen = [(cause.identity, cause.title, len(cause.nodes)) for cause in report.causes]
    store.note(source.name, name, seen, now)
    if options.format != "jsonl":
        from analyzer.fleet.formats import render

        if options.format == "html":
            report = with_graphs(report, source, causes, question, options.graphs)
        report = completed(report)
        emit(render(options.format, report), options.output)
    return exit_code(options, report, interrupted=fleet.interrupted)


def with_graphs(
    report: FleetReport,
    source: CatalogSource,
    causes: CauseCollector,
    question: FleetQuestion,
    most: int,
) -> FleetReport:
    """Return the report with the names of all nodes and the graphs of some."""
    from dataclasses import replace

    from analyzer.fleet.pictures import drawn, pictures
    from analyzer.fleet.questions.graphs import PLAIN

    graphs = getattr(question, "graphs", PLAIN)
    names = [name for name, _ in causes.ledger.names()]
    keys = {causes.ledger.keys[name]: name for name in drawn(report.causes, names, most)}
    shown = {keys[key]: data for key, data in pictures(source, graphs, keys)}
    return replace(report, nodes=tuple(names), graphs=shown)


def exit_code(options: Options, report: FleetReport, *, interrupted: bool) -> int:
    """Return the exit code: for a cause that of a finding; an incomplete answer is not clean."""
    from analyzer.cli.shared.exit_codes import CANNOT_COMPILE, FINDINGS, INTERRUPTED
    from analyzer.diagnostics import RANK

    if interrupted:
        print_error(f"interrupted: {report.summary}; the next run continues here")
        return INTERRUPTED
    worst = RANK[options.fail_on]
    if any(RANK[cause.severity] <= worst for cause in report.causes):
        return FINDINGS
    return 0 if report.whole else CANNOT_COMPILE


def log(options: Options, words: list[str]) -> int:
    """Print the times at which each cause was seen."""
    from analyzer.escape import joined
    from analyzer.fleet.store import ResultStore, default_path

    if len(words) > 1:
        return usage_error("fleet", "'log' takes at most one source: catgraph fleet log [SOURCE]")
    path = options.store or default_path()
    if options.store and not os.path.exists(path):
        return usage_error("fleet", f"there is no store '{path}'")
    source = source_of(words[0], options).name if words else None
    with ResultStore(path if os.path.exists(path) else "") as store:
        rows = store.history(source)
    if options.format == "json":
        from analyzer.export.encode import json_text

        names = ("source", "question", "cause", "title", "first", "last", "nodes")
        emit(json_text([dict(zip(names, row, strict=True)) for row in rows]), options.output)
        return 0
    lines = [
        f"{question} {title}: first seen {first[:10]}, last seen {last[:10]}, {nodes:,} nodes"
        f" ({source})"
        for source, question, _, title, first, last, nodes in rows
    ]
    emit(joined(lines or ["no cause has been seen yet"]), options.output)
    return 0
