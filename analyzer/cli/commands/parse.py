"""`catgraph parse`: check the syntax of manifests, templates and policies; print their trees."""

from __future__ import annotations

import os
import sys

from analyzer.cli.reports.syntax_check import POLICY, FileReport, find_files, report_of
from analyzer.cli.shared.options import (
    COLOR,
    MAX_INPUT,
    NO_CACHE,
    OUTPUT,
    Option,
    format_option,
    positive,
)
from analyzer.cli.shared.output import emit, emit_json, print_error, show_progress, style_for
from analyzer.model.nouns import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.cli.reports.syntax_check import ShownProblem
    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import OutputStyle

USAGE = "PATHS..."
INPUTS = (1, None)
HELP = """Check the syntax of manifests (.pp), EPP templates (.epp) and CFEngine policies (.cf),
without evaluating them. Folders are searched; for policies only if they hold no manifests. All
errors of all files are reported, in the words of Puppet or CFEngine. Exit code 1 if there is an
error in a manifest, 3 if CFEngine refuses a policy, 2 if a file cannot be read. '-' reads a
manifest from standard input.

'--format pn' prints the syntax tree of each file: of a manifest as 'puppet parser dump --format pn'
does, of a policy as 'cf-promises -p json' does. '--format python' prints the Python code
that 'each', 'map', 'filter' and 'reduce' run for lambdas that they call often, next to the Puppet
lines."""
OPTIONS = (
    format_option("text", "json", "pn", "python"),
    Option("--pretty", "with --format pn: indent the tree", flag=True),
    Option(
        "-j --jobs",
        "number of processes for many files (default: one per core)",
        None,
        (),
        "N",
        positive,
    ),
    MAX_INPUT,
    NO_CACHE,
    OUTPUT,
    COLOR,
)

# For fewer files, starting processes takes longer than checking.
MANY_FILES = 200
CHUNK = 25
COLORS = {"error": "red"}


def run(options: Options) -> int:
    """Check all files; an unreadable file does not stop the others."""
    if options.no_cache:
        os.environ["CATGRAPH_NO_CACHE"] = "1"
    files, unreadable = find_files(options.inputs)
    trees = {"pn": "pretty" if options.pretty else "flat", "python": "python"}
    reports = list(
        progress(check_all(files, trees.get(options.format, ""), options.jobs), len(files))
    )
    unreadable += [report.unreadable for report in reports if report.unreadable]
    for text in unreadable:
        print_error(f"catgraph parse: error: {text}")
    problems = [problem for report in reports for problem in report.problems]
    if options.format == "json":
        emit_json(list(map(row_of, problems)), options.output)
    elif options.format in trees:
        # As in Puppet: no line end between files.
        emit("".join(report.tree for report in reports), options.output)
        sys.stderr.write("".join(problem.text() + "\n" for problem in problems))
    else:
        style = style_for(options)
        lines = [colored(problem, style) for problem in problems]
        emit("\n".join([*lines, summary(reports, problems, len(unreadable))]), options.output)
    return exit_code(problems, unreadable=bool(unreadable))


def exit_code(problems: Sequence[ShownProblem], *, unreadable: bool) -> int:
    """Return the exit code; for a refused policy it is the same as in other commands."""
    from analyzer.cli.shared.exit_codes import CANNOT_COMPILE, FINDINGS, USAGE

    wrong = [problem.file for problem in problems if problem.severity == "error"]
    if unreadable:
        return USAGE
    if any(file.endswith(POLICY) for file in wrong):
        return CANNOT_COMPILE
    return FINDINGS if wrong else 0


def check_all(files: Sequence[str], trees: str, jobs: int | None) -> Iterator[FileReport]:
    """Check files in order, in several processes if that is faster."""
    jobs = jobs or usable_cores()
    if jobs < 2 or len(files) < MANY_FILES:
        for file in files:
            yield report_of(file, trees)
        return
    from functools import partial

    from analyzer.session.workers import context_for, may_fork

    with context_for(may_fork()).Pool(jobs, begin_worker) as pool:
        yield from pool.imap(partial(report_of, trees=trees), files, CHUNK)


def begin_worker() -> None:
    """Prepare a worker: the parent process handles interrupts, and chooses the files."""
    from signal import SIG_IGN, SIGINT, signal

    from analyzer.reach import user_files

    signal(SIGINT, SIG_IGN)
    user_files().__enter__()


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def progress(reports: Iterator[FileReport], total: int) -> Iterator[FileReport]:
    """Yield the reports, and show their number on a terminal."""
    if total <= CHUNK or not sys.stderr.isatty():
        yield from reports
        return
    for number, report in enumerate(reports, 1):
        if number % CHUNK == 0:
            show_progress(f"{number} of {total}")
        yield report
    show_progress("")


def colored(problem: ShownProblem, style: OutputStyle) -> str:
    """Return a problem as coloured text."""
    word = style(COLORS.get(problem.severity, "yellow"), problem.severity)
    return problem.text(style("bold", problem.place + ":"), word)


def summary(reports: Sequence[FileReport], problems: Sequence[ShownProblem], unread: int) -> str:
    """Return the numbers of checked files, of problems, and of paths that were not checked."""
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    count = counted(sum(not report.unreadable for report in reports), "file")
    found = [counted(errors, "error")] if errors else []
    found += [counted(warnings, "warning")] if warnings else []
    found += [f"{counted(unread, 'path')} not checked"] if unread else []
    return f"{count}: {', '.join(found)}" if found else clean_words(count, reports)


def clean_words(count: str, reports: Sequence[FileReport]) -> str:
    """Return the words for a check without problems: a check of nothing is not clean."""
    return f"{count}: no errors" if reports else "nothing was checked"


def row_of(problem: ShownProblem) -> dict[str, object]:
    """Return a problem as data."""
    return {field: value for field, value in problem._asdict().items() if field != "snippet"}
