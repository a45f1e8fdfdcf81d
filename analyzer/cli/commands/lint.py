"""`catgraph lint`: check manifests, catalogs and policies with the rules of the lint."""

from __future__ import annotations

import sys

from analyzer.cli.shared.completeness import print_gaps, statement_lines
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    DEFINE,
    JOBS,
    NO_PLUGINS,
    OUTCOME,
    OUTPUT,
    WORLDS,
    Option,
    format_option,
)
from analyzer.cli.shared.output import emit, emit_bytes, print_error, style_for, usage_error
from analyzer.export.reports.formats import OF_FINDINGS, render_results
from analyzer.model.nouns import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.diagnostics import Finding, Results
    from analyzer.session.lint.check import LintCheck
    from analyzer.session.lint.fixes import Fixed
    from analyzer.session.lint.request import Request
    from analyzer.session.lint.results import Linted

USAGE = "PATHS..."
INPUTS = (1, None)
HELP = """Check manifests, modules, control repos, catalogs and CFEngine policies with rules
that use the relationship graph. They find dependency cycles, empty collectors, missing or
contradictory relationships, order that depends on luck, and promises that never run.

Modules are compiled class by class, control repos for every node and set of facts. Then they are
compiled with facts and parameters that take other branches of the code: cycles, duplicates and
missing targets that only some of these have are reported with their condition. The output ends
with what was not compiled or is unknown, and why. Policy files (.cf) are loaded together, with
every combination of classes.

Exit codes: 1 if there is an error or a warning (see --fail-on); 3 if a control repo does not
compile, CFEngine refuses a policy, or something was not read or took too long (the output says
what; --allow-incomplete accepts it).

'catgraph rule' lists the rules. To accept a finding, write a comment on its line or on the line
above: # catgraph:ignore[CG301] reason"""


def format_and_file(text: str) -> tuple[str, str]:
    """Return the value of `--also`.

    Raises:
        ArgumentTypeError: it is not valid.
    """
    name, _, file = text.partition("=")
    if name not in OF_FINDINGS or file in ("", "-"):
        from argparse import ArgumentTypeError

        formats = ", ".join(OF_FINDINGS)
        raise ArgumentTypeError(f"expected FORMAT=FILE with one of {formats}, not '{text}'")
    return name, file


# Rules that report code that Puppet or CFEngine refuses.
REFUSED = ("CG200", "CG500")
OPTIONS = (
    format_option("text", *OF_FINDINGS),
    Option(
        "--also",
        "also write the findings to FILE, in another format; repeatable",
        metavar="FORMAT=FILE",
        many=True,
        type=format_and_file,
    ),
    Option("--select", "apply only these rules, by code or prefix: CG3,CG102", metavar="CODES"),
    Option("--ignore", "do not apply these rules, by code or prefix", metavar="CODES"),
    Option(
        "--fail-on",
        "lowest severity that makes the command fail",
        "warning",
        ("note", "warning", "error"),
    ),
    Option(
        "--include-vendored",
        "also report on modules that the repository does not own (Puppetfile, fixtures, vendor*)",
        flag=True,
    ),
    Option("--no-comments", "comments of the code accept no findings", flag=True),
    NO_PLUGINS,
    Option("--fix", "write the fixes that were tested and work", flag=True),
    Option("--diff", "print the fixes as a patch; write nothing", flag=True),
    Option(
        "--unsafe-fixes",
        "with --fix or --diff: include fixes that remove order or statements",
        flag=True,
    ),
    Option("--baseline", "accept the findings listed in FILE", metavar="FILE"),
    Option("--write-baseline", "write all findings to FILE, as a baseline", metavar="FILE"),
    Option("--fail-stale", "fail if a finding of the baseline is no longer found", flag=True),
    Option(
        "--changed-since",
        "report only findings on lines changed since a git revision",
        metavar="REV",
    ),
    Option(
        "--shuffle",
        "simulate two runs in N valid orders; report what fails only in the first (CG401)",
        0,
        (),
        "N",
        int,
    ),
    Option(
        "--allow-incomplete",
        "exit according to the findings even if something could not be read or compiled",
        flag=True,
    ),
    WORLDS,
    Option("--profile", "print the time of each stage and rule on standard error", flag=True),
    DEFINE,
    OUTCOME,
    JOBS,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)


def run(options: Options) -> int:
    """Lint all inputs; an unreadable input does not stop the others."""
    from analyzer.cli.shared.lint_request import baseline_for, baseline_path, judged, request_of
    from analyzer.folders import listing

    if options.unsafe_fixes and not (options.fix or options.diff):
        return usage_error("lint", "--unsafe-fixes needs --fix or --diff")
    if options.also and (options.diff or options.write_baseline):
        return usage_error("lint", "--also writes findings, --diff and --write-baseline do not")
    baseline = None if options.write_baseline else baseline_for(options)
    request = request_of(options, baseline)
    if options.diff:
        return print_patch(options, request)
    rest = write_fixes(options, request) if options.fix else None
    with listing():
        linted = results_of(options, request, rest)
    if options.write_baseline:
        return write_baseline(options.write_baseline, linted)
    results, verdict = judged(linted, baseline, options.changed_since is not None)
    report(options, linted, results)
    print_acceptances(options.changed_since, linted.done, baseline_path(options))
    print_stale(verdict.stale_findings)
    code = exit_code(options, linted.done, results.findings, has_unseen=verdict.has_unseen)
    return code or int(bool(verdict.stale_findings) and options.fail_stale)


def print_acceptances(revision: str | None, done: LintCheck, baseline: str | None) -> None:
    """Print what a change adds to the accepted findings, so that a reviewer sees it."""
    from analyzer.session.lint.acceptances import added_acceptances

    for line in added_acceptances(revision, done, baseline) if revision is not None else ():
        print_error(line)


def print_stale(rows: Sequence[dict[str, str]]) -> None:
    """Print the findings of a baseline that are no longer found."""
    for row in rows:
        place = row["file"] or "the catalog"
        said = f"{row['code']} is in the baseline but no longer found: {row['message']}"
        print_error(f"{place}: {said}")


def results_of(options: Options, request: Request, rest: LintCheck | None) -> Linted:
    """Return the results of a request, or of what fixes left; print their times if asked."""
    from analyzer.session.lint.results import fix, lint_inputs

    if not options.profile:
        return lint_inputs(request) if rest is None else fix(rest)
    from analyzer.session.lint.profile import profiled, table
    from analyzer.session.lint.read import read

    compiled = None if rest is None else rest.compiled
    linted, stages, rules = profiled(read(request) if rest is None else rest.sources, compiled)
    print(table(stages, rules), file=sys.stderr)
    return linted


def report(options: Options, linted: Linted, results: Results) -> None:
    """Print the findings, and write them to the files of `--also`."""
    for name, file in options.also or ():
        emit(render_results(name, results), file)
    if options.format != "text":
        emit(render_results(options.format, results), options.output)
        for _, message in results.unreadable:
            print(message, file=sys.stderr)
        print_gaps(results.gaps, options)
        return
    from analyzer.cli.reports.lint_text import text_report

    text = text_report(results, linted.done.sources, style_for(options), explain=options.explain)
    emit("\n".join([text, *statement_lines(results.gaps, options)]), options.output)


def exit_code(
    options: Options, done: LintCheck, findings: Sequence[Finding], *, has_unseen: bool
) -> int:
    """Return the exit code for errors in the inputs, else for findings and unchecked inputs."""
    from analyzer.cli.shared.exit_codes import CANNOT_COMPILE, FINDINGS, USAGE
    from analyzer.diagnostics import RANK, CompileError

    if any(not isinstance(error, CompileError) for error in done.errors):
        return USAGE
    if done.errors or any(is_refused(one, done.sources.request.paths) for one in findings):
        return CANNOT_COMPILE
    if has_unseen and not options.allow_incomplete:
        return CANNOT_COMPILE
    worst = RANK[options.fail_on]
    return FINDINGS if any(RANK[finding.severity] <= worst for finding in findings) else 0


def is_refused(finding: Finding, inputs: Sequence[str]) -> bool:
    """Return whether a finding reports code that does not compile with any facts and parameters.

    Examples of a module are no part of a catalog.
    """
    from analyzer.frontends.puppet.node.unloaded import is_in_no_catalog

    if finding.code not in REFUSED or finding.condition:
        return False
    return finding.span is None or not is_in_no_catalog(finding.span.file, inputs)


def write_baseline(path: str, linted: Linted) -> int:
    """Write the findings and gaps to a file as the baseline."""
    from analyzer.cli.shared.exit_codes import USAGE
    from analyzer.diagnostics import CompileError
    from analyzer.linter.baseline import text_of
    from analyzer.session.lint.gate import baseline_of, line_in

    done, results = linted.done, linted.results
    accepted = baseline_of(results, linted.seen, path, line_in(done.sources.texts))
    emit(text_of(accepted), path)
    gaps = f" and {counted(len(accepted.gaps), 'gap')}" if accepted.gaps else ""
    print_error(f"wrote {counted(len(accepted.findings), 'finding')}{gaps} to {path}")
    for _, message in results.unreadable:
        print(message, file=sys.stderr)
    return USAGE if any(not isinstance(e, CompileError) for e in done.errors) else 0


def write_fixes(options: Options, request: Request) -> LintCheck | None:
    """Write the fixes; return the check, None if the files have changed since."""
    from analyzer.session.lint.fixes import fix_all

    fixed = fix_all(request, unsafe=options.unsafe_fixes)
    for file, text in fixed.texts.items():
        emit_bytes(text.encode(), file)
    print_fixes(fixed, "fixed")
    # The search of other worlds reads files: it must see the fixes.
    return None if fixed.texts else fixed.rest


def print_patch(options: Options, request: Request) -> int:
    """Print the fixes as a patch; return 1 if there are any."""
    from analyzer.graph.findings import finding_text
    from analyzer.session.lint.check import coverage_of
    from analyzer.session.lint.fixes import diff, fix_all

    fixed = fix_all(request, unsafe=options.unsafe_fixes)
    if fixed.texts:
        emit(diff(fixed.texts), options.output, exact=True)
    print_fixes(fixed, "would fix")
    for error in fixed.rest.errors:
        print(error, file=sys.stderr)
    found = (one.finding for one in fixed.rest.found)
    refused = tuple(one for one in found if is_refused(one, request.paths))
    for finding in refused:
        print_error(finding_text(finding))
    has_unseen = coverage_of(fixed.rest).has_unseen
    code = exit_code(options, fixed.rest, refused, has_unseen=has_unseen)
    return code or int(bool(fixed.texts))


def print_fixes(fixed: Fixed, verb: str) -> None:
    """Print the fixes on standard error, with the orderings that they add and remove."""
    for one in fixed.fixings:
        alone = f" ({one.fix.effect})" if len(one.findings) == 1 else ""
        for finding in one.findings:
            print_error(f"{finding.span}: {finding.code}: {finding.fixes[0].what}{alone}")
        if not alone:
            print_error(f"  together ({one.fix.effect})")
    count = counted(len(fixed.findings), "finding")
    more = f"; --unsafe-fixes fixes {fixed.held:,} more" if fixed.held else ""
    if fixed.stopped:
        rounds = counted(len(fixed.fixings), "round")
        more += f"; the run stopped after {rounds}: run it again for the rest"
    files = counted(len(fixed.texts), "file")
    print(
        f"{verb} {count} in {files}{more}" if fixed.texts else f"nothing to fix{more}",
        file=sys.stderr,
    )
